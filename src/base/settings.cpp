// SPDX-License-Identifier: MIT
#include "base/settings.h"

#include <string.h>

#include "base/config.h"

namespace rtl {
namespace {

using Otherwise = Setting::Otherwise;
using Type = Setting::Type;
using Word = Setting::Word;

constexpr uint64_t kNsPerMs = 1'000'000;

template <typename Value>
constexpr Word Means(const char* word, Value value) {
  return {word, static_cast<uint8_t>(value)};
}
constexpr Word kEnd = {nullptr, 0};

constexpr Word kModes[] = {Means("auto", Mode::kAuto),         Means("full", Mode::kFull),
                           Means("standard", Mode::kStandard), Means("default", Mode::kStandard),
                           Means("lite", Mode::kLite),         Means("hip", Mode::kHip),
                           Means("clr", Mode::kClr),           kEnd};
constexpr Word kHipMethods[] = {Means("auto", HipMethod::kAuto),
                                Means("register", HipMethod::kRegister),
                                Means("preload", HipMethod::kPreload),
                                Means("tracer", HipMethod::kTracer),
                                Means("activity", HipMethod::kActivity),
                                Means("none", HipMethod::kNone),
                                kEnd};
constexpr Word kQueueMethods[] = {Means("auto", QueueMethod::kAuto),
                                  Means("intercept", QueueMethod::kIntercept),
                                  Means("doorbell", QueueMethod::kDoorbell), kEnd};
constexpr Word kAppSignals[] = {Means("inplace", AppSignals::kInPlace),
                                Means("forward", AppSignals::kForward), kEnd};

}  // namespace

#define FLAG(name) .type = Type::kFlag, .field = offsetof(Config, name)
#define TEXT(name) \
  .type = Type::kText, .field = offsetof(Config, name), .size = sizeof(Config::name)
#define NUMBER(name, least, most, per)                                                    \
  .type = Type::kNumber, .field = offsetof(Config, name), .low = (least), .high = (most), \
  .unit = (per)
#define WORD(name, list) .type = Type::kWord, .field = offsetof(Config, name), .words = (list)

const Setting kSettings[] = {
    {.name = "RTL_SPOOL",
     .text = "an existing private directory for the spool; no collector is started. `rtl trace` "
             "sets it",
     TEXT(spool)},
    {.name = "RTL_OUTPUT",
     .standard = "trace-%p.db",
     .text = "without `RTL_SPOOL`: the database to write. `%p` is the process id, `%h` the host, "
             "`%%` a percent sign. Missing directories are created",
     TEXT(output)},
    {.name = "RTL_TOOL",
     .standard = "../bin/rtl beside librtl.so, then PATH",
     .text = "the `rtl` program that collects",
     TEXT(tool)},
    {.name = "RTL_MODE",
     .standard = "auto",
     .text = "`auto`, `full`, `standard` (also `default`), `lite`, `hip`, `clr`. "
             "Any other value turns tracing off",
     .more = " ([modes](cli.md#modes))",
     .otherwise = Otherwise::kTracingOff,
     WORD(mode, kModes)},
    {.name = "RTL_EVENTS",
     .standard = "those of the mode",
     .text = "kinds of events to record instead of those of the mode, separated by commas. An "
             "unknown kind turns tracing off",
     .more = " ([the list](cli.md))",
     .otherwise = Otherwise::kTracingOff,
     TEXT(events)},
    {.name = "RTL_COUNTERS",
     .text = "hardware counters to read for every kernel, as `rtl trace --pmc` takes them, which "
             "sets it. The kernels of one GPU then run one at a time",
     .more = " ([ADR 0060](../adr/0060-counters.md))",
     .otherwise = Otherwise::kNothingCounted,
     TEXT(counters)},
    {.name = "RTL_COUNTER_KERNELS",
     .standard = "all",
     .text =
         "which kernels are counted: lines `include REGEX`, `exclude REGEX` (POSIX, on the name "
         "that people read), `launches 1-3,10`. `--pmc-kernels` and related options set it"},
    {.name = "RTL_COUNTER_GROUP_INTERVAL",
     .standard = "1",
     .text = "`RTL_COUNTERS` has groups, separated by `;`, that take turns: each has so many "
             "counted kernels of a GPU. `--pmc-group-interval` sets it"},
    {.name = "RTL_COUNTER_FILE",
     .text = "definitions of more counters, a file of YAML. `--counters-file` sets it",
     .more = " ([counters](counters.md))"},
    {.name = "RTL_COUNTER_BOUND_MS",
     .standard = "5000",
     .text = "while kernels are counted: how long one kernel may block the others. Then all run at "
             "once and are counted as `kCoDependent`",
     NUMBER(counter_bound_ns, 1, 3'600'000, kNsPerMs)},
    {.name = "RTL_AQLPROFILE",
     .standard = "libhsa-amd-aqlprofile64.so.1, as the loader finds it",
     .text = "AMD's library that makes the packets for counters",
     TEXT(aqlprofile)},
    {.name = "RTL_PC_SAMPLING",
     .text = "sample the program counters of every GPU at this interval (`100us`). `rtl trace "
             "--pc-sampling` sets it",
     .more = " ([guide](../guide/slow-line.md))"},
    {.name = "RTL_RECORD_FROM",
     .text = "record nothing before this time, in nanoseconds of CLOCK_BOOTTIME",
     NUMBER(record_from, 0, UINT64_MAX - 1, 1)},
    {.name = "RTL_RECORD_UNTIL",
     .text = "record nothing from this time on, in nanoseconds of CLOCK_BOOTTIME",
     NUMBER(record_until, 0, UINT64_MAX - 1, 1)},
    {.name = "RTL_WHILE_RANGE",
     .standard = "always",
     .text = "record only while a roctx range of this name is open in the process",
     .otherwise = Otherwise::kTracingOff,
     TEXT(while_range)},
    {.name = "RTL_PAUSED",
     .standard = "0",
     .text = "`1`: the trace begins paused, as if every thread had called `roctxProfilerPause`; "
             "tools of rocprofiler-sdk are not paused",
     FLAG(paused)},
    {.name = "RTL_ATTACH",
     .standard = "0",
     .text = "`1`: record nothing until `rtl trace --pid` or `rocprofv3 --pid` attaches; no "
             "database is written at the end. Without effect under `rtl trace` and on "
             "tools of rocprofiler-sdk",
     .more = " ([ADR 0080](../adr/0080-attaching.md))",
     FLAG(attach)},
    {.name = "RTL_BARRIERS",
     .standard = "0",
     .text = "`1`: also record barrier packets (and, or, value) that pass a queue hook, including "
             "those that HIP writes for events and between streams. Packets that the runtime "
             "writes below the hook, or on its own queues, are not seen. Counted as `barriers`",
     FLAG(barriers)},
    {.name = "RTL_LOSSLESS",
     .standard = "0",
     .text = "`1`: where an event would be dropped because the spool is full or too many kernels "
             "are unread, the application waits for room, at most 10 s at a time. Then the event "
             "is dropped and counted, and the application does not wait again until there was "
             "room. The same holds when the tracer's thread is stalled",
     FLAG(lossless)},
    {.name = "RTL_SPOOL_LIMIT_MB",
     .standard = "1024",
     .text = "limit of the spool on disk; beyond it events are counted as `kSpoolFull`",
     NUMBER(spool_limit_bytes, 16, uint64_t{1} << 24, uint64_t{1} << 20)},
    {.name = "RTL_STATUS",
     .standard = "1",
     .text = "`0`: `rtl trace` shows no status line on the terminal",
     .more = " ([status line](cli.md#the-status-line))"},
    {.name = "RTL_EXIT_BUDGET_MS",
     .standard = "100",
     .text = "at exit, how long to wait for kernels in flight; the rest is counted as `kShutdown`",
     NUMBER(exit_budget_ns, 0, 600'000, kNsPerMs)},
    {.name = "RTL_EXIT_WAIT_MS",
     .standard = "10000",
     .text = "at exit, how long to wait for the database (not with `RTL_SPOOL`)",
     NUMBER(exit_wait_ns, 0, 3'600'000, kNsPerMs)},
    {.name = "RTL_HIP_METHOD",
     .old_name = "RTL_HIP_DOOR",
     .standard = "auto",
     .text = "in mode `hip`, how HIP calls are intercepted (below). `rtl trace` rejects other "
             "values before it starts the program",
     WORD(hip_method, kHipMethods)},
    {.name = "RTL_QUEUE_METHOD",
     .old_name = "RTL_QUEUE_DOOR",
     .standard = "auto",
     .text =
         "where packets are seen: `intercept` (the runtime's intercept queues), `doorbell` "
         "(the application's own queue, when it rings), or `auto`: the doorbell where an "
         "intercept queue would write past its buffer (ROCm 7.0 to 7.12), and for tools of "
         "rocprofiler-sdk without a trace, unless one counts kernels. While kernels are counted "
         "the packets of `hsa_queue_create`'s queues are moved to others instead",
     .more = " ([ADR 0005](../adr/0005-doorbells.md), [ADR 0106](../adr/0106-moved-packets.md))",
     WORD(queue_method, kQueueMethods)},
    {.name = "RTL_FORCE_FULL",
     .standard = "0",
     .text = "`1`: allow mode `full` with `RTL_QUEUE_METHOD=intercept` where an intercept queue "
             "would write past its buffer; the program may then crash",
     FLAG(force_full)},
    {.name = "RTL_ALLOW_FALLBACK",
     .standard = "0",
     .text = "`1`: where mode `clr` is not possible (HIP has no profiler, or another tool has it), "
             "use mode `hip` and report it; otherwise the process is not traced",
     FLAG(allow_fallback)},
    {.name = "RTL_REGISTER_CHAIN",
     .text = "with rocprofiler-register: another library that exports `rocprofiler_set_api_table` "
             "(such as `librocprofiler-sdk.so.1`) and gets the tables after rtl"},
    {.name = "RTL_APP_SIGNALS",
     .standard = "chosen by the tracer",
     .text = "`inplace` or `forward`: how the application's own completion signals are handled",
     .more = " ([signals](../design/signals.md))",
     WORD(app_signals, kAppSignals)},
    {.name = "RTL_DISABLE", .standard = "0", .text = "`1`: do nothing at all", FLAG(disabled)},
    {.name = "RTL_LOG",
     .standard = "0",
     .text = "`1`: `librocprofiler-sdk.so.1` prints one line with the kinds of event that tools "
             "request and that it never produces",
     FLAG(log)},
    {.name = "RTL_STRICT",
     .standard = "0",
     .text = "`1`: abort when an internal rule of the tracer is broken, and overwrite the headers "
             "of a tool's records after its callback. For tests",
     FLAG(strict)},
    {},
};

const Setting* FindSetting(const char* name) {
  for (const Setting* setting = kSettings; setting->name != nullptr; ++setting) {
    if (strcmp(setting->name, name) == 0) return setting;
  }
  return nullptr;
}

const char* SettingText(const char* (*lookup)(const char* name), const char* name) {
  const char* value = lookup(name);
  if (value != nullptr && *value != '\0') return value;
  const Setting* const setting = FindSetting(name);
  if (setting == nullptr || setting->old_name == nullptr) return nullptr;
  value = lookup(setting->old_name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace rtl
