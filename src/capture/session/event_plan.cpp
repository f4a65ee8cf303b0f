// SPDX-License-Identifier: MIT
#include "capture/session/event_plan.h"

#include <sys/auxv.h>

#include "base/environment.h"
#include "base/log.h"
#include "capture/roctx/pause.h"

namespace rtl::capture {
namespace {

// The events that a mode stands for.
EventSet EventsOf(Mode mode) {
  EventSet events(EventKind::kKernel, EventKind::kCopy, EventKind::kMarker);
  if (mode == Mode::kHip || mode == Mode::kClr) events.Add(EventKind::kHipCall);
  return events;
}

}  // namespace

bool EventPlan::Configure() {
  // The environment of a privileged program is not trusted.
  if (getauxval(AT_SECURE) != 0) return false;
  if (configured_) return true;
  configured_ = true;
  problem_ = read_config_(&config_);
  SetStrict(config_.strict);
  // a launcher has started this process and records everything
  if (config_.spool[0] != '\0') config_.attach = false;
  if (config_.paused || config_.attach) (void)Pause::Begin(Pause::kAllThreads);
  Pause::RecordBetween(config_.record_from, config_.record_until);
  Pause::RecordDuring(config_.while_range);
  return true;
}

bool EventPlan::Make() {
  if (made_) return true;
  if (!Configure()) return false;
  made_ = true;
  off_ = config_.disabled;
  if (const Status chosen = Choose(); !chosen.ok() && problem_.ok()) problem_ = chosen;
  return true;
}

void EventPlan::UseMode(Mode mode) {
  config_.mode = mode;
  events_ = EventsOf(mode);
}

void EventPlan::Forget() {
  configured_ = made_ = false;
  problem_ = Status::Ok();
}

Status EventPlan::Choose() {
  events_ = EventsOf(config_.mode);
  if (config_.barriers) events_.Add(EventKind::kBarrier);
  if (off_) return Status::Ok();
  RTL_TRY(ChooseCounters());
  RTL_TRY(ChooseSamples());
  if (config_.mode == Mode::kClr && config_.paused)
    return Status::Error(
        "RTL_PAUSED is ignored in mode clr, which records what HIP's profiler has");
  if (config_.events[0] == '\0') return Status::Ok();
  if (config_.mode == Mode::kClr)
    return Status::Error(
        "RTL_EVENTS is ignored in mode clr, which records what HIP's profiler has");
  EventSet chosen;
  if (const Status parsed = ParseEvents(config_.events, &chosen); !parsed.ok()) {
    off_ = true;
    return Status::Error("RTL_EVENTS: %s; tracing is off", parsed.message());
  }
  if (config_.barriers && chosen.Has(EventKind::kKernel)) chosen.Add(EventKind::kBarrier);
  if (chosen.Has(EventKind::kCounter) && !counters_->any()) {
    off_ = true;
    return Status::Error("RTL_EVENTS has counters, and RTL_COUNTERS names none; tracing is off");
  }
  if (chosen.Has(EventKind::kKernel) && counters_->any()) chosen.Add(EventKind::kCounter);
  if (chosen.Has(EventKind::kPcSample) && !samples_->any()) {
    off_ = true;
    return Status::Error(
        "RTL_EVENTS has pc-samples, and RTL_PC_SAMPLING no interval; tracing is off");
  }
  if (chosen.Has(EventKind::kKernel) && samples_->any()) chosen.Add(EventKind::kPcSample);
  events_ = chosen;
  return Status::Ok();
}

Status EventPlan::ChooseCounters() {
  if (config_.counters[0] == '\0') return Status::Ok();
  if (config_.mode == Mode::kClr || config_.mode == Mode::kLite)
    return Status::Error("RTL_COUNTERS is ignored in mode %s", ModeName(config_.mode));
  const Status parsed = counters_->Parse(config_.counters, EnvironmentValue("RTL_COUNTER_KERNELS"),
                                         EnvironmentValue("RTL_COUNTER_GROUP_INTERVAL"));
  if (!parsed.ok()) return Status::Error("RTL_COUNTERS: %s; nothing is counted", parsed.message());
  events_.Add(EventKind::kCounter);
  return Status::Ok();
}

Status EventPlan::ChooseSamples() {
  const char* const interval = EnvironmentValue("RTL_PC_SAMPLING");
  if (interval == nullptr) return Status::Ok();
  if (config_.mode == Mode::kClr || config_.mode == Mode::kLite)
    return Status::Error("RTL_PC_SAMPLING is ignored in mode %s", ModeName(config_.mode));
  if (counters_->any())
    return Status::Error("RTL_PC_SAMPLING is ignored with RTL_COUNTERS: a GPU does one of them");
  RTL_TRY(samples_->Parse(interval));
  events_.Add(EventKind::kPcSample);
  return Status::Ok();
}

}  // namespace rtl::capture
