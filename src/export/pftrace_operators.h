// SPDX-License-Identifier: MIT
// pftrace_operators.h: writes the packets of operators and Python functions. They have tracks of
// their own below the threads, because they may end within a call, so they cannot share the track
// of the calls.
//
//   process 4711 ── thread 4711 ─┬─ operators       nested, by their times
//                                └─ operators (2)   those that only overlap one of the first
//
// Threads    one
// Memory     the operators that are open on one thread
// Errors     those of the trace and of the file
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "export/output_file.h"
#include "export/pftrace_stream.h"
#include "export/timeline.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

class OperatorPackets {
 public:
  OperatorPackets(query::TraceReader& trace, PftraceStream* stream, OutputFile* out)
      : trace_(trace), stream_(*stream), out_(*out) {}

  // Called for every track of the timeline.
  void OnTrack(const Track& track);
  // Called after the timeline.
  Status Write();

 private:
  struct Lane {
    TrackId track = 0;
    std::vector<uint64_t> open = {};  // ends of the open operators
  };

  const Track& Process(int64_t process);
  void EnterThread(int64_t process, uint32_t tid);
  Status Take(const query::HostWorkRow& row);
  Lane& LaneFor(uint64_t start, uint64_t end);
  void Close(Lane* lane, uint64_t until);
  void AddTrack(Track* track);

  query::TraceReader& trace_;
  PftraceStream& stream_;
  OutputFile& out_;
  TrackId last_ = 0;
  std::map<int64_t, Track> processes_;
  std::map<std::pair<int64_t, uint32_t>, Track> threads_;
  int64_t process_ = 0;
  uint32_t tid_ = 0;
  Track thread_;
  std::vector<Lane> lanes_;  // lanes of the present thread
};

}  // namespace rtl::exporting
