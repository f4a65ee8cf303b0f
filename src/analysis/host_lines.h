// SPDX-License-Identifier: MIT
// host_lines.h: the lines of Python at which the submitting thread was while a GPU waited for host
// code, from sampled stacks (rtl trace --python).
//
// A line is the innermost one of the program's own files. While it waits for another process or
// thread, in Python's multiprocessing for example, the line of the other one is named as well.
//
// Threads    as the given reader
// Memory     the sampled frames of the trace
// Errors     those of the reader
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/idle_time.h"
#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

struct HostLine {
  std::string function;  // "load_batch"
  std::string file;      // its path
  uint32_t line = 0;
  uint64_t total = 0;      // ns of the GPU's idle time
  std::string inside;      // the innermost frame, of a library: "raw_decode, decoder.py:353"
  bool waits = false;      // most of the time in a library that waits for others
  uint32_t other_pid = 0;  // of the thread that worked meanwhile; zero: none is known
  uint32_t other_tid = 0;
  bool is_same_process = false;
  std::string other;  // its line: "decode, loader.py:20"
  uint64_t other_total = 0;

  std::string Text() const;   // "load_batch, data.py:88"
  std::string Other() const;  // "process 17: decode, loader.py:20"
};

struct HostLines {
  uint64_t idle = 0;            // ns of gaps with the cause kHostCode
  uint64_t sampled = 0;         // of these, with a stack
  std::vector<HostLine> lines;  // most time first

  // "Lines: load_batch, data.py:88 (61.0 %); step, train.py:12 (20.4 %)." Empty: none is known.
  std::string Sentence() const;
};

// By GPU. Empty where the stacks of Python were not sampled.
Status FindHostLines(query::TraceReader& trace, std::map<int32_t, HostLines>* out);

}  // namespace rtl::analysis
