// SPDX-License-Identifier: MIT
// work_by_start.h: reads kernels and copies together, in the order in which they started.
//
// Threads    as the given reader
#pragma once

#include <cstdint>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

// A kernel or a copy on a GPU.
struct Work {
  int32_t gpu = 0;  // of a copy: the target GPU; if the target is the host, the source GPU
  int64_t process = 0;
  uint32_t tid = 0;
  int64_t queue = 0;  // zero: a copy
  int64_t name = 0;
  uint64_t submit = 0;  // zero: not known
  uint64_t start = 0;
  uint64_t end = 0;

  bool is_copy() const { return queue == 0; }
};

// Calls `visit` with each kernel and copy. An error that it returns ends the reading.
template <typename Visit>
Status EachWorkByStart(query::TraceReader& trace, const Visit& visit) {
  query::KernelSpanCursor kernels;
  query::CopyCursor copies;
  RTL_TRY(trace.SpansByStart(&kernels));
  RTL_TRY(trace.CopiesByStart(&copies));
  query::KernelSpan kernel;
  query::CopyRow copy;
  bool has_kernel = false, has_copy = false;
  RTL_TRY(kernels.Next(&kernel, &has_kernel));
  RTL_TRY(copies.Next(&copy, &has_copy));
  while (has_kernel || has_copy) {
    if (has_kernel && (!has_copy || kernel.start <= copy.start)) {
      RTL_TRY(visit(Work{kernel.gpu, kernel.process, kernel.tid, kernel.queue, kernel.name,
                         kernel.submit, kernel.start, kernel.end}));
      RTL_TRY(kernels.Next(&kernel, &has_kernel));
    } else {
      RTL_TRY(visit(Work{copy.dst_gpu >= 0 ? copy.dst_gpu : copy.src_gpu, copy.process, copy.tid, 0,
                         copy.name, copy.submit, copy.start, copy.end}));
      RTL_TRY(copies.Next(&copy, &has_copy));
    }
  }
  return Status::Ok();
}

}  // namespace rtl::analysis
