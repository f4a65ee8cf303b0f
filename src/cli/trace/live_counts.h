// SPDX-License-Identifier: MIT
// live_counts.h: reads how many events a trace's processes have so far, from the control pages of
// their spool. The events themselves are not read.
//
// Threads    one
// Memory     a mapped page for each running process, a name for each that has ended
// Errors     none: an unreadable page counts as zeros
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "spool/reader.h"

namespace rtl::cli {

struct Counts {
  uint64_t kernels = 0;  // submitted
  uint64_t events = 0;   // all events, including kernels
  uint64_t lost = 0;     // events that were lost, without those left out on purpose
};

class LiveCounts {
 public:
  explicit LiveCounts(std::string spool) : spool_(std::move(spool)) {}
  Counts Read();

 private:
  const std::string spool_;
  std::map<std::string, std::unique_ptr<spool::ProcessReader>> running_;  // by name in the spool
  std::set<std::string> ended_;
  Counts of_ended_;
};

}  // namespace rtl::cli
