// SPDX-License-Identifier: MIT
#include "base/config.h"

#include <string.h>
#include <strings.h>

#include <initializer_list>

#include "base/environment.h"
#include "base/text.h"

namespace rtl {
namespace {

constexpr char kDefaultOutput[] = "trace-%p.db";
constexpr uint64_t kNsPerMs = 1'000'000;

struct ModeWord {
  const char* word;
  Mode mode;
};
constexpr ModeWord kModes[] = {
    {"auto", Mode::kAuto},        {"full", Mode::kFull}, {"standard", Mode::kStandard},
    {"default", Mode::kStandard}, {"lite", Mode::kLite}, {"hip", Mode::kHip},
    {"clr", Mode::kClr}};
constexpr const char* kModeWords = kHasClr ? "auto, full, standard, default, lite, hip, clr"
                                           : "auto, full, standard, default, lite, hip";

struct HipDoorWord {
  const char* word;
  HipDoor door;
};
constexpr HipDoorWord kHipDoors[] = {
    {"auto", HipDoor::kAuto},     {"register", HipDoor::kRegister}, {"preload", HipDoor::kPreload},
    {"tracer", HipDoor::kTracer}, {"activity", HipDoor::kActivity}, {"none", HipDoor::kNone}};

// Reads the variables one by one and keeps the first problem.
class Parser {
 public:
  Parser(Config::Lookup lookup, Config* out) : lookup_(lookup), out_(out) {}

