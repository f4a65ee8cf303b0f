// SPDX-License-Identifier: MIT
// timeline.h: walks a trace once, in time order, and lays its events out on tracks.
//
//   process 4711 ─┬─ thread 4711          push/pop ranges, marks, API calls, events of kinds that
//                 │                       lie on threads, a "submit" per kernel whose call is not known
//                 ├─ thread 4711 (2)      ranges that do not nest within the first
//                 ├─ roctx ranges         start/stop ranges, which belong to no thread
//                 ├─ GPU 0 queue 1        kernels, and barriers where they were asked for
//                 ├─ GPU 0 queue 1 (2)    kernels that ran beside those of the first
//                 ├─ copies host to GPU 0 asynchronous copies
//                 └─ memory               the events of a span kind (model/event_kinds.h)
//
// Slices on one track either follow each other or nest, whatever the trace says. Kernels are read
// in the order of submission, because the range that encloses a submission is known only then,
// and wait until no earlier start can follow on their queue: what waits is what was in flight.
//
// Threads    one
// Memory     tracks, open ranges, kernels and barriers in flight (at most kMaxInFlight per queue)
// Errors     the first failure of the trace or the sink ends the walk
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"
#include "query/trace_reader.h"

namespace rtl::exporting {

enum class TrackKind : uint8_t { kProcess, kThread, kRanges, kQueue, kCopies, kEvents };

// Numbered from 1 in the order in which the sink hears of them.
using TrackId = uint64_t;

struct Track {
  TrackId id = 0;
  TrackId parent = 0;  // the process's; 0 for a process
  TrackKind kind = TrackKind::kProcess;
  uint32_t pid = 0;
  uint32_t tid = 0;    // of a thread
  uint32_t lane = 0;   // 0: the first; others exist because something did not fit there
  std::string name;    // UTF-8
  std::string detail;  // of a process: its command
};

struct KernelSlice {
  query::KernelRow row;
  const query::KernelInfo* info = nullptr;  // null when the trace does not know the kernel
  uint32_t queue_number = 0;                // 1-based within its process; 0 when unknown
  int64_t range = 0;                        // string id of the range around the submission, or 0
  bool has_submit = false;                  // a Submit call with the same row preceded
  bool has_call = false;                    // belongs to the API call of the same correlation id

  uint64_t wait() const { return row.start - row.submit; }
};

// Calls come with non-decreasing times per track, ends before begins.
class TimelineSink {
 public:
  virtual ~TimelineSink() = default;
  virtual Status OnTrack(const Track& track) = 0;  // before the track's first event
  virtual Status OnRangeBegin(TrackId track, const query::MarkerRow& row) = 0;
  virtual Status OnRangeEnd(TrackId track, uint64_t time) = 0;
  virtual Status OnCallBegin(TrackId track, const query::ApiRow& row) = 0;
  virtual Status OnCallEnd(TrackId track, uint64_t time) = 0;
  virtual Status OnMark(TrackId track, const query::MarkerRow& row) = 0;
  virtual Status OnSubmit(TrackId track, const KernelSlice& kernel) = 0;
  virtual Status OnKernel(TrackId track, const KernelSlice& kernel) = 0;
  virtual Status OnBarrier(TrackId track, const query::BarrierRow& row) = 0;
  virtual Status OnCopy(TrackId track, const query::CopyRow& row) = 0;
  // `nested`: OnCallEnd follows where it ends. Else the event is complete.
  virtual Status OnEvent(TrackId track, const query::EventRow& row, bool nested) = 0;
};

// Events handled so far.
using Progress = std::function<void(uint64_t events)>;

// No queue has room for more packets.
inline constexpr size_t kMaxInFlight = 1u << 17;

Status WalkTimeline(query::TraceReader& trace, const Progress& progress, TimelineSink* sink);

}  // namespace rtl::exporting
