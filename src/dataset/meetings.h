// SPDX-License-Identifier: MIT
// meetings.h: finds the collectives that several traces share, for analysis/clock_alignment.h.
//
// Threads    those of the traces' readers
// Blocking   file I/O: a pass over the kernels of each trace
// Memory     kMostParts times 40 bytes; beyond that, collectives are dropped, the same ones in
//            every trace
// Errors     those of the reader
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/clock_alignment.h"
#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::dataset {

inline constexpr size_t kMostParts = 2'000'000;

class Meetings {
 public:
  // Adds a trace whose processes all have one clock. *clock: the clock's number; traces of the same
  // boot have the same clock.
  Status Add(query::TraceReader& trace, std::string_view boot_id, uint32_t* clock);
  // Compares all clocks with that of the first trace.
  std::vector<analysis::AlignedClock> Align() const;

 private:
  struct Part {
    uint64_t key;  // identifies the collective
    uint32_t clock;
    int64_t rank;
    int64_t start, end;
  };
  std::vector<analysis::Meeting> Gather() const;

  std::map<std::string, uint32_t, std::less<>> clock_of_boot_;
  std::vector<Part> parts_;
  uint64_t most_key_ = UINT64_MAX;
};

}  // namespace rtl::dataset
