// SPDX-License-Identifier: MIT
// held_worker.h: holds a capture's worker between two looks for as long as a test needs.
//
// Threads    Set: the test's. Heartbeat: the worker
#pragma once

#include <condition_variable>
#include <mutex>

#include "capture/hooks/hsa_capture.h"

namespace rtl::support {

class HeldWorker {
 public:
  // To be called before the capture is installed, which it outlives.
  void In(capture::CaptureOptions* options) {
    options->heartbeat = Heartbeat;
    options->heartbeat_data = this;
    options->stall_ns = INT64_MAX;  // the watchdog must not report it
  }
  // True: returns when the worker stands still.
  void Set(bool held) {
    std::unique_lock lock(mutex_);
    held_ = held;
    changed_.notify_all();
    changed_.wait(lock, [&] { return stands_ == held_; });
  }

 private:
  static void Heartbeat(void* data) {
    auto& self = *static_cast<HeldWorker*>(data);
    std::unique_lock lock(self.mutex_);
    self.stands_ = self.held_;
    self.changed_.notify_all();
    self.changed_.wait(lock, [&] { return !self.held_; });
    self.stands_ = false;
    self.changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool held_ = false;
  bool stands_ = false;
};

}  // namespace rtl::support
