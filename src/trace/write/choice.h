// SPDX-License-Identifier: MIT
// choice.h: decides which events the user has selected for the trace (rtl trace --kernel, --gpu,
// --rank). Other events are counted as left out, and have no row.
//
// Threads    one; immutable once set
#pragma once

#include <regex.h>

#include <cstdint>
#include <optional>
#include <string>

namespace rtl::store {

// Translates `text` to POSIX syntax: \d, \D and (?:...) are replaced. False if POSIX has no
// equivalent.
bool ToPosix(const std::string& text, std::string* out);

// An extended regular expression of POSIX, found anywhere in a name. std::regex is not used,
// because it calls itself for each character of a name, and names may have 16,384.
class NamePattern {
 public:
  NamePattern() = default;
  ~NamePattern();
  NamePattern(const NamePattern&) = delete;
  NamePattern& operator=(const NamePattern&) = delete;

  // Returns the error in the pattern; empty if it is valid.
  std::string Compile(const std::string& text, bool ignore_case = false);
  bool IsIn(const std::string& text) const;

 private:
  regex_t expression_ = {};
  bool is_compiled_ = false;
};

struct Choice {
  std::string kernel = {};           // a NamePattern; empty: all kernels
  std::optional<int64_t> gpu = {};   // ordinal: selects kernels, copies and barriers of this GPU
  std::optional<int32_t> rank = {};  // rank in the job: selects every event of its processes
};

class Chooser {
 public:
  // An invalid pattern matches every name; the command line has rejected such a pattern already.
  void Set(const Choice& choice);

  bool TakesKernel(const std::string& name) const {
    return choice_.kernel.empty() || pattern_.IsIn(name);
  }
  bool TakesGpu(int64_t gpu) const { return !choice_.gpu || gpu == *choice_.gpu; }
  bool TakesRank(int32_t rank) const { return !choice_.rank || rank == *choice_.rank; }

 private:
  Choice choice_;
  NamePattern pattern_;
};

}  // namespace rtl::store
