// SPDX-License-Identifier: MIT
// timeline.h: walks a trace once, in time order, and lays its events out on tracks.
//
//   process 4711 ─┬─ thread 4711          push/pop ranges, marks, API calls, events of kinds that
//                 │                       lie on threads, a "submit" for each kernel and copy whose
//                 │                       call is not known
//                 ├─ thread 4711 (2)      ranges that do not nest within the first
//                 ├─ roctx ranges         start/stop ranges, which belong to no thread
//                 ├─ memory               the events of a span kind (model/event_kinds.h)
//                 └─ GPU 0 ─┬─ stream 1             kernels, copies and barriers of a HIP stream
//                           ├─ stream 1 (2)         work that overlaps that of the first
//                           ├─ queue 1 (hsa 17)     kernels whose stream is not known
//                           ├─ copies host to GPU 0 copies whose stream is not known
//                           ├─ PC samples           if the sink wants samples
//                           └─ busy, kernels in flight, if the sink wants counters
//
// Slices on one track either follow each other or nest, even if the trace is damaged. Kernels and
// copies are read in the order of submission, because only then is the range around a submission
// known. Each of them waits until no later one can start earlier on the same track, so the waiting
// ones are those in flight.
//
// A process is identified by its row in the trace, because a pid may be used again, for example
// after exec.
//
// Threads    one
// Memory     tracks, open ranges, calls whose work is not finished, kernels, copies and barriers in
//            flight (at most kMaxInFlight per track), and one byte per API call, or, if rows are
//            selected, an entry per call of selected work
// Errors     the first failure of the trace or the sink ends the walk
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"
#include "symbols/code_place.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

enum class TrackKind : uint8_t {
  kProcess,
  kThread,
  kRanges,
  kEvents,
  kGpu,
  kStream,
  kQueue,
  kCopies,
  kCounter
};

// Numbered from 1 in the order of OnTrack.
using TrackId = uint64_t;

struct Track {
  TrackId id = 0;
  // for a process: 0; for GPU work: the GPU's track; for all others: the process's track
  TrackId parent = 0;
  TrackKind kind = TrackKind::kProcess;
  int64_t process = 0;  // query::Process::id
  uint32_t pid = 0;
  // the pid, or a number larger than all pids if an earlier process had the same pid
  uint64_t unique_pid = 0;
  uint32_t tid = 0;     // for a thread
  int32_t gpu = -1;     // ordinal, for tracks of a GPU
  uint32_t lane = 0;    // 0: the first track; further ones take slices that do not nest
  int32_t order = 0;    // position among the tracks of its parent
  uint64_t stream = 0;  // for GPU work: a number from 1 on that is unique in this trace
  std::string name;     // UTF-8; the name among the tracks of its parent
  std::string title;    // UTF-8; the name among the tracks of the process
  std::string detail;   // for a process: its command; for a counter: its unit
};

// The number of an agent: the host is 0, and GPUs follow by their ordinals.
inline uint64_t AgentOf(int32_t gpu) { return gpu < 0 ? 0 : static_cast<uint64_t>(gpu) + 1; }
// "CPU" or "GPU", as in rocprofv3's output.
inline const char* AgentTypeOf(int32_t gpu) { return gpu < 0 ? "CPU" : "GPU"; }

// What a kernel, a copy or a barrier comes from.
struct Origin {
  // The same for all work of one call; 0: neither the call nor the submission is known.
  uint64_t link = 0;
  uint64_t id = 0;          // the correlation id if it differs from `link`; 0: it does not differ
  bool has_submit = false;  // OnSubmit with the same link was called before
  // The work belongs to the API call with the same link, and this call has no submissions.
  bool has_call = false;
  int64_t range = 0;        // string id of the range around the submission; 0: none
  int64_t kernel_name = 0;  // string id of the kernel's name according to range_names.h; 0: none
  int64_t stream = -1;      // HIP's number of the stream; -1: not known
  TrackId call_track = 0;   // track of the call, or of the submission
  // The following are about the call.
  uint64_t call_start = 0;
  uint64_t call_bytes = 0;  // 0: the call makes no copy or fill, or several
  int32_t copy_kind = -1;   // query::ApiRow::copy_kind
  bool first = false;       // this is the first work of the call