  Status ParseAll() {
    Flag("RTL_DISABLE", &out_->disabled);
    Flag("RTL_STRICT", &out_->strict);
    Flag("RTL_LOG", &out_->log);
    Flag("RTL_ALLOW_FALLBACK", &out_->allow_fallback);
    Flag("RTL_FORCE_FULL", &out_->force_full);
    Flag("RTL_BARRIERS", &out_->barriers);
    Flag("RTL_PAUSED", &out_->paused);
    Scaled("RTL_RECORD_FROM", 0, UINT64_MAX - 1, 1, &out_->record_from);
    Scaled("RTL_RECORD_UNTIL", 0, UINT64_MAX - 1, 1, &out_->record_until);
    ParseRange();
    Flag("RTL_ATTACH", &out_->attach);
    bool lossless = false;
    Flag("RTL_LOSSLESS", &lossless);
    if (lossless) out_->room_wait_ns = Config::kLosslessWaitNs;
    Path("RTL_SPOOL", "", out_->spool);
    Path("RTL_OUTPUT", kDefaultOutput, out_->output);
    Path("RTL_TOOL", "", out_->tool);
    Path("RTL_AQLPROFILE", "", out_->aqlprofile);
    ParseEvents();
    ParseCounters();
    ParseMode();
    ParseHipDoor();
    ParseAppSignals();
    ParseQueueDoor();
    Scaled("RTL_SPOOL_LIMIT_MB", 16, uint64_t{1} << 24, uint64_t{1} << 20,
           &out_->spool_limit_bytes);
    Scaled("RTL_EXIT_BUDGET_MS", 0, 600'000, kNsPerMs, &out_->exit_budget_ns);
    Scaled("RTL_COUNTER_BOUND_MS", 1, 3'600'000, kNsPerMs, &out_->counter_bound_ns);
    Scaled("RTL_EXIT_WAIT_MS", 0, 3'600'000, kNsPerMs, &out_->exit_wait_ns);
    return problem_;
  }

 private:
  // Null for unset and for empty: both mean "not given".
  const char* Value(const char* name) {
    const char* value = lookup_(name);
    return value != nullptr && *value != '\0' ? value : nullptr;
  }

  void Report(const Status& problem) {
    if (problem_.ok()) problem_ = problem;
  }

  void Flag(const char* name, bool* out) {
    const char* value = Value(name);
    if (value == nullptr) return;
    for (const char* yes : {"1", "true", "on", "yes"}) {
      if (strcasecmp(value, yes) == 0) {
        *out = true;
        return;
      }
    }
    for (const char* no : {"0", "false", "off", "no"}) {
      if (strcasecmp(value, no) == 0) return;
    }
    Report(Status::Error("%s=%.40s is not understood (use 1 or 0); ignored", name, value));
  }

  void Path(const char* name, const char* otherwise, char* out) {
    const char* value = Value(name);
    if (value == nullptr) value = otherwise;
    if (!CopyText(out, Config::kPathBytes, value)) {
      CopyText(out, Config::kPathBytes, otherwise);
      Report(Status::Error("%s is longer than %u bytes; ignored", name, Config::kPathBytes - 1));
    }
  }

  void ParseRange() {
    const char* const value = Value("RTL_WHILE_RANGE");
    if (value == nullptr || CopyText(out_->while_range, Config::kRangeBytes, value)) return;
    out_->disabled = true;
    Report(Status::Error("RTL_WHILE_RANGE is longer than %u bytes; tracing is off",
                         Config::kRangeBytes - 1));
  }

  // The session checks the words.
  void ParseEvents() {
    const char* const value = Value("RTL_EVENTS");
    if (value == nullptr || CopyText(out_->events, Config::kEventsBytes, value)) return;
    out_->disabled = true;
    Report(Status::Error("RTL_EVENTS is longer than %u bytes; tracing is off",
                         Config::kEventsBytes - 1));
  }

  void ParseCounters() {
    const char* const value = Value("RTL_COUNTERS");
    if (value == nullptr || CopyText(out_->counters, Config::kCountersBytes, value)) return;
    Report(Status::Error("RTL_COUNTERS is longer than %u bytes; nothing is counted",
                         Config::kCountersBytes - 1));
  }

  void ParseMode() {
    const char* value = Value("RTL_MODE");
    if (value == nullptr) return;
    for (const ModeWord& known : kModes) {
      if (strcmp(value, known.word) != 0) continue;
      if (known.mode == Mode::kClr && !kHasClr) return RefuseClr();
      out_->mode = known.mode;
      return;
    }
    out_->disabled = true;
    Report(Status::Error("RTL_MODE=%.40s is not a mode (%s); tracing is off", value, kModeWords));
  }

  void RefuseClr() {
    out_->disabled = true;
    Report(Status::Error(
        "RTL_MODE=clr is not in this build of rtl (cmake -DRTL_CLR=ON); tracing is off"));
  }

  void ParseHipDoor() {
    const char* value = Value("RTL_HIP_DOOR");
    if (value == nullptr) return;
    for (const HipDoorWord& known : kHipDoors) {
      if (strcmp(value, known.word) != 0) continue;
      out_->hip_door = known.door;
      return;
    }
    Report(
        Status::Error("RTL_HIP_DOOR=%.40s is not understood (auto, register, preload, tracer, "
                      "activity, none); ignored",
                      value));
  }

  void ParseAppSignals() {
    const char* value = Value("RTL_APP_SIGNALS");
    if (value == nullptr) return;
    if (strcmp(value, "inplace") == 0) {
      out_->app_signals = AppSignals::kInPlace;
    } else if (strcmp(value, "forward") == 0) {
      out_->app_signals = AppSignals::kForward;
    } else {
      Report(Status::Error("RTL_APP_SIGNALS=%.40s is not understood (inplace, forward); ignored",
                           value));
    }
  }

  void ParseQueueDoor() {
    const char* value = Value("RTL_QUEUE_DOOR");
    if (value == nullptr || strcmp(value, "auto") == 0) return;
    if (strcmp(value, "intercept") == 0) {
      out_->queue_door = QueueDoor::kIntercept;
    } else if (strcmp(value, "doorbell") == 0) {
      out_->queue_door = QueueDoor::kDoorbell;
    } else {
      Report(Status::Error(
          "RTL_QUEUE_DOOR=%.40s is not understood (auto, intercept, doorbell); ignored", value));
    }
  }

  void Scaled(const char* name, uint64_t low, uint64_t high, uint64_t unit, uint64_t* out) {
    const char* value = Value(name);
    if (value == nullptr) return;
    uint64_t number = 0;
    if (!ParseNumber(value, low, high, &number)) {
      Report(Status::Error("%s=%.40s is not a number from %llu to %llu; using %llu", name, value,
                           static_cast<unsigned long long>(low),
                           static_cast<unsigned long long>(high),
                           static_cast<unsigned long long>(*out / unit)));
      return;
    }
    *out = number * unit;
  }

  Config::Lookup lookup_;
  Config* out_;
  Status problem_ = Status::Ok();
};

}  // namespace

const char* ModeName(Mode mode) {
  switch (mode) {
    case Mode::kAuto:
      return "auto";
    case Mode::kFull:
      return "full";
    case Mode::kStandard:
      return "standard";
    case Mode::kLite:
      return "lite";
    case Mode::kHip:
      return "hip";
    case Mode::kClr:
      return "clr";
  }
  return "?";
}

Status Config::Parse(Lookup lookup, Config* out) { return Parser(lookup, out).ParseAll(); }

Status Config::FromEnvironment(Config* out) { return Parse(EnvironmentValue, out); }

bool TraceRequested(Config::Lookup lookup) {
  for (const char* name : {"RTL_SPOOL", "RTL_OUTPUT"}) {
    const char* value = lookup(name);
    if (value != nullptr && *value != '\0') return true;
  }
  const char* tools = lookup("HSA_TOOLS_LIB");
  return tools != nullptr && strstr(tools, "librtl.so") != nullptr;
}

}  // namespace rtl
