// SPDX-License-Identifier: MIT
// gpu_faults.h: notes the faults of GPUs that the runtime reports, before it deals with them.
//
// The runtime calls every handler of system events, and ends the program unless one of them takes
// the fault on. Ours never does: what becomes of the program is decided by its own handlers, or the
// runtime, as without us.
//
// Threads    Watch: the thread that installs hooks. The handler: one of the runtime's
// Blocking   never
// Memory     none; what Watch is given lives as long as the process
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include "model/record_sink.h"

namespace rtl::capture {

class GpuFaults {
 public:
  using AgentNumber = uint32_t (*)(const void* data, hsa_agent_t agent);

  // `root_table`: of the runtime that has just come. False: it takes no handler.
  static bool Watch(void* root_table, RecordSink* sink, AgentNumber agent_number, const void* data);
};

}  // namespace rtl::capture
