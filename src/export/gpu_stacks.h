// SPDX-License-Identifier: MIT
// gpu_stacks.h: the time of kernels by what launched them, for viewers of flame graphs: each kernel
// on a stack of the Python functions, modules and operators that were open on the thread of its
// call when that call began. Where the trace knows no operators, roctx ranges are their place.
//
// A kernel without a call in the trace is on the stack "(no call in the trace)", so that all weights
// together are the time of all kernels.
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
    Kind kind = Kind::kRoot;  // a process, or "(no call in the trace)"; with two, the first one
  };
  struct Work {
    uint64_t time = 0;  // ns
    uint64_t kernels = 0;
  };

  std::vector<Frame> frames;
  std::map<std::vector<uint32_t>, Work> stacks;  // of frames, the outermost first
};

// Of the selected kernels.
Status ReadGpuStacks(query::TraceReader& trace, GpuStacks* out);

// A line per stack, the outermost frame first, and nanoseconds: "train.py(7): step;aten::mm;Cijk 30".
Status WriteFolded(query::TraceReader& trace, OutputFile* out);
// One profile in speedscope's JSON, weights in nanoseconds.
Status WriteSpeedscope(query::TraceReader& trace, OutputFile* out);

}  // namespace rtl::exporting
