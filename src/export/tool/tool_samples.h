// SPDX-License-Identifier: MIT
// tool_samples.h: reads the PC samples of one process with their instructions, which are numbered
// in the order in which they first appear.
//
// Threads    one, the reader's
// Memory     the code objects with samples, each instruction once, and an id for each kernel that
//            no recorded call submitted
// Errors     those of the reader; an error of a callback ends the reading
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
  // id of the code object of kernel symbols; 0: `row.offset` is an address
  uint64_t code_object = 0;
  int64_t instruction = -1;  // index into ToolSamples::instructions; -1: not known
};

struct ToolInstruction {
  std::string text;     // for example "s_waitcnt lgkmcnt(0)"
  std::string comment;  // "file:line", then the calls that inlined it, each after an arrow
};

class ToolSamples {
 public:
  explicit ToolSamples(ToolTrace* trace);

  // Samples come in the order of their times. None come if ToolOptions::samples is false.
  Status ForEach(const std::function<Status(const ToolSample&)>& take);
  const std::vector<ToolInstruction>& instructions() const { return instructions_; }

 private:
  Status Open();
  Status Locate(ToolSample* sample);

  ToolTrace& trace_;
  bool open_ = false;
  symbols::CodePlaces places_;
  std::unordered_map<int64_t, query::CodeObjectRow> code_objects_;
  std::unordered_map<uint64_t, uint64_t> own_ids_;           // see ToolTrace::OwnIdsOfKernels
  std::map<std::pair<int64_t, uint64_t>, int64_t> numbers_;  // indexed by content and address
  std::vector<ToolInstruction> instructions_;
};

}  // namespace rtl::exporting::tool
