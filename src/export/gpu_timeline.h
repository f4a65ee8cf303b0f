// SPDX-License-Identifier: MIT
// gpu_timeline.h: kernels, barriers and copies on the tracks of their streams and queues. Rows come
// in the order of submission; each waits until no earlier start can follow on its track.
//
// Threads    one
// Memory     tracks, and slices in flight (at most kMaxInFlight per track)
// Errors     the sink's
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

// A slice that waits for its turn on a track of a GPU.
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

// Tracks without nesting.
struct FlatTracks {
  std::vector<TrackId> tracks;
  FlatLanes lanes;
};

// The tracks of one stream, queue or direction of copies.
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

  // Takes a slice to fill in and to add.
  GpuSlice* Take() { return slices_.Take(); }
  Status Add(GpuTracks* tracks, GpuSlice* slice) {
    tracks->in_flight.Push(slice);
    return tracks->in_flight.size() <= kMaxInFlight ? Status::Ok() : EmitFirst(tracks);
  }

  // Every later slice is submitted at `time` or later, so it also starts no earlier.
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
  // By process, GPU, and stream (or -1) and queue, or -1 and direction of copies.
  std::map<std::tuple<int64_t, int32_t, int64_t, int64_t>, GpuTracks> gpu_tracks_;
  std::map<std::tuple<int64_t, int32_t, int32_t>, GpuTracks> copy_tracks_;
  Pool<GpuSlice> slices_;
};

}  // namespace rtl::exporting
