// SPDX-License-Identifier: MIT
// config.h: the settings of the user, read once from the RTL_* environment variables. settings.cpp
// has the list of the variables: their names, defaults and meaning.
//
// Threads    a value; FromEnvironment has the rule of environment.h
// Errors     a value that cannot be used keeps its default and is reported in one line
#pragma once

#include <stdint.h>

#include "base/status.h"

namespace rtl {

enum class Mode : uint8_t {
  kAuto,      // the most complete mode that is safe on this runtime
  kFull,      // records every packet
  kStandard,  // records every packet that was submitted alone, not in a batch
  kLite,      // like kStandard, but without packets that carry a completion signal
  kHip,       // like kStandard, and every call of the HIP API
  kClr,       // records the events of HIP's built-in profiler
};
// Where the packets of a queue are seen.
enum class QueueMethod : uint8_t {
  kAuto,       // the method that this runtime needs
  kIntercept,  // in the runtime's intercept queues
  kDoorbell,   // at the doorbell of the application's own queue
};
// Returns "auto", "full", "standard", "lite", "hip" or "clr".
const char* ModeName(Mode mode);

enum class HipMethod : uint8_t {
  kAuto,      // a method that this HIP has and that is safe with it
  kRegister,  // the tables that HIP registers with rocprofiler-register
  kPreload,   // the functions of librtl_hip.so
  kTracer,    // hipRegisterTracerCallback
  kActivity,  // hipRegisterActivityCallback, which can hang programs
  // HIP's tables, found in its memory: for a tracer that is loaded late and leaves again
  kMemory,
  kNone,
};

enum class AppSignals : uint8_t {
  kDefault,  // the tracer's own choice
  kInPlace,  // the packet keeps the application's signal
  // the packet gets a signal of the tracer, which completes the application's signal afterwards
  kForward,
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
  bool leaves = false;  // the trace ends before the program does
  bool lossless = false;
  // The longest time for which the application waits for room for an event, before the event is
  // dropped. Zero: the event is dropped at once.
  static constexpr uint64_t kLosslessWaitNs = 10'000'000'000;
  uint64_t room_wait_ns = 0;  // set from `lossless`
  Mode mode = Mode::kAuto;
  QueueMethod queue_method = QueueMethod::kAuto;
  HipMethod hip_method = HipMethod::kAuto;
  AppSignals app_signals = AppSignals::kDefault;
  uint64_t spool_limit_bytes = uint64_t{1024} << 20;
  uint64_t exit_budget_ns = uint64_t{100} * 1'000'000;
  uint64_t exit_wait_ns = uint64_t{10'000} * 1'000'000;
  char events[kEventsBytes] = {};      // empty: the events of the mode
  char counters[kCountersBytes] = {};  // empty: no counters
  uint64_t counter_bound_ns = uint64_t{5'000} * 1'000'000;
  char aqlprofile[kPathBytes] = {};
  char spool[kPathBytes] = {};  // empty: no spool is given
  char output[kPathBytes] = "trace-%p.db";
  char tool[kPathBytes] = {};

  // Returns the value of an environment variable; null if it is not set.
  using Lookup = const char* (*)(const char* name);

  // Sets `out`. An error names the first variable that cannot be used, the reason, and the
  // consequence. `out` is usable in either case; `disabled` is true if tracing is not possible.
  static Status Parse(Lookup lookup, Config* out);
  static Status FromEnvironment(Config* out);
};

// True if any variable of the environment requests a trace of this process.
bool TraceRequested(Config::Lookup lookup);

}  // namespace rtl
