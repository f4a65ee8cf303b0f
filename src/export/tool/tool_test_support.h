// SPDX-License-Identifier: MIT
// tool_test_support.h: a small trace with every domain, for the formats of rocprofv3.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "export/tool/tool_trace.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/read/query_test_support.h"

namespace rtl::exporting::tool {

inline std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Process 1000: a GPU with two queues, two kernels of one name in a range and one outside it, a
// copy, a mark, two calls. Process 1001: one kernel.
inline void WriteSmallTrace(const std::string& path) {
  using test::TraceBuilder;
  TraceBuilder trace;
  const uint32_t gpu = trace.Gpu("gfx906");
  const uint32_t first = trace.Queue(gpu);
  const uint32_t second = trace.Queue(gpu);
  const uint32_t gemm = trace.Kernel("_Z4gemmIfEvPT_i");
  const uint32_t fill = trace.Kernel("fill");
  trace.Call(TraceBuilder::CallNumber("hipSetDevice"), {0},
             {.start = 100, .end = 150, .correlation = 1});
  trace.Push(101, 900, "step \"one\"");
  trace.Call(TraceBuilder::CallNumber("hipGraphLaunch"), {0x10, 0},
             {.start = 910, .end = 990, .correlation = 2});
  trace.Dispatch(first, gemm, {.start = 1000, .end = 2000, .correlation = 2, .group_segment = 700});
  trace.Pop(101, 2100);
  trace.Dispatch(second, gemm, {.start = 1500, .end = 1700, .thread = 102});
  trace.Dispatch(first, fill, {.start = 2500, .end = 3000, .private_segment = 16});
  trace.Mark(101, 3100, "mark");
  CopyRecord copy;
  copy.head = {RecordType::kCopy, 0, 101};
  copy.copy = 1;
  copy.start = 4000;
  copy.end = 4500;
  copy.submitted = 3900;
  copy.bytes = 4096;
  copy.dst_agent = gpu;
  copy.dst = 0x2000;
  copy.src = 0x1000;
  copy.kind = CopyKind::kHostToDevice;
  trace.Copy(copy);
  trace.NextProcess();
  trace.Dispatch(trace.Queue(trace.Gpu("gfx906")), trace.Kernel("_Z3addv"),
                 {.start = 5000, .end = 5100});
  trace.Lose(EventKind::kKernel, Loss::kShutdown, 2);
  query::ExpectOk(trace.WriteDatabase(path));
}

class OpenTool {
 public:
  OpenTool(const std::string& path, size_t process, const ToolOptions& options) {
    reader_ = query::OpenTrace(path);
    std::vector<query::Process> all;
    query::ExpectOk(reader_->tables().Processes(&all));
    query::ExpectOk(trace_.Open(*reader_, all.at(process), options));
  }
  ToolTrace& operator*() { return trace_; }
  ToolTrace* operator->() { return &trace_; }

 private:
  std::unique_ptr<query::TraceReader> reader_;
  ToolTrace trace_;
};

}  // namespace rtl::exporting::tool
