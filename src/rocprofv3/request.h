// SPDX-License-Identifier: MIT
// request.h: the tasks of one run, derived from its settings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "export/tool/statistics.h"
#include "export/tool/tool_trace.h"
#include "rocprofv3/ranks.h"
#include "rocprofv3/settings.h"

namespace rtl::v3 {

struct Formats {
  bool csv = false;
  bool json = false;
  bool pftrace = false;
  bool otf2 = false;
  bool rocpd = false;
  bool db = false;  // this project's own trace
};

struct Request {
  exporting::tool::ToolOptions tool;
  std::string counters;                 // in the form for the traced process; empty: none
  uint64_t counter_group_interval = 0;  // 0: the counters are one group
  std::string counter_file;             // more definitions; empty: none
  std::string counter_kernels;  // counted kernels, in the form for the traced process; empty: all
  uint64_t pc_sampling_us = 0;  // 0: program counters are not sampled
  bool traces_something = false;
  Formats formats;
  bool stats = false;
  exporting::tool::SummaryRequest summary;
  std::string summary_file = "stderr";
  std::string folder = "%cwd%";
  std::string file = "%hostname%/%pid%";
  std::string ranks;  // the traced ranks: "0-3,8"; empty: all
  RankVariables rank_variables;
  std::string process;     // a running process; empty: the program is started
  uint64_t attach_ns = 0;  // 0: until an interruption, or the program's end
  bool write_config = false;
  std::optional<uint64_t> least_bytes;  // of records; fewer bytes are not written
  std::vector<std::string> preload;
  bool preload_roctx = false;  // for ranges, and for a cheap end (base/process_barrier.h)
  bool begins_paused = false;
  bool kokkos = false;
  bool on_vgpu = false;
  bool keep_going = false;  // where counters or samples cannot be had
  bool echo = false;
  bool print_config = false;
  bool print_environment = false;

  // Streams need HIP calls, too.
  bool needs_hip() const;
  // The events to record, in the words of rtl trace --events.
  std::string events() const;
};

// `notes`: sentences for the user about options that are left out.
Status MakeRequest(const Settings& settings, Request* out, std::vector<std::string>* notes);

// "1:2:3" in `unit`, as nanoseconds from the start; a repeat of 0 never ends.
Status ParsePeriod(const std::string& text, const std::string& unit,
                   std::vector<exporting::tool::Period>* out);

}  // namespace rtl::v3
