// SPDX-License-Identifier: MIT
// hang_watch.h: reports the kernels in flight while the program runs: if the program has not ended
// a second after an interrupt, or if a kernel at the front of its queue has not ended within a
// limit. The program goes on. With --ring, SIGUSR2 makes the collector write a window.
//
// Threads    one of its own between Start and Stop
// Blocking   Stop: until the thread has ended, which takes at most one answer of the collector
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

#include "base/status.h"
#include "trace/collect/collector.h"

namespace rtl::cli {

class HangWatch {
 public:
  // `limit_ns`: zero: no limit.
  HangWatch(store::Collector* collector, uint64_t limit_ns);
  ~HangWatch() { Stop(); }
  HangWatch(const HangWatch&) = delete;
  HangWatch& operator=(const HangWatch&) = delete;

  Status Start();
  void Stop();

 private:
  using Place = std::tuple<uint32_t, uint32_t, uint64_t>;  // process, queue, packet

  void Run();
  void LookForHangs();
  bool ReportInterrupt();
  bool IsNew(const store::InFlightRow& row);

  store::Collector* const collector_;
  const uint64_t limit_ns_;
  std::set<Place> reported_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;  // under mutex_
};

}  // namespace rtl::cli
