// SPDX-License-Identifier: MIT
// hang_watch.h: reports the kernels in flight while the program runs: if the program has not ended
// a second after an interrupt, or if a kernel at the front of its queue has not ended within a
// limit. The program goes on. With --ring, SIGUSR2 makes the collector write a window.
//
// Threads    one of its own between Start and Stop
// Blocking   Stop: until the thread has ended, which takes at most one answer of the collector
#pragma once

#include <cstdint>
#include <set>
#include <tuple>

#include "base/status.h"
#include "cli/trace/background_thread.h"
#include "trace/collect/collector.h"

namespace rtl::cli {

class HangWatch {
 public:
  // `limit_ns`: zero: no limit.
  HangWatch(store::Collector* collector, uint64_t limit_ns)
      : collector_(collector), limit_ns_(limit_ns) {}

  Status Start();
  void Stop() { thread_.Stop(); }

 private:
  using Place = std::tuple<uint32_t, uint32_t, uint64_t>;  // process, queue, packet

  void Run();
  void LookForHangs();
  bool ReportInterrupt();

  store::Collector* const collector_;
  const uint64_t limit_ns_;
  std::set<Place> reported_;
  BackgroundThread thread_;
};

}  // namespace rtl::cli
