// SPDX-License-Identifier: MIT
#include "capture/session/session.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/own_thread.h"
#include "base/thread_state.h"
#include "capture/hsa/gpu_faults.h"
#include "capture/hsa/mode_choice.h"

namespace rtl::capture {
namespace {

using State = Lifecycle::State;

const char* LoadedByName(Session::LoadedBy loaded_by) {
  if (loaded_by == Session::LoadedBy::kMemory) return "tables in its memory";
  return loaded_by == Session::LoadedBy::kRegister ? "rocprofiler-register" : "HSA_TOOLS_LIB";
}

// Writes the warning into the trace, because the line on stderr may be gone later. False if there
// is no room for it.
bool WriteWarning(RecordSink* sink, const char* text) {
  WarningRecord record;
  record.head.type = RecordType::kWarning;
  record.head.thread = ThreadId::Current();
  record.time = BootTimeNs();
  record.text_bytes = static_cast<uint32_t>(strlen(text));
  return sink->Write(&record, sizeof record, text, record.text_bytes);
}

constexpr struct {
  const char* tables;
  InitOperation runtime;
} kRuntimes[] = {{"hip", InitOperation::kHip},
                 {"rccl", InitOperation::kRccl},
                 {"rocdecode", InitOperation::kRocdecode},
                 {"rocjpeg", InitOperation::kRocjpeg}};
// 4.1, as roctx_version_major and roctx_version_minor return it
constexpr uint64_t kRoctxVersion = 40'100;

}  // namespace

void Session::Add(CallSource* source) { sources_[source_count_++] = source; }

bool Session::Usable() const { return life_.state() != State::kForked && !ReentryGuard::Active(); }

bool Session::Recording() const {
  const State now = life_.state();
  return now == State::kOpen || now == State::kTracing;
}

bool Session::Plan() {
  if (plan_.made()) return !plan_.off();
  if (!plan_.Make()) return false;
  sinks_.SetFilter(trace_counters_.filter());
  leaves_markers_.store(!events().Has(EventKind::kMarker), std::memory_order_relaxed);
  if (plan_.off() && !plan_.problem().ok()) {
    Warn("%s", plan_.problem().message());
    output_->SayRefused(config(), plan_.problem().message());
  }
  return !plan_.off();
}

void Session::ComplainToTools(const char* what, const Status& why) {
  Warn("%s not reported to tools in process %d: %s", what, static_cast<int>(getpid()),
       why.message());
}

void Session::Complain(const char* text) {
  const bool stored = Recording() && WriteWarning(output_->sink(), text);
  // The launcher of this process prints the warnings in the trace.
  const bool launched = config().spool[0] != '\0';
  if (!stored || !launched) Warn("%s", text);
}

bool Session::EnsureOpen() {
  if (life_.state() != State::kNew) {
    const State now = life_.state();
    return now == State::kOpen || now == State::kTracing || now == State::kStopped;
  }
  if (!Plan()) {
    (void)life_.Advance(State::kNew, State::kOff);  // cannot fail, because the lock is held
    return false;
  }
  const Status opened = output_->Open(config());
  if (!opened.ok()) {
    // A user who traces a running program sees this in the output; stderr belongs to the program.
    if (!config().leaves)
      Warn("tracing is off in process %d: %s", static_cast<int>(getpid()), opened.message());
    no_output_ = true;
    (void)life_.Advance(State::kNew, State::kOff);  // cannot fail, because the lock is held
    return false;
  }
  if (!life_.Advance(State::kNew, State::kOpen)) return false;
  output_->SayEvents(events());
  if (!plan_.problem().ok()) Complain(plan_.problem().message());
  init_.NoteRemembered(InitSink());
  return true;
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
    case State::kForked:
      return &forked_sink_;
    default:
      return nullptr;
  }
  // Opening the trace calls libraries whose functions the application may have wrapped, with
  // markers, too.
  if (ReentryGuard::Active()) return nullptr;
  // a marker of a signal handler is recorded after the trace has opened
  const SignalsBlocked blocked;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  return EnsureOpen() ? output_->sink() : nullptr;
}

void Session::Heartbeat(void* output) { static_cast<TraceOutput*>(output)->Maintain(); }

bool Session::LinksKernels() {
  bool links = false;
  for (size_t i = 0; i < source_count_; ++i)
    links |= sources_[i]->LinksKernels(In(Party::kTrace), In(Party::kTools));
  return links;
}

