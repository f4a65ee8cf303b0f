// SPDX-License-Identifier: MIT
// ledger.h: what a trace says about its own completeness: seen == recorded + losses, per kind.
//
// Threads    any; reads the metadata that is already in memory
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/trace_reader.h"

namespace rtl::analysis {

struct LossLine {
  std::string name;  // "kBatch"
  std::string text;  // the sentence for users; the name again when this version does not know it
  uint64_t events = 0;
};

struct KindLedger {
  std::string kind;  // "kernels"
  uint64_t seen = 0;
  uint64_t recorded = 0;
  std::vector<LossLine> losses;  // only those that happened, in the order of the trace

  uint64_t lost() const;
  bool balanced() const { return seen == recorded + lost(); }
};

// One entry per kind of event that this version knows.
std::vector<KindLedger> ReadLedger(const query::Metadata& metadata);

// "kernels: 1,200 submitted, 1,180 recorded, 20 lost (kBatch: 20)"
std::string HonestyLine(const KindLedger& ledger);

}  // namespace rtl::analysis
