// SPDX-License-Identifier: MIT
// perfetto_events.h: reads a trace in Perfetto's protobuf as a stream of whole slices. It resolves
// names, clock and default track for each packet sequence, and joins begins and ends on each track.
//
// Threads    one
// Blocking   file I/O
// Memory     one packet, the names of each sequence, tracks, and slices that are open
// Errors     one line with the file and the place; the file's content is not trusted
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/status.h"
#include "import/chrome_json.h"

namespace rtl::import {

struct PerfettoTrack {
  uint64_t parent = 0;
  bool is_process = false, is_thread = false;
  uint32_t pid = 0, tid = 0;
  std::string name;     // of a process or thread: the name in its own descriptor
  std::string command;  // command line of a process
};

struct PerfettoSlice {
  uint64_t track = 0;
  ChromeEvent event;  // phase "X", or "i" for an instant; `args` are its annotations
  uint64_t flow = 0;  // zero: none
  bool flow_ends = false;
};

class PerfettoReader {
 public:
  virtual ~PerfettoReader() = default;
  virtual Status TakeTrack(uint64_t uuid, const PerfettoTrack& track) = 0;
  virtual Status TakeSlice(const PerfettoSlice& slice) = 0;
  virtual void TakeRealtime(int64_t minus_boottime) = 0;
};

// Describes the content of a file, for the error about a file that is not imported.
struct PerfettoContents {
  bool is_own = false;  // an export of this project
  uint64_t packets = 0, slices = 0, counters = 0, tracks = 0, unfinished = 0;
  std::map<uint32_t, uint64_t> others;         // packets of other kinds, by field
  std::map<std::string, uint64_t> categories;  // number of slices, by category
};

Status ReadPerfetto(const std::string& path, PerfettoReader* reader, PerfettoContents* contents);

// Whether a file with these first bytes is in Perfetto's format.
bool IsPerfetto(std::string_view begin);

}  // namespace rtl::import
