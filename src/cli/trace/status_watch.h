// SPDX-License-Identifier: MIT
// status_watch.h: updates the status line of a trace while the program runs.
//
// Threads    one of its own between Start and Stop, if the terminal is suitable
#pragma once

#include <string>

#include "cli/trace/background_thread.h"
#include "cli/trace/live_counts.h"
#include "cli/trace/status_line.h"

namespace rtl::cli {

class StatusWatch {
 public:
  explicit StatusWatch(const std::string& spool);
  void Start();
  void Stop();  // removes the line

 private:
  void Run();

  LiveCounts counts_;
  StatusLine line_;
  BackgroundThread thread_;
};

}  // namespace rtl::cli
