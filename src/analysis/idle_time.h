// SPDX-License-Identifier: MIT
// idle_time.h: how busy each GPU was, and the causes of its idle time.
//
//   ... kernel ends │ a ── gap ──────────── b │ next kernel or copy starts
//                   └ host ──▶ submitted ── launch latency ──┘
//
// A gap counts for one cause: the one of its largest part. The host's activity is known when its
// HIP calls are in the trace (mode hip); without them the gap counts as the host's code. The view
// gpu_gap of the database (trace/schema/gap_view.cpp) finds the same gaps with the same causes.
//
// Threads    as the given reader
// Memory     the kernels in flight and the calls and ranges open during a gap; a row per cause
// Errors     those of the reader
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/serial_copies.h"
#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

enum class IdleCause : uint8_t {
  kHostCode,      // the thread that submits next was in no HIP call
  kSynchronized,  // it waited for the GPU, and then the GPU waited for it
  kBlockingCopy,  // it was in a copy or fill that returns when it is complete
  kLaunching,     // it was submitting kernels or copies, which takes longer than their execution
  kCall,          // it was in another HIP call
  // For these the next work had been submitted before the GPU ran out of work, and
  kBarrier,     // a barrier packet of its queue was closed (where barriers are recorded)
  kCopied,      // the work that ended last was a copy
  kOtherQueue,  // the work that ended last was a kernel of another queue
  kOrdered,     // the work that ended last came before it in its queue
  kLatency,     // from the submission to the start, with no work before it
  kStart,  // before the first work, since the beginning of the process. Not part of GpuTime::idle
};
inline constexpr size_t kIdleCauseCount = 11;
// "host code", "synchronization", …
const char* IdleCauseName(IdleCause cause);
// Advice in one sentence.
const char* IdleCauseAdvice(IdleCause cause);

struct IdleTime {
  IdleCause cause = IdleCause::kHostCode;
  // The call, the roctx range around host code, the kind of barrier or copy, the queue; empty:
  // none.
  std::string where;
  uint64_t gaps = 0;
  uint64_t total = 0;  // ns
  uint64_t longest = 0;
  uint64_t longest_at = 0;  // when that gap began
};

// Kernels of one name that a GPU without work waited for: their launch was under way when it ran
// out.
struct LaunchBound {
  std::string kernel;
  uint64_t kernels = 0;
  uint64_t run = 0;   // ns, of all of them
  uint64_t gaps = 0;  // gaps before them during the launching call
  uint64_t idle = 0;  // ns, of these gaps
};

// Nanoseconds. kernels + copies + both + idle = last - first.
struct GpuTime {
  int32_t gpu = 0;
  IdleTime start;        // before `first`, since its process began; no gap: not known
  uint64_t first = 0;    // start of its first kernel or copy
  uint64_t last = 0;     // end of its last
  uint64_t kernels = 0;  // kernels alone
  uint64_t copies = 0;   // copies alone
  uint64_t both = 0;
  uint64_t idle = 0;
  uint64_t gaps = 0;
  std::vector<IdleTime> causes;  // most time first
  // Those whose idle time exceeds their run; most of it first
  std::vector<LaunchBound> launch_bound;
  SerialCopies serial;

  uint64_t elapsed() const { return last - first; }
  uint64_t busy() const { return kernels + copies + both; }
};

struct IdleAnalysis {
  bool has_calls = false;     // HIP calls were recorded, of which there may be none
  std::vector<GpuTime> gpus;  // by ordinal; only GPUs with work
};

// One gap of a GPU; gaps come in the order of time.
struct IdleGap {
  int32_t gpu = 0;
  uint64_t start = 0;
  uint64_t end = 0;
  IdleCause cause = IdleCause::kHostCode;
  const std::string& where;  // as IdleTime::where
};
using GapVisitor = std::function<void(const IdleGap& gap)>;

Status AnalyzeIdleTime(query::TraceReader& trace, IdleAnalysis* out,
                       const GapVisitor& visit = nullptr);

}  // namespace rtl::analysis
