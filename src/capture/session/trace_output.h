// SPDX-License-Identifier: MIT
// trace_output.h: where the session's records end up. The product writes a spool and may start a
// helper that collects it; a test keeps records in memory.
//
// Threads    Open and Finish: one at a time, the session sees to it. Maintain: any one thread, also
//            while Finish runs. The sink: any
// Blocking   Open: file I/O. Finish: bounded by the configuration
// Memory     lives as long as the process
#pragma once

#include "base/config.h"
#include "base/status.h"
#include "capture/hooks/hsa_capture.h"
#include "model/record_sink.h"

namespace rtl::capture {

class TraceOutput {
 public:
  virtual Status Open(const Config& config) = 0;

  // After Open.
  virtual RecordSink* sink() = 0;
  virtual SeenSlots seen_slots() = 0;
  // Memory for the kernels in flight that outlives the process; null: none.
  virtual InFlightMemory* in_flight() { return nullptr; }
  virtual CaptureCounters counters() = 0;
  // How the tracer got in, what it met there, and what it does about it: "HSA_TOOLS_LIB",
  // "tables 1.0, …", "full", a sentence.
  struct Facts {
    const char* door;
    const char* runtime;
    const char* mode;
    const char* mode_reason;
  };
  virtual void Describe(const Facts& facts) = 0;

  // Says to whoever reads the trace why GPU kernels of this process are not in it. Also instead of
  // Open.
  virtual void SayRefused(const Config& config, const char* why) = 0;

  // Regular upkeep, from the tracer's own thread.
  virtual void Maintain() = 0;
  // Nothing more will be written.
  virtual void Finish() = 0;

 protected:
  ~TraceOutput() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
