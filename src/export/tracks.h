// SPDX-License-Identifier: MIT
// tracks.h: makes the tracks of a timeline, with their names and their order.
//
// Threads    one
// Memory     processes, queues, streams and tracks
// Errors     those of the trace and of the sink
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/status.h"
#include "export/timeline.h"
#include "trace/read/gpu_names.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

// The difference between the unique pids of processes with the same pid. It is larger than any pid.
inline constexpr uint64_t kReusedPidStep = 10'000'000;

class Tracks {
 public:
  Tracks(query::TraceReader& trace, TimelineSink* sink) : trace_(trace), sink_(sink) {}

  Status Load();
  // Makes tracks for the processes without events.
  Status Finish();

  // Makes the track of this lane, and those of the lanes before it, unless they exist.
  Status Lane(std::vector<TrackId>* tracks, Track like, size_t lane);

  Track ThreadLike(int64_t process, uint32_t pid, uint32_t tid) const;
  static Track RangesLike(int64_t process, uint32_t pid);
  static Track EventsLike(int64_t process, uint32_t pid, EventKind kind, const char* name);
  Track StreamLike(int64_t process, uint32_t pid, int32_t gpu, int64_t stream) const;
  Track QueueLike(int64_t process, uint32_t pid, int32_t gpu, int64_t queue) const;
  Track CounterLike(int64_t process, uint32_t pid, int32_t gpu, int32_t number, const char* name,
                    const char* unit) const;
  Track SamplesLike(int64_t process, uint32_t pid, int32_t gpu) const;
  Track CopiesLike(const query::CopyRow& row);

  const query::Queue* FindQueue(int64_t id) const;

 private:
  // Numbers of streams and queues that are unique over all processes.
  struct Numbers {
    uint64_t streams = 0;  // number of the null stream
    uint64_t queues = 0;   // number of queue 0, which does not exist
  };
  struct Known {
    query::Process row;
    uint64_t unique_pid = 0;
    Numbers numbers;
    TrackId track = 0;  // 0: the sink does not know the track yet
  };

  Status LoadStreams();
  Status ProcessTrack(int64_t process, uint32_t pid, Known** out);
  Status GpuTrack(const Known& process, int32_t gpu, TrackId* id);
  std::string NameOf(int64_t process, const char* kind, uint64_t target) const;
  std::string GpuName(int32_t gpu) const;
  std::string DeviceName(int64_t process, int32_t gpu) const;

  query::TraceReader& trace_;
  TimelineSink* const sink_;
  TrackId last_track_ = 0;
  uint64_t last_stream_ = 0;
  std::vector<int64_t> order_;  // processes in the order of their tracks
  std::map<int64_t, Known> processes_;
  std::map<uint32_t, uint64_t> pids_;  // how often each pid is used
  std::map<std::pair<int64_t, int32_t>, TrackId> gpu_tracks_;
  std::map<std::tuple<int64_t, int32_t, int32_t>, uint64_t> copy_streams_;
  std::unordered_map<int64_t, query::Queue> queues_;
  std::map<std::pair<int64_t, int64_t>, std::string> stream_names_;
  std::map<int32_t, query::GpuName> gpus_;
  std::map<std::pair<int64_t, int32_t>, uint32_t> own_gpus_;  // indexed by process and number
  std::map<std::tuple<int64_t, std::string, uint64_t>, std::string>
      names_;  // indexed by process, kind and target
};

}  // namespace rtl::exporting
