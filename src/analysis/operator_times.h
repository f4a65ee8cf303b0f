// SPDX-License-Identifier: MIT
// operator_times.h: the time of kernels by the operator of a framework, module or line of Python
// that launched them, or by category.
//
// A kernel belongs to the innermost operator (module, function) that was open when the call that
// launched the kernel began, on the thread of that call.
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
  // Calls of the operator; for a category: its kernels. With a selection, only calls that launched
  // a selected kernel.
  uint64_t calls = 0;
  uint64_t kernels = 0;   // kernels launched by it, or by an operator inside it
  uint64_t own_ns = 0;    // time of the kernels for which it is the innermost operator
  uint64_t total_ns = 0;  // time of all `kernels`
};

struct OperatorTimes {
  std::vector<OperatorTime> rows;  // the greatest total first
  uint64_t kernel_ns = 0;          // time of all kernels
  uint64_t kernels = 0;
  // Kernels whose call is in the trace; other kernels belong to no operator.
  uint64_t linked_kernels = 0;
  bool has_spans = false;  // whether the trace has operators (modules, functions)
};

// Only selected kernels count. `categories` is used for kCategory only.
Status TimeByOperator(query::TraceReader& trace, TimesBy by, const KernelCategories& categories,
                      OperatorTimes* out);

}  // namespace rtl::analysis