void Session::TellSources() {
  for (size_t i = 0; i < source_count_; ++i) sources_[i]->RuntimeReady();
}

CaptureOptions Session::Options(const ModeChoice& choice) {
  const bool trace = In(Party::kTrace);
  const bool tools = In(Party::kTools);
  const bool calls = LinksKernels();
  CaptureOptions options;
  options.mode = choice.mode;
  options.queues = choice.queues;
  options.app_signals = config().app_signals;
  options.kernels = tools || (trace && events().Has(EventKind::kKernel));
  options.copies = tools || (trace && events().Has(EventKind::kCopy));
  options.barriers = trace && events().Has(EventKind::kBarrier);
  options.exit_budget_ns = config().exit_budget_ns;
  options.room_wait_ns = config().room_wait_ns;
  if (trace) {
    if (events().Has(EventKind::kKernel)) options.submitted = output_->submitted_slots();
    options.in_flight = output_->in_flight();
    options.counters = output_->counters();
    options.heartbeat = Heartbeat;
    options.heartbeat_data = output_;
  }
  if (tools) options.watcher = tools_->submissions();
  static constinit Demand always;
  if (tools) options.tools = tools_->demand() == nullptr ? &always : tools_->demand();
  if (tools && !trace) options.demand = tools_->demand();
  // In a queue that was in use before, the thread that first reserves a packet reports the queue to
  // the registry.
  options.note_origins = calls || options.watcher != nullptr || running_;
  if (calls || (trace && events().Has(EventKind::kInit))) options.on_runtime_use = OnRuntimeUse;
  if (loaded_by_ != LoadedBy::kToolsLib || WantsSamples())
    options.on_last_shut_down = OnLastShutDown;
  options.runtime_data = this;
  if (WantsSamples()) options.queue_watcher = &sampler_;
  if (options.kernels) options.counter_user = CountersFor();
  options.counter_library = config().aqlprofile;
  options.counter_bound_ns = config().counter_bound_ns;
  options.root_table = root_table_;
  options.running = running_;
  return options;
}

Status Session::Hook(void* root_table) {
  RTL_TRY(tables_.Open(root_table));
  // The modes hip and clr choose only how HIP's calls are recorded. For packets, a tool that joins
  // gets the default mode.
  const bool packets = config().mode != Mode::kHip && config().mode != Mode::kClr;
  const ModeWish wish = {packets ? config().mode : Mode::kAuto, config().queue_method,
                         config().force_full};
  ModeChoice choice;
  RTL_TRY(ChooseMode(wish, tables_, &choice));
  RTL_TRY(code_objects_.Install(&tables_, &sinks_));
  root_table_ = root_table;
  choice_ = choice;
  Adapt();
  RTL_TRY(capture_.Install(&tables_, &sinks_, &code_objects_, Options(choice_)));
  return Hooked(Party::kTrace);
}

// Adds what the tools need to the running engine, because they join while the program's queues are
// in use.
Status Session::AddTools() {
  if (tools_->counters() != nullptr || tools_->WantsSamples())
    return Status::Error("a tool with counters or PC samples must come before the first queue");
  RTL_TRY(TellAgents());
  code_objects_.Repeat(tools_->sink(), tools_->code_objects());
  return capture_.AddTools(Options(choice_));
}

// Sets up the hooks again, for a party that joins after a runtime was hooked.
Status Session::HookAgain(Party joined) {
  if (joined == Party::kTools && capture_.HasQueues()) return AddTools();
  RTL_TRY(tables_.Reopen());
  Adapt();
  RTL_TRY(capture_.Reinstall(&sinks_, &code_objects_, Options(choice_)));
  return Hooked(joined);
}

// Changes the choice so that the PC samples and counters of both parties are possible.
void Session::Adapt() {
  // The runtime's samples have the packet's index in the ring that the GPU reads.
  if (WantsSamples() && config().queue_method == QueueMethod::kAuto &&
      choice_.queues != QueueMethod::kDoorbell) {
    choice_.queues = QueueMethod::kDoorbell;
    snprintf(choice_.reason, sizeof choice_.reason,
             "with PC sampling packets are seen at the doorbell");
  }
  if (CountersFor() != nullptr) choice_.mode = Mode::kFull;
  // An intercept queue makes the runtime do work for each packet, even while no tool wants the
  // packet.
  const bool tools_alone = In(Party::kTools) && !In(Party::kTrace);
  if (tools_alone && tools_->demand() != nullptr && config().queue_method == QueueMethod::kAuto &&
      choice_.queues != QueueMethod::kDoorbell) {
    choice_.queues = QueueMethod::kDoorbell;
    snprintf(choice_.reason, sizeof choice_.reason, "for tools packets are seen at the doorbell");
  }
}

