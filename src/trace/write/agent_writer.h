// SPDX-License-Identifier: MIT
// agent_writer.h: the tables of agents (GPUs and CPUs) and their properties. Gives every GPU the
// number by which the trace calls it.
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
  // `earlier`: what a continued trace has.
  Status Prepare(const Database& database, const Continuation& earlier);
  void Finalize();

  Status Add(TracedProcess* process, const AgentRecord& record);
  // `text`: a line for each property, its name and its value.
  Status AddProperties(const TracedProcess& process, const AgentPropertiesRecord& record,
                       std::string_view text);

 private:
  uint32_t NumberOfGpu(const TracedProcess& process, const AgentRecord& record);

  GpuNumbers numbers_;
  Statement agent_, property_;
  int64_t next_ = 0;
};

}  // namespace rtl::store
