// SPDX-License-Identifier: MIT
// host_lines.h: finds the lines of Python that the submitting thread executed while a GPU waited
// for host code, from sampled stacks (rtl trace --python).
//
// The line is that of the innermost frame in the program's own files. If that thread waits for
// another process or thread, as in Python's multiprocessing, the line of the other thread is named
// too.
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
  std::string file;      // path of the source file
  uint32_t line = 0;
  uint64_t total = 0;  // ns of the GPU's idle time
  std::string inside;  // the innermost frame, if it is a library's: "raw_decode, decoder.py:353"
  // Whether the thread spent most of the time in a library that waits for other threads.
  bool waits = false;
  uint32_t other_pid = 0;  // process of the thread that worked meanwhile; zero: not known
  uint32_t other_tid = 0;
  bool is_same_process = false;
  std::string other;  // line of that thread: "decode, loader.py:20"
  uint64_t other_total = 0;

  std::string Text() const;   // "load_batch, data.py:88"
  std::string Other() const;  // "process 17: decode, loader.py:20"
};

struct HostLines {
  uint64_t idle = 0;            // ns of gaps with the cause kHostCode
  uint64_t sampled = 0;         // part of `idle` for which a stack was sampled
  std::vector<HostLine> lines;  // most time first

  // "Lines: load_batch, data.py:88 (61.0 %); step, train.py:12 (20.4 %)." Empty: none is known.
  std::string Sentence() const;
};

// The result by GPU. Empty if no stacks of Python were sampled.
Status FindHostLines(query::TraceReader& trace, std::map<int32_t, HostLines>* out);

}  // namespace rtl::analysis