// Called when the runtime's tables hold the tracer's functions. `joined`: kTrace if the trace may
// be new to the runtime.
Status Session::Hooked(Party joined) {
  if (!capture_.counting().ok()) {
    char text[320];
    snprintf(text, sizeof text, "%s in process %d: %s", kNotCountedWarning,
             static_cast<int>(getpid()), capture_.counting().message());
    Complain(text);
  } else if (CountersFor() != nullptr) {
    snprintf(choice_.reason, sizeof choice_.reason,
             "packets are moved to a queue with room for those that count");
  }
  // A handler of the runtime cannot be removed, so a trace that ends before the process has none.
  const bool stays = !config().leaves;
  if (joined == Party::kTrace && In(Party::kTrace) && stays && output_->in_flight() != nullptr)
    WatchFaults(root_table_);
  RTL_TRY(TellAgents());
  if (WantsSamples()) OpenSampler(joined);
  return Status::Ok();
}

// Hooks the runtime for the party. True if it is traced for the party, from now on or already.
bool Session::Join(Party party, void* root_table, LoadedBy loaded_by, bool running) {
  const auto index = static_cast<size_t>(party);
  if (hooked_ && root_table == root_table_ && in_[index]) return true;
  if (hooked_ && root_table != root_table_) {
    ++other_runtimes_[index];
    Complain(kSecondRuntimeWarning);
    return false;
  }
  const bool first = !hooked_;
  if (first) loaded_by_ = loaded_by;
  if (first) running_ = running;
  if (!first || ToolsGetCallsOf(root_table)) LiftWrappers();
  in_[index] = true;
  if (party == Party::kTrace) sinks_.SetTrace(output_->sink(), events());
  if (party == Party::kTools) {
    sinks_.SetTools(tools_->sink());
    code_objects_.Watch(tools_->code_objects());
  }
  const Status hooked = first ? Hook(root_table) : HookAgain(party);
  if (!hooked.ok()) {
    in_[index] = false;
    if (first) {
      capture_.Unload();
      code_objects_.Reset();
      tables_.Restore();  // every original pointer is restored before the failure is reported
    }
    PutWrappers(root_table);
    char text[320];
    snprintf(text, sizeof text, "GPU kernels are not traced in process %d%s: %s",
             static_cast<int>(getpid()), party == Party::kTools ? " for tools" : "",
             hooked.message());
    Complain(text);
    if (party == Party::kTrace) output_->SayRefused(config(), hooked.message());
    return false;
  }
  hooked_ = true;
  root_table_ = root_table;
  if (first && running) code_objects_.AnnounceRunning();
  if (party == Party::kTools) tools_->RuntimeReady(tables_.api(), root_table, &sampler_);
  PutWrappers(root_table);
  return true;
}

Status Session::TellAgents() {
  for (size_t i = 0; i < kParties; ++i) {
    if (!in_[i] || knows_agents_[i]) continue;
    if (static_cast<Party>(i) == Party::kTrace && output_->CountsOnly()) continue;
    RecordSink* const sink =
        static_cast<Party>(i) == Party::kTools ? tools_->sink() : output_->sink();
    RTL_TRY(capture_.TellAgents(sink));
    knows_agents_[i] = true;
  }
  return Status::Ok();
}

// Watches GPU faults, for a trace that outlives the process. If the runtime accepts no handler, a
// fault is not explained in the trace.
void Session::WatchFaults(void* root_table) {
  const auto agent_number = [](const void* data, hsa_agent_t agent) {
    return static_cast<const HsaCapture*>(data)->AgentNumber(agent);
  };
  (void)GpuFaults::Watch(root_table, output_->sink(), agent_number, &capture_);
}

