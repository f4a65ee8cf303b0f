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
// Slices on one track either follow each other or nest, whatever the trace says. Kernels and copies
// are read in the order of submission, because only then is the range around a submission known.
// They wait until no earlier start can follow on their track, so the waiting ones are those in
// flight.
//
// The row in the trace identifies a process: a pid may be used again, for example by exec.
//
// Threads    one
// Memory     tracks, open ranges, calls whose work is not finished, kernels, copies and barriers in
//            flight (at most kMaxInFlight per track), one byte per API call, or, where rows are
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
  TrackId parent = 0;  // of a process: 0; of GPU work: the GPU's; of others: the process's
  TrackKind kind = TrackKind::kProcess;
  int64_t process = 0;  // query::Process::id
  uint32_t pid = 0;
  uint64_t unique_pid = 0;  // pid, or a number beyond all pids if an earlier process had it
  uint32_t tid = 0;         // of a thread
  int32_t gpu = -1;         // ordinal, for tracks of a GPU
  uint32_t lane = 0;        // 0: the first; another one takes slices that do not fit
  int32_t order = 0;        // among the tracks of its parent
  uint64_t stream = 0;      // for GPU work: a unique number in this trace, from 1
  std::string name;         // UTF-8, among the tracks of its parent
  std::string title;        // UTF-8, among those of the process
  std::string detail;       // of a process: its command; of a counter: its unit
};

// The origin of a kernel, a copy or a barrier.
struct Origin {
  // Shared by all work of one call; 0: neither call nor submission is known.
  uint64_t link = 0;
  uint64_t id = 0;          // its correlation id if that differs from `link`; 0: it does not
  bool has_submit = false;  // a Submit call of the same link preceded
  // It belongs to the API call of the same link, whose work has no submissions
  bool has_call = false;
  int64_t range = 0;        // string id of the range around the submission, or 0
  int64_t kernel_name = 0;  // string id of a kernel's name by range_names.h, or 0
  int64_t stream = -1;      // HIP's number of its stream; -1: not known
  TrackId call_track = 0;   // of the call, or of the submission
  // Of the call.
  uint64_t call_start = 0;
  uint64_t call_bytes = 0;  // 0: no copy or fill, or several
  int32_t copy_kind = -1;   // query::ApiRow::copy_kind
  bool first = false;       // the first work of the call

  uint64_t shown_id() const { return id != 0 ? id : link; }
};

enum class KernelRole : uint8_t { kKernel, kFill, kCopy };  // helper kernels of HIP

struct KernelSlice {
  query::KernelRow row;
  Origin origin;
  const query::KernelInfo* info = nullptr;  // null when the trace does not know the kernel
  uint32_t queue_number = 0;                // 1-based within its process; 0 when unknown
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

// The submission of a kernel or copy for which no call is known, or whose call the sink splits into
// a submission for each kernel.
struct Submission {
  uint64_t time = 0;
  uint64_t link = 0;
  KernelRole role = KernelRole::kKernel;
  int64_t range = 0;  // string id of the range around it, or 0
  uint64_t call = 0;  // the link of the call around it; 0: none is known
};

// The position of a wave at one moment.
struct SampleEvent {
  const query::SampleRow& row;
  const symbols::CodePlace* place = nullptr;  // null: not known
  int64_t kernel = 0;                         // string id of its name; 0: not known
};

struct CallSlice {
  const query::ApiRow& row;
  uint64_t link = 0;
  bool has_work = false;  // it submitted kernels, copies or barriers
};

// Calls come with non-decreasing times per track, ends before begins.
class TimelineSink {
 public:
  virtual ~TimelineSink() = default;
  virtual Status OnTrack(const Track& track) = 0;  // before the track's first event
  virtual Status OnRangeBegin(TrackId track, const query::MarkerRow& row) = 0;
  virtual Status OnRangeEnd(TrackId track, uint64_t time) = 0;
  virtual Status OnCallBegin(TrackId track, const CallSlice& call) = 0;
  virtual Status OnCallEnd(TrackId track, uint64_t time) = 0;
  // Whether each kernel of a call of this name gets its own submission within the call. Called once
  // for each name.
  virtual bool SplitsCall(std::string_view /*name*/) const { return false; }
  virtual Status OnMark(TrackId track, const query::MarkerRow& row) = 0;
  virtual Status OnSubmit(TrackId track, const Submission& submission) = 0;
  virtual Status OnKernel(TrackId track, const KernelSlice& kernel) = 0;
  virtual Status OnBarrier(TrackId track, const BarrierSlice& barrier) = 0;
  virtual Status OnCopy(TrackId track, const CopySlice& copy) = 0;
  // `nested`: OnCallEnd follows at its end. Otherwise the event is complete.
  virtual Status OnEvent(TrackId track, const query::EventRow& row, bool nested) = 0;
  // Counters come at the end: from `time` on the value is `value`.
  virtual bool WantsCounters() const { return false; }
  virtual Status OnCounter(TrackId, uint64_t /*time*/, double /*value*/) { return Status::Ok(); }
  // Samples of program counters come at the end, in the order of their times.
  virtual bool WantsSamples() const { return false; }
  virtual Status OnSample(TrackId, const SampleEvent&) { return Status::Ok(); }
};

// Events handled so far.
using Progress = std::function<void(uint64_t events)>;

// No queue has room for more packets.
inline constexpr size_t kMaxInFlight = 1u << 17;

Status WalkTimeline(query::TraceReader& trace, const Progress& progress, TimelineSink* sink);

}  // namespace rtl::exporting
