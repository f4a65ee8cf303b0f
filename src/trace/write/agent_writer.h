// SPDX-License-Identifier: MIT
// agent_writer.h: writes the tables of agents (GPUs and CPUs) and their properties. Gives every GPU
// its number in the trace.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "model/records.h"
#include "trace/schema/database.h"
#include "trace/write/continuation.h"
#include "trace/write/gpu_numbers.h"
#include "trace/write/traced_process.h"

namespace rtl::store {

class AgentWriter {
 public:
  // `earlier`: the state of a trace that is continued.
  Status Prepare(const Database& database, const Continuation& earlier);

  Status Add(TracedProcess* process, const AgentRecord& record);
  // `text`: one line for each property, with name and value.
  Status AddProperties(const TracedProcess& process, const AgentPropertiesRecord& record,
                       std::string_view text);

 private:
  uint32_t NumberOfGpu(const TracedProcess& process, const AgentRecord& record);

  GpuNumbers numbers_;
  Statement agent_, property_;
  int64_t next_ = 0;
};

}  // namespace rtl::store
