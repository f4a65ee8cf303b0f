// SPDX-License-Identifier: MIT
// gpu_faults.h: records GPU faults that the runtime reports, before the runtime handles them.
//
// The runtime calls every handler of system events, and ends the program unless one of them handles
// the fault. The tracer's handler never does: the program's own handlers or the runtime decide what
// happens to the program, as without the tracer.
//
// Threads    Watch: the thread that installs hooks. The handler: one of the runtime's
// Blocking   never
// Memory     none; the arguments of Watch live as long as the process
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include "model/record_sink.h"

namespace rtl::capture {

class GpuFaults {
 public:
  using AgentNumber = uint32_t (*)(const void* data, hsa_agent_t agent);

  // `root_table`: the HsaApiTable of the runtime that was just loaded. False if this runtime
  // accepts no handler.
  static bool Watch(void* root_table, RecordSink* sink, AgentNumber agent_number, const void* data);
};

}  // namespace rtl::capture
