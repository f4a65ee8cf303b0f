// SPDX-License-Identifier: MIT
// hot.h: finds the hot spots in kernels from samples of program counters: by kernel, source line
// and instruction.
//
// Threads    one
// Memory     a row for each sampled instruction, and the code objects with samples
// Errors     those of the reader; a fact about an instruction that is not known is empty, and
//            `problems` has the reason
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "symbols/code_place.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

// A number of samples, and the sum of their active lanes.
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
  int64_t code_object = 0;  // CodeObjectRow::id; 0: not known, and `address` is a device address
  uint64_t address = 0;     // offset in the code object's file
  std::string text;         // disassembled instruction; empty: not known
  std::vector<symbols::SourceFrame> frames;
};

// A source line, with its instructions in the order of addresses. `file` empty: the instructions
// without a line.
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
  bool has_lines = false;      // whether the code object has line information
};

struct HotReport {
  HotCount count;
  uint64_t without_kernel = 0;     // samples whose dispatch is not in the trace
  std::vector<HotKernel> kernels;  // most samples first
  std::vector<std::string> problems;
};

// `pattern`: a regular expression that selects kernels by name. Empty: all kernels.
Status FindHot(query::TraceReader& trace, const std::string& pattern, HotReport* out);

}  // namespace rtl::analysis
