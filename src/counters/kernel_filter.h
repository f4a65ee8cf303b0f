// SPDX-License-Identifier: MIT
// kernel_filter.h: selects the kernels to count, by their names and by the number of the launch.
//
//   RTL_COUNTER_KERNELS = lines "include REGEX", "exclude REGEX", "launches 1-2,5"
//
// Names are demangled if the process has the C++ library. A kernel without a symbol is "(unknown
// kernel)", as in the trace. Expressions are POSIX extended, and match anywhere in the name.
// Launches are counted from 1 for each name, without those of excluded kernels.
//
// Threads    Parse: before the first kernel. Note, Wants: any; both hold a lock for a short time
// Memory     a name for each kernel, as long as the filter exists
// Errors     Parse: names the line. If there is no memory for a name, kernels of that name are
//            counted
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

  // Tells the filter a kernel's number. `symbol`: the mangled name.
  void Note(uint32_t kernel, std::string_view symbol);
  // Counts the launch, and returns whether its counters are to be read.
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
  // By number of the kernel: the index of its name, from 1.
  uint32_t* kernels_ RTL_GUARDED_BY(mutex_) = nullptr;
  uint32_t kernel_room_ RTL_GUARDED_BY(mutex_) = 0;
};

}  // namespace rtl::counters
