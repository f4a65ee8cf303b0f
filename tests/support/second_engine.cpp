// SPDX-License-Identifier: MIT
#include "tests/support/second_engine.h"

#include <memory>

#include "tests/support/held_worker.h"
#include "tests/support/traced_hsa.h"

namespace rtl::testing {
namespace {

struct Engine {
  MemorySink sink;
  FakeKernels kernels;
  capture::HsaTables tables;
  HeldWorker worker;
  capture::HsaCapture capture;  // last: goes first
};
std::unique_ptr<Engine> engine;

bool Install(void* root_table, bool forward) {
  engine = std::make_unique<Engine>();
  capture::CaptureOptions options;
  options.mode = Mode::kFull;
  if (forward) options.app_signals = AppSignals::kForward;
  engine->worker.In(&options);
  return engine->tables.Open(root_table).ok() &&
         engine->capture.Install(&engine->tables, &engine->sink, &engine->kernels, options).ok();
}

constexpr SecondEngine kEngine = {
    &capture::OtherEngines::Exchange,
    Install,
    [](bool held) { engine->worker.Set(held); },
    [] { engine->capture.Stop(); },
    [] { engine.reset(); },
    [] { return engine->sink.lost(); },
    [] { return uint64_t{engine->sink.dispatch_count()}; },
    [](uint64_t index) { return engine->sink.dispatches()[index]; },
};

}  // namespace
}  // namespace rtl::testing

extern "C" __attribute__((visibility("default"))) const rtl::testing::SecondEngine*
second_engine() {
  return &rtl::testing::kEngine;
}
