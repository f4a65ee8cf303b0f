// SPDX-License-Identifier: MIT
// traced_hsa.h: the whole capture side on a fake runtime, as one object, from which most capture
// tests start.
//
// Threads    the test's; the capture's worker runs beside it
#pragma once

#include <time.h>

#include <atomic>
#include <functional>
#include <thread>

#include "capture/hooks/hsa_capture.h"
#include "tests/support/fake_hsa.h"
#include "tests/support/memory_sink.h"

namespace rtl::support {

// Every kernel object is kernel "object % 1000" of its generation.
class FakeKernels final : public capture::KernelLookup {
 public:
  uint32_t KernelFor(uint64_t kernel_object) override {
    ++asked_;
    if (on_ask) on_ask();
    return static_cast<uint32_t>(kernel_object % 1000 + 1000 * generation_.load());
  }
  const std::atomic<uint64_t>& generation() const override { return generation_; }

  void NextGeneration() { generation_.fetch_add(1, std::memory_order_release); }
  uint64_t asked() const { return asked_; }
  std::function<void()> on_ask;  // on the thread that is inside a hook

 private:
  std::atomic<uint64_t> generation_{1};
  std::atomic<uint64_t> asked_{0};
};

// Repeats until `condition` holds; false after ten seconds.
inline bool WaitUntil(const std::function<bool()>& condition) {
  timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  while (!condition()) {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - start.tv_sec > 10) return false;
    std::this_thread::yield();
  }
  return true;
}

class TracedHsa {
 public:
  static constexpr size_t kSubmittedSlots = 8;

  explicit TracedHsa(const TableLayout& layout = kRocm61, FakeHsa::Gpu gpu = FakeHsa::Gpu::kManual)
      : hsa(layout, gpu) {
    options.submitted = {slots_, kSubmittedSlots};
    options.counters = {&signals_created, &signals_destroyed, &queues_created, &queues_destroyed,
                        &other_packets};
  }

  // Installs the hooks; change `options` before.
  Status Install() {
    if (Status status = tables.Open(hsa.root_table()); !status.ok()) return status;
    return capture.Install(&tables, &sink, &kernels, options);
  }

  uint64_t Submitted() const {
    uint64_t submitted = sink.submitted();
    for (const auto& slot : slots_) {
      submitted += slot.submitted;
    }
    return submitted;
  }
  bool WaitForCopies(size_t count) {
    return WaitUntil([&] { return sink.copy_count() >= count; });
  }
  bool WaitForRecords(size_t count) {
    return WaitUntil([&] { return sink.dispatch_count() >= count; });
  }
  // submitted == recorded + lost, for every trace; true only after Stop.
  bool Conserved() const {
    for (const EventKind kind : {EventKind::kCopy, EventKind::kBarrier}) {
      if (sink.submitted(kind) != sink.recorded(kind) + sink.lost(kind)) return false;
    }
    return Submitted() == sink.recorded() + sink.lost();
  }

  FakeHsa hsa;
  MemorySink sink;
  FakeKernels kernels;
  capture::HsaTables tables;
  capture::CaptureOptions options;
  std::atomic<uint64_t> signals_created{0}, signals_destroyed{0}, queues_created{0},
      queues_destroyed{0}, other_packets{0};
  QueueCounter slots_[kSubmittedSlots];
  capture::HsaCapture capture;  // last: destroyed first
};

}  // namespace rtl::support
