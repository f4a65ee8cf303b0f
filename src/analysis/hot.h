// SPDX-License-Identifier: MIT
// hot.h: the hot spots in kernels, by samples of program counters: per kernel, source line,
// instruction.
//
// Threads    one
// Memory     a row for each sampled instruction, and the code objects with samples
// Errors     the reader's; unknown facts about an instruction are empty, with a reason in
//            `problems`
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "symbols/code_place.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

// A number of samples, and of their active lanes.
struct HotCount {
  uint64_t samples = 0;
  uint64_t lanes = 0;

  void Add(const HotCount& other) {
    samples += other.samples;
    lanes += other.lanes;
  }
  double LanesEach() const {
    return samples == 0 ? 0 : static_cast<double>(lanes) / static_cast<double>(samples);
  }
};

struct HotInstruction {
  HotCount count;
  int64_t code_object = 0;  // CodeObjectRow::id; 0: `address` is on the device
  uint64_t address = 0;     // in the code object's file
  std::string text;         // empty: not known
  std::vector<symbols::SourceFrame> frames;
};

// One line of source, with its instructions by address. No file: those without one.
struct HotLine {
  HotCount count;
  std::string file, function;
  uint32_t line = 0;
  std::vector<HotInstruction> instructions;
};

struct HotKernel {
  HotCount count;
  std::string name;
  uint64_t launches = 0;       // launches with samples
  std::vector<HotLine> lines;  // most samples first
  bool has_lines = false;      // the code object has line information
};

struct HotReport {
  HotCount count;
  uint64_t without_kernel = 0;     // samples whose dispatch is not in the trace
  std::vector<HotKernel> kernels;  // most samples first
  std::vector<std::string> problems;
};

// `pattern`: a regular expression for the names of kernels; empty: all.
Status FindHot(query::TraceReader& trace, const std::string& pattern, HotReport* out);

}  // namespace rtl::analysis
