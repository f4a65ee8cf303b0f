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
  kAuto,      // the most complete of the others that is safe on this runtime
  kFull,      // every packet
  kStandard,  // every packet that was submitted alone
  kLite,      // of these, only the packets that carry no completion signal
  kHip,       // as standard, and every call of the HIP API
  kClr,       // the events of HIP's built-in profiler
};
// Where a queue's packets are seen.
enum class QueueMethod : uint8_t {
  kAuto,       // the choice that the runtime needs
  kIntercept,  // the runtime's intercept queues
  kDoorbell,   // the application's own queue, when it rings
};
// "auto", "full", "standard", "lite", "hip", "clr".
const char* ModeName(Mode mode);

enum class HipMethod : uint8_t {
  kAuto,      // the method that this HIP has and that does not break it
  kRegister,  // the tables that HIP registers with rocprofiler-register
  kPreload,   // the functions of librtl_hip.so
  kTracer,    // hipRegisterTracerCallback
  kActivity,  // hipRegisterActivityCallback, which can hang programs
  kMemory,    // HIP's tables, found in its memory: for a tracer that comes late and leaves
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
  bool leaves = false;  // the trace is a window of a program that goes on without the tracer
  bool lossless = false;
  // When there is no room for an event, the application waits this long before the event is
  // dropped. Zero: the event is dropped at once.
  static constexpr uint64_t kLosslessWaitNs = 10'000'000'000;
  uint64_t room_wait_ns = 0;  // follows from `lossless`
  Mode mode = Mode::kAuto;
  QueueMethod queue_method = QueueMethod::kAuto;
  HipMethod hip_method = HipMethod::kAuto;
  AppSignals app_signals = AppSignals::kDefault;
  uint64_t spool_limit_bytes = uint64_t{1024} << 20;
  uint64_t exit_budget_ns = uint64_t{100} * 1'000'000;
  uint64_t exit_wait_ns = uint64_t{10'000} * 1'000'000;
  char events[kEventsBytes] = {};      // empty: those of the mode
  char counters[kCountersBytes] = {};  // empty: none
  uint64_t counter_bound_ns = uint64_t{5'000} * 1'000'000;
  char aqlprofile[kPathBytes] = {};
  char spool[kPathBytes] = {};  // empty: none given
  char output[kPathBytes] = "trace-%p.db";
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