  uint64_t shown_id() const { return id != 0 ? id : link; }
};

// kFill and kCopy: helper kernels of HIP
enum class KernelRole : uint8_t { kKernel, kFill, kCopy };

struct KernelSlice {
  query::KernelRow row;
  Origin origin;
  const query::KernelInfo* info = nullptr;  // null when the trace does not know the kernel
  uint32_t queue_number = 0;                // 1-based within its process; 0: not known
  KernelRole role = KernelRole::kKernel;

  uint64_t wait() const { return row.start - row.submit; }
};

struct CopySlice {
  query::CopyRow row;
  Origin origin;
};

struct BarrierSlice {
  query::BarrierRow row;
  Origin origin;
};

// The submission of a kernel or copy whose call is not known, or whose call the sink splits into
// one submission for each kernel.
struct Submission {
  uint64_t time = 0;
  uint64_t link = 0;
  KernelRole role = KernelRole::kKernel;
  int64_t range = 0;  // string id of the range around the submission; 0: none
  uint64_t call = 0;  // link of the call around the submission; 0: not known
};

// One PC sample: the position of a wave at one moment.
struct SampleEvent {
  const query::SampleRow& row;
  const symbols::CodePlace* place = nullptr;  // null: not known
  int64_t kernel = 0;                         // string id of the kernel's name; 0: not known
};

struct CallSlice {
  const query::ApiRow& row;
  uint64_t link = 0;
  bool has_work = false;  // the call has submitted kernels, copies or barriers
};

// The functions are called with non-decreasing times for each track, and ends come before
// beginnings.
class TimelineSink {
 public:
  virtual ~TimelineSink() = default;
  virtual Status OnTrack(const Track& track) = 0;  // called before the track's first event
  virtual Status OnRangeBegin(TrackId track, const query::MarkerRow& row) = 0;
  virtual Status OnCallBegin(TrackId track, const CallSlice& call) = 0;
  // The innermost range, call or nested event of the track ends.
  virtual Status OnSliceEnd(TrackId track, uint64_t time) = 0;
  // True if each kernel of a call with this name gets a submission of its own within the call.
  // Called once for each name.
  virtual bool SplitsCall(std::string_view /*name*/) const { return false; }
  virtual Status OnMark(TrackId track, const query::MarkerRow& row) = 0;
  virtual Status OnSubmit(TrackId track, const Submission& submission) = 0;
  virtual Status OnKernel(TrackId track, const KernelSlice& kernel) = 0;
  virtual Status OnBarrier(TrackId track, const BarrierSlice& barrier) = 0;
  virtual Status OnCopy(TrackId track, const CopySlice& copy) = 0;
  // `nested`: OnSliceEnd is called at the end of the event. Otherwise the event is complete.
  virtual Status OnEvent(TrackId track, const query::EventRow& row, bool nested) = 0;
  // Counters come at the end of the walk. From `time` on the value is `value`.
  virtual bool WantsCounters() const { return false; }
  virtual Status OnCounter(TrackId, uint64_t /*time*/, double /*value*/) { return Status::Ok(); }
  // PC samples come at the end of the walk, in the order of their times.
  virtual bool WantsSamples() const { return false; }
  virtual Status OnSample(TrackId, const SampleEvent&) { return Status::Ok(); }
};

// Called with the number of events handled so far.
using Progress = std::function<void(uint64_t events)>;

// The largest number of packets in flight: no queue has room for more.
inline constexpr size_t kMaxInFlight = 1u << 17;

Status WalkTimeline(query::TraceReader& trace, const Progress& progress, TimelineSink* sink);

}  // namespace rtl::exporting
