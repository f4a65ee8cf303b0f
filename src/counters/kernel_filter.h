// SPDX-License-Identifier: MIT
// kernel_filter.h: which kernels are counted, by their names and by which of their launches it is.
//
//   RTL_COUNTER_KERNELS = lines "include REGEX", "exclude REGEX", "launches 1-2,5"
//
// Names are those that people read, where the process has the C++ library; a kernel without a
// symbol is "(unknown kernel)", as in the trace. Expressions are POSIX extended ones, and match
// anywhere in the name. Launches are counted from 1, for each name, of kernels that are not
// excluded.
//
// Threads    Parse: before the first kernel. Note, Wants: any; a short lock
// Memory     a name for each kernel, until the filter goes
// Errors     Parse: names the line. Without memory for a name its kernels are counted
#pragma once

#include <regex.h>
#include <stdint.h>

#include <string_view>

#include "base/mutex.h"
#include "base/status.h"

namespace rtl::counters {

class KernelFilter {
 public:
  static constexpr uint32_t kMostRanges = 64;

  KernelFilter() = default;
  KernelFilter(const KernelFilter&) = delete;
  KernelFilter& operator=(const KernelFilter&) = delete;
  ~KernelFilter();

  Status Parse(const char* text);
  bool any() const { return any_; }

  // A kernel has got its number; `symbol` is as the linker has it.
  void Note(uint32_t kernel, std::string_view symbol);
  // Counts the launch.
  bool Wants(uint32_t kernel);

 private:
  struct Name {
    char* text;
    bool chosen;
    uint64_t launches;
  };
  struct Range {
    uint64_t first, last;
  };
  Status ParseLine(std::string_view line);
  Status ParseRanges(std::string_view text);
  bool Chosen(const char* name) const;
  uint32_t NameOf(const char* name) RTL_REQUIRES(mutex_);

  bool any_ = false;
  bool has_include_ = false, has_exclude_ = false;
  regex_t include_, exclude_;
  uint32_t range_count_ = 0;
  Range ranges_[kMostRanges];
  Mutex mutex_{Rank::kCounterKernels};
  Name* names_ RTL_GUARDED_BY(mutex_) = nullptr;
  uint32_t name_count_ RTL_GUARDED_BY(mutex_) = 0, name_room_ RTL_GUARDED_BY(mutex_) = 0;
  uint32_t* kernels_ RTL_GUARDED_BY(mutex_) = nullptr;  // by number: 1-based index of the name
  uint32_t kernel_room_ RTL_GUARDED_BY(mutex_) = 0;
};

}  // namespace rtl::counters
