// SPDX-License-Identifier: MIT
#include "capture/session/session.h"

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread_state.h"
#include "capture/hsa/mode_choice.h"

namespace rtl::capture {
namespace {

using State = Lifecycle::State;

const char* DoorName(Session::Door door) {
  return door == Session::Door::kRegister ? "rocprofiler-register" : "HSA_TOOLS_LIB";
}

// The trace says it, too: the line on stderr may be long gone. False when there is no room.
bool WriteWarning(RecordSink* sink, const char* text) {
  WarningRecord record;
  record.head.type = RecordType::kWarning;
  record.head.thread = ThreadId::Current();
  record.time = BootTimeNs();
  record.text_bytes = static_cast<uint32_t>(strlen(text));
  return sink->Write(&record, sizeof record, text, record.text_bytes);
}

// A mode is a name for a set of events.
EventSet EventsOf(Mode mode) {
  EventSet events(EventKind::kKernel, EventKind::kCopy, EventKind::kMarker);
  if (mode == Mode::kHip || mode == Mode::kClr) events.Add(EventKind::kHipCall);
  return events;
}

constexpr struct {
  const char* tables;
  InitOperation runtime;
} kRuntimes[] = {{"hip", InitOperation::kHip},
                 {"rccl", InitOperation::kRccl},
                 {"rocdecode", InitOperation::kRocdecode},
                 {"rocjpeg", InitOperation::kRocjpeg}};
constexpr uint64_t kRoctxVersion = 40'100;  // 4.1, as roctx_version_major says

constexpr uint64_t VersionOf(uint32_t major, uint32_t minor) {
  return uint64_t{10'000} * major + uint64_t{100} * minor;
}

}  // namespace

void Session::Complain(const char* text) {
  const State now = life_.state();
  const bool open = now == State::kOpen || now == State::kTracing;
  const bool stored = open && WriteWarning(output_->sink(), text);
  // Who launched this process prints what stands in the trace.
  const bool launched = config_.spool[0] != '\0';
  if (!stored || !launched) Warn("%s", text);
}

// Opens the trace unless that has been tried before. True when it is open.
bool Session::EnsureOpen() {
  if (life_.state() != State::kNew) {
    const State now = life_.state();
    return now == State::kOpen || now == State::kTracing || now == State::kStopped;
  }
  // A privileged program must not take orders from its user's environment.
  if (getauxval(AT_SECURE) != 0) {
    (void)life_.Advance(State::kNew, State::kOff);  // the lock is held: nobody was faster
    return false;
  }
  Status problem = read_config_(&config_);
  if (const Status chosen = ChooseEvents(); !chosen.ok() && problem.ok()) problem = chosen;
  SetStrict(config_.strict);
  if (config_.disabled) {
    if (!problem.ok()) {
      Warn("%s", problem.message());
      output_->SayRefused(config_, problem.message());
    }
    (void)life_.Advance(State::kNew, State::kOff);  // as above
    return false;
  }
  const Status opened = output_->Open(config_);
  if (!opened.ok()) {
    Warn("tracing is off in process %d: %s", static_cast<int>(getpid()), opened.message());
    (void)life_.Advance(State::kNew, State::kOff);  // as above
    return false;
  }
  const bool open = life_.Advance(State::kNew, State::kOpen);
  if (open && !problem.ok()) Complain(problem.message());
  return open;
}

Status Session::ChooseEvents() {
  events_ = EventsOf(config_.mode);
  if (config_.barriers) events_.Add(EventKind::kBarrier);
  if (config_.events[0] == '\0' || config_.disabled) return Status::Ok();
  if (config_.mode == Mode::kClr)
    return Status::Error(
        "RTL_EVENTS is ignored in mode clr, which records what HIP's profiler has");
  EventSet chosen;
  if (const Status parsed = ParseEvents(config_.events, &chosen); !parsed.ok()) {
    config_.disabled = true;
    return Status::Error("RTL_EVENTS: %s; tracing is off", parsed.message());
  }
  if (config_.barriers && chosen.Has(EventKind::kKernel)) chosen.Add(EventKind::kBarrier);
  events_ = chosen;
  leaves_markers_.store(!chosen.Has(EventKind::kMarker), std::memory_order_relaxed);
  return Status::Ok();
}

RecordSink* Session::marker_sink() {
  RecordSink* const open = sink();
  if (open == nullptr) return nullptr;
  if (!noted_markers_.load(std::memory_order_relaxed)) [[unlikely]]
    NoteMarkers();
  return leaves_markers_.load(std::memory_order_relaxed) ? nullptr : open;
}

RecordSink* Session::sink() {
  switch (life_.state()) {
    case State::kOpen:
    case State::kTracing:
    case State::kStopped:
      return output_->sink();
    case State::kNew:
      break;
    default:
      return nullptr;
  }
  // Opening calls into libraries that the application may have wrapped, markers and all.
  if (ReentryGuard::Active()) return nullptr;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  return EnsureOpen() ? output_->sink() : nullptr;
}

void Session::Heartbeat(void* output) { static_cast<TraceOutput*>(output)->Maintain(); }

Status Session::Install(void* root_table, Door door) {
  RTL_TRY(tables_.Open(root_table));
  ModeChoice choice;
  const bool hip = WantsCalls();
  const ModeWish wish = {config_.mode == Mode::kHip ? Mode::kAuto : config_.mode,
                         config_.queue_door, config_.force_full};
  RTL_TRY(ChooseMode(wish, tables_, &choice));
  RTL_TRY(code_objects_.Install(&tables_, output_->sink()));
  CaptureOptions options;
  options.mode = choice.mode;
  options.queues = choice.queues;
  options.app_signals = config_.app_signals;
  options.kernels = events_.Has(EventKind::kKernel);
  options.copies = events_.Has(EventKind::kCopy);
  options.barriers = events_.Has(EventKind::kBarrier);
  options.exit_budget_ns = config_.exit_budget_ns;
  options.room_wait_ns = config_.room_wait_ns;
  options.seen = output_->seen_slots();
  options.in_flight = output_->in_flight();
  options.counters = output_->counters();
  options.heartbeat = Heartbeat;
  options.heartbeat_data = output_;
  options.note_origins = hip || note_origins_;
  options.watcher = submission_watcher_;
  if (hip || events_.Has(EventKind::kInit)) options.on_runtime_use = OnRuntimeUse;
  if (door == Door::kRegister) options.on_last_shut_down = OnLastShutDown;
  options.runtime_data = this;
  RTL_TRY(capture_.Install(&tables_, output_->sink(), &code_objects_, options));
  choice_ = choice;
  return Status::Ok();
}

HipCalls::Services Session::HipServices() {
  const CaptureCounters counters = output_->counters();
  const bool compiler = events_.Has(EventKind::kCompilerCall);
  return {output_->sink(),
          counters.hip_calls_seen,
          capture_.clock(),
          nullptr,
          events_.Has(EventKind::kHipCall),
          compiler ? counters.compiler_calls_seen : nullptr};
}

// HIP initialises the runtime before its first call counts as begun, so this is in time for it.
void Session::OpenHip() {
  if (events_.Has(EventKind::kInit) && !noted_hip_) {
    HipLibrary hip;
    if (hip.Find()) NoteHip(VersionOf(hip.major(), hip.minor()), 0);
  }
  const bool wanted =
      WantsCalls() && config_.mode != Mode::kClr && config_.hip_door != HipDoor::kNone;
  if (!wanted || !hip_.ShouldOpen()) return;
  const Status opened = hip_.Open(HipServices(), config_.hip_door);
  if (!opened.ok()) ComplainAboutHip(opened);
}

void Session::ComplainAboutHip(const Status& why) {
  char text[320];
  snprintf(text, sizeof text, "HIP calls are not recorded in process %d: %s",
           static_cast<int>(getpid()), why.message());
  Complain(text);
}

bool Session::WantsHip(HipDoor door) {
  return EnsureOpen() && WantsCalls() && config_.mode != Mode::kClr &&
         (config_.hip_door == HipDoor::kAuto || config_.hip_door == door);
}

// Mode clr cannot be had here. False: the user has allowed mode hip instead.
bool Session::ClrIsRefused(const Status& why) {
  char text[480];
  if (config_.allow_fallback) {
    config_.mode = Mode::kHip;
    events_ = EventsOf(Mode::kHip);
    snprintf(text, sizeof text, "mode clr cannot be had in process %d, mode hip instead: %s",
             static_cast<int>(getpid()), why.message());
    Complain(text);
    return false;
  }
  if (clr_refused_) return true;
  clr_refused_ = true;
  snprintf(text, sizeof text,
           "process %d is not traced: mode clr cannot be had: %s (--allow-fallback goes on in mode "
           "hip)",
           static_cast<int>(getpid()), why.message());
  Complain(text);
  output_->SayRefused(config_, why.message());
  return true;
}

// Not inside the runtime's initialisation: HIP would be in the middle of its own.
const PreloadDoor* Session::OpenClr(const PreloadedCalls& calls) {
  static constexpr char kHere = 0;
  ClrCapture::Options options;
  options.services.sink = output_->sink();
  options.services.calls_seen = output_->counters().hip_calls_seen;
  options.services.other_packets = output_->counters().other_packets;
  options.calls = calls;
  options.own_library = &kHere;
  const PreloadDoor* door = nullptr;
  const Status opened = clr_.Open(options, &door);
  if (opened.ok()) {
    DescribeClr();
    return door;
  }
  if (ClrIsRefused(opened)) return nullptr;
  const Status preloaded = hip_.OpenPreload(HipServices(), calls, &door);
  if (!preloaded.ok()) ComplainAboutHip(preloaded);
  if (hooked_) Describe();
  return door;
}

void Session::DescribeClr() {
  output_->Describe({clr_.description(), clr_.library_path(), ModeName(Mode::kClr),
                     "asked for; calls, kernels and copies as HIP's own profiler tells them"});
}

void Session::StopClr() {
  if (!clr_.open()) {
    const bool unseen = met_runtime_ && !clr_refused_ && config_.mode == Mode::kClr;
    if (unseen && life_.state() == State::kOpen) {
      (void)ClrIsRefused(Status::Error(
          "no call of HIP came through librtl_hip.so, at the first of which HIP's profiler is "
          "switched on; `rtl trace` preloads it"));
    }
    return;
  }
  clr_.Stop(config_.exit_budget_ns);
  if (clr_.warning() != nullptr) Complain(clr_.warning());
  DescribeClr();
}

// The first call begins before there is a runtime.
const PreloadDoor* Session::OpenHipPreload(const PreloadedCalls& calls) {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return nullptr;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  if (EnsureOpen() && config_.mode == Mode::kClr) return OpenClr(calls);
  if (!WantsHip(HipDoor::kPreload)) return nullptr;
  const PreloadDoor* door = nullptr;
  const Status opened = hip_.OpenPreload(HipServices(), calls, &door);
  if (!opened.ok()) ComplainAboutHip(opened);
  if (hooked_) Describe();
  return door;
}

bool Session::OpenHipTable(const char* name, void* table) {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return false;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  if (!WantsHip(HipDoor::kRegister)) return false;
  const Status opened = hip_.OpenTable(HipServices(), name, table);
  if (!opened.ok()) {
    char text[320];
    snprintf(text, sizeof text, "HIP's table is not used in process %d: %s",
             static_cast<int>(getpid()), opened.message());
    Complain(text);
  }
  if (hooked_) Describe();
  return opened.ok();
}

void Session::Describe() {
  char runtime[64];
  tables_.Describe(runtime, sizeof runtime);
  char door[160];
  snprintf(door, sizeof door, "%s%s%s", DoorName(door_), hip_.open() ? "; " : "",
           hip_.description());
  const bool hip = config_.mode == Mode::kHip;  // by name: the events are another matter
  char reason[sizeof choice_.reason + 48];
  snprintf(reason, sizeof reason, "%s%s%s%s", hip ? "asked for; kernels as in " : "",
           hip ? ModeName(choice_.mode) : "", hip ? ": " : "", choice_.reason);
  output_->Describe({door, runtime, ModeName(hip ? Mode::kHip : choice_.mode), reason});
}

// A program may use the runtime first and load HIP afterwards.
void Session::OnRuntimeUse(void* data) {
  auto* const session = static_cast<Session*>(data);
  if (session->life_.state() != State::kTracing) return;
  const ReentryGuard guard;
  const MutexLock lock(session->mutex_);
  if (session->life_.state() != State::kTracing) return;
  session->OpenHip();
  if (session->hip_.open()) session->Describe();
}

// The tables are put back before the runtime goes: it may come again with the same ones.
void Session::OnLastShutDown(void* data) { static_cast<Session*>(data)->OnUnload(); }

bool Session::OnLoad(void* root_table, Door door) {
  if (life_.state() == State::kForked) return false;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  if (!EnsureOpen()) return false;
  if (config_.mode == Mode::kClr) {
    met_runtime_ = true;
    // With leave to fall back it must be known now, before there are queues.
    static constexpr char kHere = 0;
    if (!config_.allow_fallback || clr_.open()) return true;
    const Status probed = clr_.Probe(&kHere);
    if (probed.ok() || ClrIsRefused(probed)) return true;
  }
  if (hooked_ && root_table == root_table_) return true;
  if (life_.state() != State::kOpen) {
    ++other_runtimes_;
    Complain("a second HSA runtime in this process is not traced");
    return false;
  }
  const Status installed = Install(root_table, door);
  if (!installed.ok()) {
    code_objects_.Reset();
    tables_.Restore();  // every original pointer is back before anybody hears of it
    char text[320];
    snprintf(text, sizeof text, "GPU kernels are not traced in process %d: %s",
             static_cast<int>(getpid()), installed.message());
    Complain(text);
    output_->SayRefused(config_, installed.message());
    return false;
  }
  WatchCalls(root_table);
  hooked_ = true;
  root_table_ = root_table;
  door_ = door;
  hip_.Rearm(HipServices());
  OpenHip();
  Describe();
  return life_.Advance(State::kOpen, State::kTracing);
}

// Functions of ours in front of everything else, last: what stood in the tables is called by them.
void Session::WatchCalls(void* root_table) {
  RecordSink* const sink = output_->sink();
  HsaCallHooks::Services services;
  services.sink = sink;
  services.clock = capture_.clock();
  services.calls = events_.Has(EventKind::kHsaCall);
  services.allocations = events_.Has(EventKind::kAllocation);
  services.agent_number = [](const void* capture, hsa_agent_t agent) {
    return static_cast<const HsaCapture*>(capture)->AgentNumber(agent);
  };
  services.agent_data = &capture_;
  call_hooks_.Install(root_table, services);
  if (events_.Has(EventKind::kScratch) && !scratch_.Install(root_table, sink, capture_.clock())) {
    char text[160];
    snprintf(
        text, sizeof text,
        "scratch memory is not recorded in process %d: only runtimes from ROCm 6.1 on report it",
        static_cast<int>(getpid()));
    Complain(text);
  }
  uint16_t major = 0, minor = 0;
  const HsaApi& api = tables_.api();
  if (api.system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major) == HSA_STATUS_SUCCESS &&
      api.system_get_info(HSA_SYSTEM_INFO_VERSION_MINOR, &minor) == HSA_STATUS_SUCCESS)
    NoteInit(InitOperation::kHsa, VersionOf(major, minor), other_runtimes_);
}

void Session::NoteInit(InitOperation runtime, uint64_t version, uint64_t instance) {
  if (!events_.Has(EventKind::kInit)) return;
  RecordSink* const sink = output_->sink();
  InitValues values;
  values.version = version;
  values.instance = instance;
  EventRecord record;
  record.head.type = RecordType::kEvent;
  record.head.thread = ThreadId::Current();
  record.start = record.end = BootTimeNs();
  record.kind = EventKind::kInit;
  record.values = sizeof values / sizeof(uint64_t);
  record.operation = static_cast<uint16_t>(runtime);
  record.text_bytes = sizeof values;
  sink->CountSeen(EventKind::kInit, 1);
  if (!sink->Write(&record, sizeof record, reinterpret_cast<const char*>(&values), sizeof values))
    sink->CountLoss(EventKind::kInit, Loss::kSpoolFull, 1);
}

// It may be found before it registers its tables.
void Session::NoteHip(uint64_t version, uint64_t instance) {
  if (noted_hip_ && instance == 0) return;
  noted_hip_ = true;
  NoteInit(InitOperation::kHip, version, instance);
}

[[gnu::cold]] void Session::NoteMarkers() {
  if (ReentryGuard::Active() || noted_markers_.exchange(true, std::memory_order_relaxed)) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  NoteInit(InitOperation::kRoctx, kRoctxVersion, 0);
}

void Session::NoteTables(const char* name, uint64_t version, uint64_t instance) {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return;
  for (const auto& each : kRuntimes) {
    if (strcmp(each.tables, name) != 0) continue;
    const ReentryGuard guard;
    const MutexLock lock(mutex_);
    if (!EnsureOpen()) return;
    if (each.runtime == InitOperation::kHip) return NoteHip(version, instance);
    return NoteInit(each.runtime, version, instance);
  }
}

void Session::StopLocked() {
  call_hooks_.Disarm();
  scratch_.Disarm();
  hip_.Disarm();
  StopClr();
  if (life_.state() != State::kTracing) return;
  if (hip_.missing() != nullptr) ComplainAboutHip(Status::Error("%s", hip_.missing()));
  capture_.Stop();
  code_objects_.Disarm();
  // Fails only in the child of a fork, which has nothing to stop.
  (void)life_.Advance(State::kTracing, State::kStopped);
}

void Session::Stop() {
  if (life_.state() != State::kTracing && !clr_.open()) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  StopLocked();
}

void Session::OnUnload() {
  if (life_.state() == State::kForked) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  if (other_runtimes_ != 0) {
    --other_runtimes_;
    return;
  }
  if (!hooked_) return;
  StopLocked();
  call_hooks_.Remove();
  scratch_.Remove();
  // Also when the trace is finished: nothing of ours may call a runtime that is gone.
  capture_.Unload();
  code_objects_.Reset();
  tables_.Restore();
  hooked_ = false;
  if (life_.state() == State::kStopped) (void)life_.Advance(State::kStopped, State::kOpen);
}

void Session::Finish() {
  const State now = life_.state();
  if (now != State::kOpen && now != State::kTracing && now != State::kStopped) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  StopLocked();
  const State stopped = life_.state();
  if (stopped == State::kFinished || stopped == State::kForked) return;
  // First, so that late markers are refused and not counted after the counters are final.
  if (!life_.Advance(stopped, State::kFinished)) return;
  output_->Finish();
}

void Session::OnForkInChild() {
  life_.Fork();
  call_hooks_.Disarm();
  scratch_.Disarm();
  hip_.Disarm();
  clr_.DisarmInChild();
  code_objects_.Disarm();
  capture_.DisarmInChild();
}

}  // namespace rtl::capture
