// SPDX-License-Identifier: MIT
// idle_time.h: how busy each GPU was, and the causes of its idle time.
//
//   ... kernel ends │ a ── gap ──────────── b │ next kernel or copy starts
//                   └ host ──▶ submitted ── launch latency ──┘
//
// A gap is split in two. Until the next work is submitted, each part counts for the activity of the
// submitting thread: the innermost HIP call, or, outside of calls, host code in the innermost roctx
// range. After the submission, the time counts for a closed barrier, for earlier work, or for the
// latency of the launch. So no cause gets more time than it lasted, and the sum of the causes is
// the idle time. Only modes that record HIP calls can tell calls from host code; without them all
// of the host's time is host code. The view gpu_gap of the database (trace/schema/gap_view.cpp)
// finds the same parts.
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
  kHostCode,      // the thread that submits the next work was in no HIP call
  kSynchronized,  // that thread waited for the GPU although the GPU had no work
  kBlockingCopy,  // that thread was in a copy or fill that returns when it is complete
  kLaunching,     // that thread was submitting kernels or copies
  kCall,          // that thread was in another HIP call
  // The next work was submitted before the GPU ran out of work:
  kBarrier,     // a barrier packet of the queue was closed (only if barriers are recorded)
  kCopied,      // the work that ended last was a copy
  kOtherQueue,  // the work that ended last was a kernel of another queue
  kOrdered,     // the work that ended last came before the next work in the same queue
  kLatency,     // the time from the submission to the start, without earlier work to wait for
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
  uint64_t gaps = 0;        // number of gaps with this cause
  uint64_t total = 0;       // ns
  uint64_t longest = 0;     // ns, of the longest part
  uint64_t longest_at = 0;  // start of that part
};
// The meaning of the cause and what to do about it.
std::string IdleCauseAdvice(const IdleTime& idle, const query::RequestedEvents& requested);

// Kernels of one name that a GPU waited for: when the GPU ran out of work, their launch was under
// way.
struct LaunchBound {
  std::string kernel;
  uint64_t kernels = 0;
  uint64_t run = 0;   // ns, duration of all these kernels
  uint64_t gaps = 0;  // gaps before these kernels, during the launching call
  uint64_t idle = 0;  // ns, idle time in these gaps
};

// The time of one GPU in nanoseconds. kernels + copies + both + idle = last - first.
struct GpuTime {
  int32_t gpu = 0;
  IdleTime start;  // from the start of the process to `first`; `gaps` is zero if that is not known
  uint64_t first = 0;    // start of its first kernel or copy
  uint64_t last = 0;     // end of its last kernel or copy
  uint64_t kernels = 0;  // time in which kernels ran, and no copies
  uint64_t copies = 0;   // time in which copies ran, and no kernels
  uint64_t both = 0;
  uint64_t idle = 0;
  uint64_t gaps = 0;
  std::vector<IdleTime> causes;  // most time first
  // Kernels that waited longer for their launches than they ran; the most idle time comes first.
  std::vector<LaunchBound> launch_bound;
  SerialCopies serial;

  uint64_t elapsed() const { return last - first; }
  uint64_t busy() const { return kernels + copies + both; }
};

struct IdleAnalysis {
  bool has_calls = false;  // HIP calls were recorded, although there may be none
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
