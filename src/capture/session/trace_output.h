// SPDX-License-Identifier: MIT
// trace_output.h: the output of the session's records. The product's output writes a spool and may
// start a helper process that collects it. An output of a test keeps records in memory.
//
// Threads    Open and Finish: one at a time (the session ensures it). Maintain: any one thread,
//            also while Finish runs. The sink: any
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
  // In the child of a fork that gets a trace of its own: forgets the parent's trace, so that Open
  // may follow. Async-signal-safe.
  virtual void BeginAnewInChild() {}

  // Valid after Open.
  virtual RecordSink* sink() = 0;
  virtual SubmittedSlots submitted_slots() = 0;
  // Memory for the kernels in flight that outlives the process; null: none.
  virtual InFlightMemory* in_flight() { return nullptr; }
  virtual CaptureCounters counters() = 0;
  // The description of a trace: how the tracer was loaded, the runtime that it found, the mode, and
  // the reason for the mode. For example: "HSA_TOOLS_LIB", "tables 1.0, …", "full", a sentence.
  struct Facts {
    const char* loaded_by;
    const char* runtime;
    const char* mode;
    const char* mode_reason;
  };
  virtual void Describe(const Facts& facts) = 0;
  // Writes which kinds of events are recorded if they happen.
  virtual void SayEvents(EventSet events) {}

  // Writes for the reader of the trace why GPU kernels of this process are missing. May be called
  // instead of Open.
  virtual void SayRefused(const Config& config, const char* why) = 0;

  // Regular maintenance, on the tracer's own thread.
  virtual void Maintain() = 0;
  // True if there is no room for records; events are then only counted.
  virtual bool CountsOnly() const { return false; }
  // True if the reader waits for the end of the process, so that records may be written after
  // Finish.
  virtual bool TakesMore() const { return false; }
  // The process ends normally. Nothing is written afterwards, unless TakesMore is true.
  virtual void Finish() = 0;

 protected:
  ~TraceOutput() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
