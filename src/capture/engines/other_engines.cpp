// SPDX-License-Identifier: MIT
#include "capture/engines/other_engines.h"

#include <dlfcn.h>

#include <algorithm>

#include "capture/hip/hip_capture.h"
#include "capture/hsa/hsa_capture.h"

namespace rtl::capture {
namespace {

constexpr char kExchange[] = "rtl_engine_link";
constexpr const char* kLibraries[] = {"librtl.so", "librocprofiler-sdk.so.1"};

}  // namespace

constinit std::atomic<const EngineLink*> OtherEngines::links_[kMost] = {};

const EngineLink* OtherEngines::Own() {
  static constexpr EngineLink kOwn = {kEngineLinkVersion,        HsaCapture::Hooked,
                                      HsaCapture::BeforeTimes,   HipCapture::OnOthersTracer,
                                      HipCapture::OnTracerEnter, HipCapture::OnTracerExit,
                                      HipCapture::Asking};
  return &kOwn;
}

void OtherEngines::Meet() {
  for (const char* name : kLibraries) {
    void* const library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    const auto exchange = reinterpret_cast<ExchangeLinks>(dlsym(library, kExchange));
    const EngineLink* const other = exchange == nullptr ? nullptr : exchange(Own());
    if (other != Own()) (void)Add(other);  // false: as far as we go it is not there
    (void)dlclose(library);                // as often as it was opened; it stays
  }
}

bool OtherEngines::Add(const EngineLink* link) {
  if (link == nullptr || link->version != kEngineLinkVersion) return false;
  for (auto& place : links_) {
    const EngineLink* there = nullptr;
    if (place.compare_exchange_strong(there, link, std::memory_order_acq_rel) || there == link)
      return true;
  }
  return false;
}

const EngineLink* OtherEngines::Exchange(const EngineLink* callers) {
  if (callers != Own()) (void)Add(callers);  // as above
  return Own();
}

uint64_t OtherEngines::NextPlace() {
  uint64_t last = 0;
  for (const auto& place : links_) {
    const EngineLink* const link = place.load(std::memory_order_acquire);
    if (link != nullptr) last = std::max(last, link->hooked());
  }
  return last + 1;
}

bool OtherEngines::Ask(hsa_signal_t signal, uint64_t own) {
  bool may = true;
  for (const auto& place : links_) {
    const EngineLink* const link = place.load(std::memory_order_acquire);
    if (link == nullptr) break;
    const uint64_t hooked = link->hooked();
    if (hooked != 0 && hooked < own && link->before_times(signal.handle) == 0) may = false;
  }
  return may;
}

void OtherEngines::TEST_Forget() {
  for (auto& place : links_) place.store(nullptr, std::memory_order_release);
}

}  // namespace rtl::capture
