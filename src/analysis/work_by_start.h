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

class WorkByStart {
 public:
  Status Open(query::TraceReader& trace) {
    RTL_TRY(trace.SpansByStart(&kernels_));
    RTL_TRY(trace.CopiesByStart(&copies_));
    RTL_TRY(kernels_.Next(&kernel_, &has_kernel_));
    return copies_.Next(&copy_, &has_copy_);
  }
  Status Next(Work* work, bool* has_work) {
    *has_work = has_kernel_ || has_copy_;
    if (has_kernel_ && (!has_copy_ || kernel_.start <= copy_.start)) {
      *work = {kernel_.gpu,  kernel_.process, kernel_.tid,   kernel_.queue,
               kernel_.name, kernel_.submit,  kernel_.start, kernel_.end};
      return kernels_.Next(&kernel_, &has_kernel_);
    }
    if (!has_copy_) return Status::Ok();
    *work = {copy_.dst_gpu >= 0 ? copy_.dst_gpu : copy_.src_gpu,
             copy_.process,
             copy_.tid,
             0,
             copy_.name,
             copy_.submit,
             copy_.start,
             copy_.end};
    return copies_.Next(&copy_, &has_copy_);
  }

 private:
  query::KernelSpanCursor kernels_;
  query::CopyCursor copies_;
  query::KernelSpan kernel_;
  query::CopyRow copy_;
  bool has_kernel_ = false;
  bool has_copy_ = false;
};

}  // namespace rtl::analysis
