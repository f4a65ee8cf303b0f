// SPDX-License-Identifier: MIT
// category_times.h: the time of each GPU by category of work, and how much communication and how
// many copies no computation hid.
//
//   elapsed = computation + exposed communication + exposed copies + idle
//
// A kernel of category "communication" is communication. A kernel of category "copy" is a copy, and
// so is the work of a copy engine. Every other kernel is computation. Communication is exposed
// while no computation runs on its GPU. A copy is exposed while neither computation nor
// communication runs there. These are the definitions of TraceLens's gpu_timeline.
//
// Threads    as the given reader
// Memory     an entry per name of a kernel, and per GPU and category
// Errors     those of the reader
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/kernel_category.h"
#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

// The time of one category on one GPU, in nanoseconds.
struct CategoryTime {
  std::string category;
  uint64_t kernels = 0;  // kernels and copies
  uint64_t total = 0;    // sum of their durations: work that overlaps counts twice
  uint64_t busy = 0;     // time while at least one of them ran
  uint64_t alone = 0;    // part of `busy` while no work of another category ran
};

// The time of one GPU by category, in nanoseconds.
struct WorkShares {
  int32_t gpu = 0;
  uint64_t first = 0, last = 0;  // start of the first kernel or copy, end of the last
  uint64_t computation = 0;
  uint64_t communication = 0, exposed_communication = 0;
  uint64_t copies = 0, exposed_copies = 0;
  uint64_t busy = 0;
  std::vector<CategoryTime> categories;  // the greatest total first

  uint64_t elapsed() const { return last - first; }
  uint64_t idle() const { return elapsed() - busy; }
};

// In the order of GPUs; only those with work.
Status TimeByCategory(query::TraceReader& trace, const KernelCategories& categories,
                      std::vector<WorkShares>* out);

}  // namespace rtl::analysis
