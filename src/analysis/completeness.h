// SPDX-License-Identifier: MIT
// completeness.h: the completeness report of a trace. For each kind,
// submitted == recorded + losses.
//
// Threads    any; reads the metadata that is already in memory
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/read/trace_reader.h"

namespace rtl::analysis {

struct LossLine {
  std::string name;  // "kBatch"
  std::string text;  // the phrase for users; `name` if this version does not know it
  uint64_t events = 0;
  bool left_out = false;  // left out on purpose, by the mode or in a pause; not a real loss
};

struct KindCompleteness {
  std::string kind;  // "kernels"
  uint64_t submitted = 0;
  uint64_t recorded = 0;
  std::vector<LossLine> losses;  // only causes with events, in the order of the trace
  std::string not_counted = "";  // events that could not be counted; empty: none are known
  // The other tool that recorded these events and counts no losses; empty: rtl.
  std::string source = "";

  uint64_t left_out() const;  // left out on purpose
  uint64_t lost() const;      // everything else
  bool counted() const { return source.empty(); }
  bool balanced() const { return !counted() || submitted == recorded + left_out() + lost(); }
  // The recorded share of the submitted events in percent; 100 when nothing was submitted.
  double coverage() const;
};

// One entry per kind of event that this version knows.
std::vector<KindCompleteness> ReadCompleteness(const query::Metadata& metadata);

// The completeness line: "kernels: 1,200 submitted, 1,170 recorded, 20 left out on purpose (kBatch:
// 20), 10 lost (kShutdown: 10)". Events left out on purpose are mentioned if there are any. Calls
// are "seen" instead of "submitted": the tracer counts them itself, and a call that it does not see
// is in no number.
std::string CompletenessLine(const KindCompleteness& each);

}  // namespace rtl::analysis
