// SPDX-License-Identifier: MIT
// idle_time.h: how busy each GPU was, and the causes of its idle time.
//
//   ... kernel ends │ a ── gap ──────────── b │ next kernel or copy starts
//                   └ host ──▶ submitted ── launch latency ──┘
//
// A gap is split: until the work after it was submitted, each part counts for what the submitting
// thread was in (the innermost HIP call; none: its own code, in the innermost roctx range); from
// then on it counts for a closed barrier, for the work before, or for the way to the GPU. So a cause
// never gets more time than it held, and all of them together get the idle time. The host's calls
// are in traces of mode hip; without them all its time is its own code. The view gpu_gap of the
// database (trace/schema/gap_view.cpp) finds the same parts.
//
// Threads    as the given reader
// Memory     the kernels in flight and the calls and ranges during a gap; a row per cause
// Errors     those of the reader
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/serial_copies.h"
#include "base/status.h"
#include "trace/read/requested_events.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

enum class IdleCause : uint8_t {
  kHostCode,      // the thread that submits next was in no HIP call
  kSynchronized,  // it waited for the GPU although that had no work
  kBlockingCopy,  // it was in a copy or fill that returns when it is complete
  kLaunching,     // it was submitting kernels or copies
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

struct IdleTime {
  IdleCause cause = IdleCause::kHostCode;
  // The call, the roctx range around host code, the kind of barrier or copy, the queue; empty:
  // none.
  std::string where;
  uint64_t gaps = 0;        // in which it held
  uint64_t total = 0;       // ns
  uint64_t longest = 0;     // part of a gap
  uint64_t longest_at = 0;  // when that part began
};
// What it means and what to do.
std::string IdleCauseAdvice(const IdleTime& idle, const query::RequestedEvents& requested);

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
  bool has_calls = false;  // HIP calls were recorded, of which there may be none
  query::RequestedEvents requested;
  std::vector<GpuTime> gpus;  // by ordinal; only GPUs with work
};

// A part of a gap of a GPU, with one cause; parts of a GPU come in the order of time.
struct IdlePart {
  int32_t gpu = 0;
  uint64_t start = 0;
  uint64_t end = 0;
  IdleCause cause = IdleCause::kHostCode;
  const std::string& where;  // as IdleTime::where
  int64_t process = 0;       // rtl_process.id; of the thread that submitted the next work
  uint32_t tid = 0;
};
using IdleVisitor = std::function<void(const IdlePart& part)>;

Status AnalyzeIdleTime(query::TraceReader& trace, IdleAnalysis* out,
                       const IdleVisitor& visit = nullptr);

}  // namespace rtl::analysis
