// SPDX-License-Identifier: MIT
// request.h: turns the settings of one run into what is to be done.
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
  bool db = false;  // this project's database
};

struct Request {
  exporting::tool::ToolOptions tool;
  std::string counters;                 // in the form that the traced process reads; empty: none
  uint64_t counter_group_interval = 0;  // time for each group of counters; 0: there is one group
  std::string counter_file;             // file with more definitions; empty: none
  // Filter of kernels in the form that the traced process reads; empty: all.
  std::string counter_kernels;
  uint64_t pc_sampling_us = 0;  // 0: program counters are not sampled
  bool traces_something = false;
  Formats formats;
  bool stats = false;
  exporting::tool::SummaryRequest summary;
  std::string summary_file = "stderr";
  std::string folder = "%cwd%";
  std::string file = "%hostname%/%pid%";
  std::string ranks;  // ranks to trace, "0-3,8"; empty: all
  RankVariables rank_variables;
  std::string process;     // process to attach to; empty: a program is started
  uint64_t attach_ns = 0;  // 0: until an interruption, or the program's end
  bool write_config = false;
  std::optional<uint64_t> least_bytes;  // if the records have fewer bytes, no files are written
  std::vector<std::string> preload;
  // Needed for ranges, and to end the program fast (base/process_barrier.h).
  bool preload_roctx = false;
  bool begins_paused = false;
  bool kokkos = false;
  bool on_vgpu = false;
  bool keep_going = false;  // run the program even if counters or samples are not available
  bool echo = false;
  bool print_config = false;
  bool print_environment = false;

  // Whether HIP calls must be recorded; the names of streams need them, too.
  bool needs_hip() const;
  // The events to record, in the words of rtl trace --events.
  std::string events() const;
};

// `notes`: sentences for the user about options that have no effect.
Status MakeRequest(const Settings& settings, Request* out, std::vector<std::string>* notes);

// The options of a run as JSON, under the keys of AMD's configuration and under the keys of the
// options that were given (config_text.cpp).
std::string ConfigText(const Settings& settings, const Request& request);

// Reads "1:2:3", that is delay, duration and repeat in `unit`. The results are nanoseconds since
// the start. A repeat of 0 never ends.
Status ParsePeriod(const std::string& text, const std::string& unit,
                   std::vector<exporting::tool::Period>* out);

}  // namespace rtl::v3
