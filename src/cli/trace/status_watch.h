// SPDX-License-Identifier: MIT
// status_watch.h: updates the status line of a trace while the program runs.
//
// Threads    one of its own between Start and Stop, if the terminal is suitable
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "cli/trace/live_counts.h"
#include "cli/trace/status_line.h"

namespace rtl::cli {

class StatusWatch {
 public:
  explicit StatusWatch(const std::string& spool);
  ~StatusWatch() { Stop(); }
  StatusWatch(const StatusWatch&) = delete;
  StatusWatch& operator=(const StatusWatch&) = delete;

  void Start();
  void Stop();  // removes the line

 private:
  void Run();

  LiveCounts counts_;
  StatusLine line_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;  // under mutex_
};

}  // namespace rtl::cli
