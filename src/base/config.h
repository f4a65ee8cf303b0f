// SPDX-License-Identifier: MIT
// config.h: the settings of the user, read once from the RTL_* environment variables. This is the
// single list of them.
//
//   RTL_SPOOL=DIR           write the spool into this existing directory and start no helper; set
//                           by `rtl trace`
//   RTL_OUTPUT=FILE         without RTL_SPOOL: the database to write; %p process id, %h host, %%
//                           (default trace-%p.db in the current directory)
//   RTL_TOOL=FILE           the `rtl` program that collects (default: ../bin/rtl beside the
//                           library, then PATH)
//   RTL_MODE=NAME           auto, full, standard (also called default), lite, hip
//                           and, in builds with RTL_CLR, clr
//   RTL_ALLOW_FALLBACK=1    mode clr: go on in mode hip where HIP has no profiler of its own
//   RTL_QUEUE_DOOR=HOW      auto, intercept or doorbell: where packets are seen
//   RTL_FORCE_FULL=1        mode full on intercept queues that overrun, too
//   RTL_REGISTER_CHAIN=FILE another implementation of rocprofiler_set_api_table that is to get the
//                           tables after us; read by librtl/register.cpp
//   RTL_HIP_DOOR=NAME       mode hip: auto, register, preload, tracer, activity, none: how HIP
//                           calls are seen
//   RTL_APP_SIGNALS=HOW     inplace or forward: how an application's own completion signal is kept
//   RTL_EVENTS=KINDS        record these kinds of events instead of those of the mode, separated by
//                           commas; the words are those of model/event_kinds.h
//   RTL_COUNTERS=LIST       read these hardware counters for every kernel: NAME=BLOCK:EVENT,
//   separated by
//                           commas; the prefix "gfx906/" limits one to that kind of GPU
//   RTL_PC_SAMPLING=100us   sample program counters of every GPU at this interval; read by the
//   session RTL_COUNTER_BOUND_MS=N  longest time for which a kernel may hold others up (default
//   5000) RTL_AQLPROFILE=FILE     AMD's library of counters (default: libhsa-amd-aqlprofile64.so.1)
//   RTL_BARRIERS=1          record barrier packets, too RTL_PAUSED=1            begin paused:
//   record from roctxProfilerResume on RTL_RECORD_FROM=NS      record nothing before this time of
//   CLOCK_BOOTTIME RTL_RECORD_UNTIL=NS     record nothing from this time on RTL_WHILE_RANGE=NAME
//   record only while a roctx range of this name is open RTL_ATTACH=1            record nothing
//   until `rtl trace --pid` attaches RTL_LOSSLESS=1          wait for room, at most 10 s, where an
//   event would be dropped RTL_SPOOL_LIMIT_MB=N    bound of the spool on disk (default 1024)
//   RTL_EXIT_BUDGET_MS=N    at exit, wait at most this long for kernels in flight (default 100)
//   RTL_EXIT_WAIT_MS=N      at exit, wait so long for the database to be complete (default 10000)
//   RTL_DISABLE=1           do nothing at all RTL_LOG=1               SDK: report the kinds of
//   event that tools ask for and that never come RTL_STRICT=1            abort when a rule of the
//   tracer's own is broken (tests)
//
// Threads    a value; FromEnvironment has the rule of environment.h
// Errors     a value that cannot be used keeps its default and is reported in one line
#pragma once

#include <stdint.h>

#include "base/status.h"

namespace rtl {

enum class Mode : uint8_t {
  kAuto,      // the most complete of the others that is safe on this runtime
  kFull,      // every packet
  kStandard,  // every packet that was submitted alone
  kLite,      // of these, only the packets that carry no completion signal
  kHip,       // as standard, and every call of the HIP API
  kClr,       // the events of HIP's built-in profiler; in builds with RTL_CLR only
};
#ifdef RTL_CLR
inline constexpr bool kHasClr = true;
#else
inline constexpr bool kHasClr = false;
#endif
// Where a queue's packets are seen.
enum class QueueDoor : uint8_t {
  kAuto,       // the choice that the runtime needs
  kIntercept,  // the runtime's intercept queues
  kDoorbell,   // the application's own queue, when it rings
};
// "auto", "full", "standard", "lite", "hip", "clr".
const char* ModeName(Mode mode);

enum class HipDoor : uint8_t {
  kAuto,      // the method that this HIP has and that does not break it
  kRegister,  // the tables that HIP registers with rocprofiler-register
  kPreload,   // the functions of librtl_hip.so
  kTracer,    // hipRegisterTracerCallback
  kActivity,  // hipRegisterActivityCallback, which can hang programs
  kNone,
};

enum class AppSignals : uint8_t {
  kDefault,  // the tracer's own choice
  kInPlace,  // the packet keeps the application's signal
  kForward,  // the packet gets the tracer's signal, the application's is completed afterwards
};

struct Config {
  static constexpr uint32_t kPathBytes = 4096;
  static constexpr uint32_t kEventsBytes = 256;
  static constexpr uint32_t kCountersBytes = 16384;
  static constexpr uint32_t kRangeBytes = 256;

  bool disabled = false;
  bool log = false;
  bool strict = false;
  bool allow_fallback = false;
  bool force_full = false;
  bool barriers = false;
  bool paused = false;
  uint64_t record_from = 0;
  uint64_t record_until = UINT64_MAX;
  char while_range[kRangeBytes] = {};  // empty: no limit
  bool attach = false;
  // When there is no room for an event, the application waits this long before the event is
  // dropped. Zero: the event is dropped at once.
  static constexpr uint64_t kLosslessWaitNs = 10'000'000'000;
  uint64_t room_wait_ns = 0;
  Mode mode = Mode::kAuto;
  QueueDoor queue_door = QueueDoor::kAuto;
  HipDoor hip_door = HipDoor::kAuto;
  AppSignals app_signals = AppSignals::kDefault;
  uint64_t spool_limit_bytes = uint64_t{1024} << 20;
  uint64_t exit_budget_ns = uint64_t{100} * 1'000'000;
  uint64_t exit_wait_ns = uint64_t{10'000} * 1'000'000;
  char events[kEventsBytes] = {};      // empty: those of the mode
  char counters[kCountersBytes] = {};  // empty: none
  uint64_t counter_bound_ns = uint64_t{5'000} * 1'000'000;
  char aqlprofile[kPathBytes] = {};
  char spool[kPathBytes] = {};  // empty: none given
  char output[kPathBytes] = {};
  char tool[kPathBytes] = {};

  // Where a variable's text comes from; null when it is unset.
  using Lookup = const char* (*)(const char* name);

  // Fills in `out`. An error names the first variable that could not be used, the reason, and the
  // consequence. `out` is usable in either case; `disabled` is set when tracing cannot go on.
  static Status Parse(Lookup lookup, Config* out);
  static Status FromEnvironment(Config* out);
};

// True when the environment requests a trace of this process by any of its variables.
bool TraceRequested(Config::Lookup lookup);

}  // namespace rtl
