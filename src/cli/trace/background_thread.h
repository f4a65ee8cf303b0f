// SPDX-License-Identifier: MIT
// background_thread.h: a thread of rtl that looks at the traced program again and again.
//
// Threads    Start, Stop: one. Pause: the thread that was started
// Blocking   Stop: until the thread has ended
// Signals    blocked on the thread: they must reach the one that passes them on to the program
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/own_thread.h"

namespace rtl::cli {

// Members that `run` uses must be declared before this one.
class BackgroundThread {
 public:
  BackgroundThread() = default;
  BackgroundThread(const BackgroundThread&) = delete;
  BackgroundThread& operator=(const BackgroundThread&) = delete;
  ~BackgroundThread() { Stop(); }

  // Returns zero, or the error number if there can be no thread. `run` returns when Pause is false.
  int Start(std::function<void()> run) {
    const SignalsBlocked blocked;
    try {
      thread_ = std::thread(std::move(run));
    } catch (const std::system_error& error) {
      return error.code().value();
    }
    return 0;
  }

  // Waits. False: Stop was called.
  bool Pause(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return !changed_.wait_for(lock, time, [this] { return stop_; });
  }

  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;  // under mutex_
};

}  // namespace rtl::cli