void Session::Describe() {
  char runtime[64];
  tables_.Describe(runtime, sizeof runtime);
  char loaded_by[160];
  int used = snprintf(loaded_by, sizeof loaded_by, "%s", LoadedByName(loaded_by_));
  for (size_t i = 0; i < source_count_; ++i) {
    const char* const by = sources_[i]->description();
    const auto at = static_cast<size_t>(used);
    if (by[0] == '\0' || at >= sizeof loaded_by) continue;
    used += snprintf(loaded_by + at, sizeof loaded_by - at, "; %s", by);
  }
  // use the name "hip", although the events may differ from those of the mode
  const bool hip = config().mode == Mode::kHip;
  char reason[sizeof choice_.reason + 48];
  snprintf(reason, sizeof reason, "%s%s%s%s", hip ? "requested; kernels as in " : "",
           hip ? ModeName(choice_.mode) : "", hip ? ": " : "", choice_.reason);
  output_->SayEvents(events());
  output_->Describe({loaded_by, runtime, ModeName(hip ? Mode::kHip : choice_.mode), reason});
}

// Called when the program uses the runtime: it may load the libraries above the runtime later than
// the runtime.
void Session::OnRuntimeUse(void* data) {
  auto* const session = static_cast<Session*>(data);
  if (session->life_.state() == State::kForked) return;
  const ReentryGuard guard;
  const MutexLock lock(session->mutex_);
  if (!session->hooked_) return;
  session->TellSources();
  session->DescribeAgain();
}

// Fetches the last samples while the runtime still delivers them. If OnUnload will not be called,
// also restores the tables before the runtime is unloaded, because it may be loaded again with the
// same tables.
void Session::OnLastShutDown(void* data) {
  auto* const session = static_cast<Session*>(data);
  if (session->life_.state() == State::kForked) return;
  const ReentryGuard guard;
  const MutexLock lock(session->mutex_);
  if (session->trace_samples_.any() && session->state() == State::kTracing)
    session->trace_samples_.End();
  if (session->loaded_by_ != LoadedBy::kToolsLib) session->Unhook();
}

bool Session::OnLoad(void* root_table, LoadedBy loaded_by, bool running) {
  if (life_.state() == State::kForked) return false;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  met_runtime_.store(true, std::memory_order_relaxed);
  if (!EnsureOpen()) return false;
  for (size_t i = 0; i < source_count_; ++i) {
    if (sources_[i]->ReplacesHooks()) return true;
  }
  if (life_.state() == State::kTracing && root_table == root_table_) return true;
  if (life_.state() == State::kStopped) {
    ++other_runtimes_[static_cast<size_t>(Party::kTrace)];
    Complain(kSecondRuntimeWarning);
    return false;
  }
  if (!Join(Party::kTrace, root_table, loaded_by, running)) return false;
  NoteHsa();
  TellSources();
  Describe();
  return life_.Advance(State::kOpen, State::kTracing);
}

bool Session::OnToolLoad(void* root_table, LoadedBy loaded_by, bool running) {
  if (life_.state() == State::kForked) return false;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  met_runtime_.store(true, std::memory_order_relaxed);
  if (!ToolsAreAllowed()) return false;
  if (!Join(Party::kTools, root_table, loaded_by, running)) return false;
  TellSources();
  return true;
}

void Session::NoteHsa() {
  uint16_t major = 0, minor = 0;
  const HsaApi& api = tables_.api();
  if (api.system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major) == HSA_STATUS_SUCCESS &&
      api.system_get_info(HSA_SYSTEM_INFO_VERSION_MINOR, &minor) == HSA_STATUS_SUCCESS)
    InitEvents::Write(InitSink(), InitOperation::kHsa, VersionOf(major, minor),
                      other_runtimes_[static_cast<size_t>(Party::kTrace)]);
}

[[gnu::cold]] void Session::NoteMarkers() {
  if (ReentryGuard::Active() || noted_markers_.exchange(true, std::memory_order_relaxed)) return;
  const SignalsBlocked blocked;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  InitEvents::Write(InitSink(), InitOperation::kRoctx, kRoctxVersion, 0);
}

void Session::NoteTables(const char* name, uint64_t version, uint64_t instance) {
  if (life_.state() == State::kForked || ReentryGuard::Active()) return;
  for (const auto& each : kRuntimes) {
    if (strcmp(each.tables, name) != 0) continue;
    const ReentryGuard guard;
    const MutexLock lock(mutex_);
    // HIP may register when it is loaded. Only the first use opens the trace, so the library is
    // remembered.
    if (!Plan() || !init_.Remember(each.runtime, version, instance)) return;
    if (life_.state() != State::kNew && EnsureOpen()) NoteRuntime(each.runtime, version, instance);
    return;
  }
}

