// SPDX-License-Identifier: MIT
// operator_times.h: the time of kernels by what launched them: a framework's operators, its modules,
// lines of Python; or by what kind of work they do.
//
// A kernel belongs to the innermost operator (module, function) that was open on the thread of the
// call that launched it when that call began.
//
// Threads    any
// Memory     an entry per name, and the spans that are open on one thread
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/kernel_category.h"
#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

enum class TimesBy : uint8_t { kOperator, kModule, kLine, kCategory };

struct OperatorTime {
  std::string name;
  // Of the operator; of a category: kernels. With a selection, those that launched a selected kernel.
  uint64_t calls = 0;
  uint64_t kernels = 0;   // launched by it, or by what it called
  uint64_t own_ns = 0;    // of kernels for which it is the innermost
  uint64_t total_ns = 0;  // of all these kernels
};

struct OperatorTimes {
  std::vector<OperatorTime> rows;  // the greatest total first
  uint64_t kernel_ns = 0;          // of all kernels
  uint64_t kernels = 0;
  uint64_t linked_kernels = 0;  // with a call in the trace; the others belong to no operator
  bool has_spans = false;       // whether the trace knows operators (modules, functions)
};

// The rows of the selected kernels. `categories`: for kCategory only.
Status TimeByOperator(query::TraceReader& trace, TimesBy by, const KernelCategories& categories,
                      OperatorTimes* out);

}  // namespace rtl::analysis
