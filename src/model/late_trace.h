// SPDX-License-Identifier: MIT
// late_trace.h: a request to trace a running program that has not loaded the tracer. `rtl trace
// --pid` loads the library into the process, and makes a thread there that calls rtl_late_trace
// with a request, in memory that `rtl trace` has mapped there. The call returns when the trace has
// ended and the hooks are removed. rocattach_attach does the same with rtl_late_tools and with
// `tools` instead of a spool; the tools are detached when the call returns.
//
//   state      written by          meaning
//   kAsked     the requester       the memory is ready
//   kOpen      the process         the process records
//   kRefused   the process         nothing is recorded; `why` has the reason
//   kIdle      the process         nothing is recorded, because the process uses no GPU
//   kLeft      the process         the trace is over: the spool is finished
//
// The requesting process writes `leave`. The trace also ends when the requesting process is gone.
//
// Threads    one trace at a time; a second one is refused
// Memory     the memory of a trace is never freed, because threads may still be inside its hooks
// Errors     written to `why`, never to the program's output
#pragma once

#include <stdint.h>

#include <atomic>

namespace rtl {

struct LateTraceRequest {
  static constexpr uint32_t kVersion = 3;
  enum class State : uint32_t { kAsked, kOpen, kRefused, kLeft, kIdle };

  uint32_t version = kVersion;
  uint32_t tracer = 0;        // pid of the requesting process
  uint64_t tracer_start = 0;  // with the pid, identifies that process (spool/process_stat.h)
  char spool[4096] = {};      // path of an existing directory
  char mode[16] = {};         // empty: auto
  char events[256] = {};      // empty: the events of the mode
  char tools[4096] = {};      // paths of libraries, separated by colons
  std::atomic<uint32_t> leave{0};
  std::atomic<State> state{State::kAsked};
  char why[320] = {};
};

}  // namespace rtl