// Ends the engine. Events that its hooks see afterwards are counted as lost.
void Session::StopEngine() {
  if (life_.state() != State::kTracing) return;
  if (trace_samples_.any()) trace_samples_.End();
  capture_.Stop();
  code_objects_.Disarm();
  // Fails only in the child of a fork, where there is nothing to stop.
  (void)life_.Advance(State::kTracing, State::kStopped);
}

// Waits without the lock, so that threads of the application can go on.
void Session::Settle() {
  const State now = life_.state();
  if (now == State::kTracing) capture_.AwaitEnds();
  if (now == State::kForked) return;
  const ReentryGuard guard;
  if (now == State::kTracing) sampler_.Flush();
  const MutexLock lock(mutex_);
  for (size_t i = 0; i < source_count_; ++i) {
    if (sources_[i]->RecordsAlone()) sources_[i]->Stop();
  }
}

void Session::StopTools(bool (*in_flight)(void* data), void* data) {
  if (life_.state() == State::kForked) return;
  uint64_t until;
  {
    const ReentryGuard guard;
    const MutexLock lock(mutex_);
    if (!In(Party::kTools)) return;
    if (life_.state() != State::kTracing) {
      capture_.Stop();
      code_objects_.Disarm();
      return;
    }
    until = BootTimeNs() + config().exit_budget_ns;
  }
  // Without the lock, because another thread calls the watcher meanwhile.
  while (SettleEnded() && in_flight(data) && BootTimeNs() < until) {
    const timespec pause = {0, 1'000'000};
    (void)nanosleep(&pause, nullptr);  // if interrupted, the loop checks once more
  }
}

// Removes the hooks for both parties: the runtime is unloaded.
void Session::Unhook() {
  if (!hooked_) {
    call_hooks_.Remove();  // the wrappers for tools that need only HSA calls
    tool_root_ = nullptr;
    return;
  }
  if (In(Party::kTools)) tools_->RuntimeGone();
  StopEngine();
  sampler_.Close();
  capture_.Stop();
  LiftWrappers();
  call_hooks_.Remove();
  tool_root_ = nullptr;
  // Needed also when the trace is finished, because the tracer must not call an unloaded runtime.
  capture_.Unload();
  code_objects_.Reset();
  tables_.Restore();
  hooked_ = false;
  for (bool& in : in_) in = false;
  if (life_.state() == State::kStopped) (void)life_.Advance(State::kStopped, State::kOpen);
}

void Session::Unload(Party party) {
  if (life_.state() == State::kForked) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  uint32_t& others = other_runtimes_[static_cast<size_t>(party)];
  if (others != 0) {
    --others;
    return;
  }
  Unhook();
}

void Session::Leave() {
  if (life_.state() == State::kForked) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  // The wrappers of calls are removed first: they lie above the hooks in the table, and a hook
  // below a wrapper would stay.
  if (hooked_) call_hooks_.Remove();
  // Kernels are stopped before calls of HIP, so that each recorded kernel has its call.
  capture_.BeginToLeave();
  for (size_t i = 0; i < source_count_; ++i) sources_[i]->Stop();
  if (hooked_) {
    scratch_.Remove();
    capture_.Leave();
    code_objects_.Disarm();
    hooked_ = false;
    in_[static_cast<size_t>(Party::kTrace)] = false;
    // Fails only in the child of a fork.
    (void)life_.Advance(State::kTracing, State::kStopped);
  }
  const State now = life_.state();
  if (now != State::kOpen && now != State::kStopped) return;
  SayUndescribed();
  if (life_.Advance(now, State::kFinished)) output_->Finish();
}

void Session::Finish() {
  const State now = life_.state();
  if (now != State::kOpen && now != State::kTracing && now != State::kStopped) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  for (size_t i = 0; i < source_count_; ++i) sources_[i]->Finish();
  SayUndescribed();
  StopEngine();
  if (output_->TakesMore()) return output_->Finish();
  call_hooks_.StopRecording();
  scratch_.Disarm();
  for (size_t i = 0; i < source_count_; ++i) sources_[i]->Stop();
  const State stopped = life_.state();
  if (stopped == State::kFinished || stopped == State::kForked) return;
  // The state changes first, so that late markers are rejected and not counted after the counters
  // are final.
  if (!life_.Advance(stopped, State::kFinished)) return;
  output_->Finish();
}

}  // namespace rtl::capture
