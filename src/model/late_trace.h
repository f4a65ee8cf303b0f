// SPDX-License-Identifier: MIT
// late_trace.h: a trace of a program that runs and did not load the tracer. `rtl trace --pid` puts
// the library into the process, and makes a thread there that calls rtl_late_trace with a request in
// memory that it has mapped. The call returns when the trace has ended and the hooks are gone.
// rocattach_attach does the same with rtl_late_tools, and `tools` instead of a spool: these are
// detached when the call returns.
//
//   state      written by          meaning
//   kAsked     the one outside     the memory is ready
//   kOpen      the process         it records
//   kRefused   the process         it does not; `why` says the reason. Nothing is recorded
//   kIdle      the process         the same: it uses no GPU
//   kLeft      the process         it is over: the spool is finished
//
// `leave` is written by the one outside. The trace also ends when that process is gone.
//
// Threads    one trace at a time; a second one is refused
// Memory     what a trace has used stays: threads may still be inside its hooks
// Errors     `why`, never a line in the program's output
#pragma once

#include <stdint.h>

#include <atomic>

namespace rtl {

struct LateTraceRequest {
  static constexpr uint32_t kVersion = 3;
  enum class State : uint32_t { kAsked, kOpen, kRefused, kLeft, kIdle };

  uint32_t version = kVersion;
  uint32_t tracer = 0;        // the pid of the one outside
  uint64_t tracer_start = 0;  // with the pid, an identity (spool/process_stat.h)
  char spool[4096] = {};      // an existing directory
  char mode[16] = {};         // empty: auto
  char events[256] = {};      // empty: those of the mode
  char tools[4096] = {};      // libraries, separated by colons
  std::atomic<uint32_t> leave{0};
  std::atomic<State> state{State::kAsked};
  char why[320] = {};
};

}  // namespace rtl
