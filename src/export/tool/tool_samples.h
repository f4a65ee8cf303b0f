// SPDX-License-Identifier: MIT
// tool_samples.h: samples of program counters of one process, with their instructions, numbered by
// first appearance.
//
// Threads    one, the reader's
// Memory     the code objects with samples, each instruction once, an id for each kernel that no
//            recorded call submitted
// Errors     the reader's; a callback's error ends the walk
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "export/tool/tool_trace.h"
#include "symbols/code_place.h"

namespace rtl::exporting::tool {

struct ToolSample {
  query::SampleRow row;
  uint64_t code_object = 0;  // id of the kernel symbols' code object; 0: `row.offset` is an address
  int64_t instruction = -1;  // index into ToolSamples::instructions; -1: not known
};

struct ToolInstruction {
  std::string text;     // "s_waitcnt lgkmcnt(0)"
  std::string comment;  // "file:line", then the calls that inlined it, after arrows
};

class ToolSamples {
 public:
  explicit ToolSamples(ToolTrace* trace);

  // In the order of their times. Empty without ToolOptions::samples.
  Status ForEach(const std::function<Status(const ToolSample&)>& take);
  const std::vector<ToolInstruction>& instructions() const { return instructions_; }

 private:
  Status Open();
  Status Locate(ToolSample* sample);

  ToolTrace& trace_;
  bool open_ = false;
  symbols::CodePlaces places_;
  std::unordered_map<int64_t, query::CodeObjectRow> code_objects_;
  std::unordered_map<uint64_t, uint64_t> own_ids_;           // ToolTrace::OwnIdsOfKernels
  std::map<std::pair<int64_t, uint64_t>, int64_t> numbers_;  // by content and address
  std::vector<ToolInstruction> instructions_;
};

}  // namespace rtl::exporting::tool
