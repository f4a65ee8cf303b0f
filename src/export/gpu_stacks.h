// SPDX-License-Identifier: MIT
// gpu_stacks.h: divides the time of kernels by what launched them, for viewers of flame graphs.
// Each kernel is on a stack of the Python functions, modules and operators that were open on the
// calling thread when the launching call began. If the trace has no operators, roctx ranges take
// their place.
//
// A kernel without a call in the trace is on the stack "(no call in the trace)", so that the sum of
// all weights is the time of all kernels.
//
// Threads    one
// Memory     an entry per different stack, and the spans that are open on one thread
// Errors     as exporter.h
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "export/output_file.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

struct GpuStacks {
  enum class Kind : uint8_t { kRoot, kFunction, kModule, kOperator, kKernel };
  struct Frame {
    std::string name;
    // kRoot: a process, or "(no call in the trace)"; if a stack has both, the first frame is the
    // process
    Kind kind = Kind::kRoot;
  };
  struct Work {
    uint64_t time = 0;  // in ns
    uint64_t kernels = 0;
  };

  std::vector<Frame> frames;
  std::map<std::vector<uint32_t>, Work> stacks;  // stacks of frames, the outermost frame first
};

// Reads the stacks of the selected kernels.
Status ReadGpuStacks(query::TraceReader& trace, GpuStacks* out);

// Writes a line per stack, the outermost frame first, then nanoseconds: "train.py(7):
// step;aten::mm;Cijk 30".
Status WriteFolded(query::TraceReader& trace, OutputFile* out);
// Writes one profile in speedscope's JSON, with weights in nanoseconds.
Status WriteSpeedscope(query::TraceReader& trace, OutputFile* out);

}  // namespace rtl::exporting
