// SPDX-License-Identifier: MIT
// gpu_timeline.h: puts kernels, barriers and copies on the tracks of their streams and queues. Rows
// come in the order of submission. Each waits until no later row can start earlier on the same
// track.
//
// Threads    one
// Memory     tracks, and slices in flight (at most kMaxInFlight per track)
// Errors     those of the sink
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "base/status.h"
#include "export/in_flight.h"
#include "export/lanes.h"
#include "export/timeline.h"
#include "export/tracks.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

// A slice that waits until it can be written to its track of a GPU.
struct GpuSlice {
  enum class What : uint8_t { kKernel, kBarrier, kCopy };
  uint64_t start = 0;
  uint64_t end = 0;
  int64_t id = 0;
  What what = What::kKernel;
  KernelSlice kernel;
  BarrierSlice barrier;
  CopySlice copy;
};

struct GpuSliceStartsBefore {
  bool operator()(const GpuSlice* a, const GpuSlice* b) const {
    return a->start != b->start ? a->start < b->start : a->id < b->id;
  }
};

// Tracks whose slices do not nest.
struct FlatTracks {
  std::vector<TrackId> tracks;
  FlatLanes lanes;
};

// The tracks of one stream, of one queue, or of one direction of copies.
struct GpuTracks {
  Track like;
  FlatTracks flat;
  InFlight<GpuSlice*, GpuSliceStartsBefore> in_flight;
};

class GpuTimeline {
 public:
  GpuTimeline(Tracks* tracks, TimelineSink* sink) : tracks_(tracks), sink_(sink) {}

  GpuTracks* Stream(int64_t process, uint32_t pid, int32_t gpu, int64_t stream);
  GpuTracks* Queue(int64_t process, uint32_t pid, int32_t gpu, int64_t queue);
  GpuTracks* Copies(const query::CopyRow& row);

  // Returns a slice whose row and origin are to be filled in and which is passed to Add.
  GpuSlice* Take() { return slices_.Take(); }
  // `row`: the slice's row.
  template <typename Row>
  Status Add(GpuTracks* tracks, GpuSlice::What what, const Row& row, GpuSlice* slice) {
    slice->start = row.start;
    slice->end = row.end;
    slice->id = row.id;
    slice->what = what;
    tracks->in_flight.Push(slice);
    return tracks->in_flight.size() <= kMaxInFlight ? Status::Ok() : EmitFirst(tracks);
  }

  // Later slices are submitted at `time` or after it, so they also start at `time` or after it.
  // Writes the slices that start before.
  Status StartUntil(GpuTracks* tracks, uint64_t time) {
    while (!tracks->in_flight.empty() && tracks->in_flight.First()->start <= time) {
      RTL_TRY(EmitFirst(tracks));
    }
    return Status::Ok();
  }
  Status StartAll();

 private:
  Status EmitFirst(GpuTracks* tracks);

  Tracks* const tracks_;
  TimelineSink* const sink_;
  // Indexed by process, GPU, and stream (or -1) and queue, or -1 and direction of copies.
  std::map<std::tuple<int64_t, int32_t, int64_t, int64_t>, GpuTracks> gpu_tracks_;
  std::map<std::tuple<int64_t, int32_t, int32_t>, GpuTracks> copy_tracks_;
  Pool<GpuSlice> slices_;
};

}  // namespace rtl::exporting
