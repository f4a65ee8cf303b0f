// SPDX-License-Identifier: MIT
// statistics.h: computes durations by name and domain according to rocprofv3's rules, and writes
// its summary tables.
//
// Threads    one
// Memory     one entry per name
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "export/tool/domains.h"

namespace rtl::exporting::tool {

struct Sample {
  uint64_t count = 0;
  uint64_t sum = 0;
  double squares = 0;
  uint64_t least = 0;
  uint64_t most = 0;

  void Add(uint64_t value);
  void Add(const Sample& other);
  double mean() const;
  double variance() const;  // the variance of a sample: divided by count - 1
  double deviation() const;
};

struct NamedSample {
  std::string_view name;
  Domain domain = Domain::kKernel;
  Sample sample;
};

class Statistics {
 public:
  void Add(Domain domain, std::string_view name, uint64_t duration);
  bool Has(Domain domain) const { return !names(domain).empty(); }
  Sample Total(Domain domain) const;
  // The longest total first, then by name. Names are valid as long as this object.
  std::vector<NamedSample> Sorted(Domain domain) const;
  uint64_t records(Domain domain) const { return Total(domain).count; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Names = std::unordered_map<std::string, Sample, Hash, std::equal_to<>>;
  const Names& names(Domain domain) const { return names_[static_cast<size_t>(domain)]; }

  Names names_[kDomainCount];
};

enum class SummaryUnit : uint8_t { kSec, kMsec, kUsec, kNsec };
const char* NameOf(SummaryUnit unit);  // for example "msec"

struct SummaryRequest {
  bool whole = false;
  bool per_domain = false;
  std::vector<std::string> groups;  // regular expressions for names of domains, already checked
  SummaryUnit unit = SummaryUnit::kNsec;
  bool indented = true;  // for output on a terminal

  bool wanted() const { return whole || per_domain || !groups.empty(); }
};

// True if rocprofv3 accepts the text as a regular expression for names of domains.
bool IsRegularExpression(const std::string& text);

class ToolTrace;
// Counts all events that the options of the trace select.
Status CountAll(ToolTrace& trace, Statistics* out);

std::string SummaryText(const Statistics& statistics, const SummaryRequest& request);

}  // namespace rtl::exporting::tool
