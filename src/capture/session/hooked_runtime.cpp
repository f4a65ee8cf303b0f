// SPDX-License-Identifier: MIT
#include "capture/session/hooked_runtime.h"

#include <stdio.h>
#include <unistd.h>

#include "capture/hsa/gpu_faults.h"
#include "capture/session/init_events.h"

namespace rtl::capture {
namespace {

const char* LoadedByName(LoadedBy loaded_by) {
  if (loaded_by == LoadedBy::kMemory) return "tables in its memory";
  return loaded_by == LoadedBy::kRegister ? "rocprofiler-register" : "HSA_TOOLS_LIB";
}

}  // namespace

void HookedRuntime::Heartbeat(void* output) { static_cast<TraceOutput*>(output)->Maintain(); }

CaptureOptions HookedRuntime::Options() const {
  const bool trace = In(Party::kTrace);
  const bool with_tools = In(Party::kTools);
  CaptureOptions options;
  options.mode = choice_.mode;
  options.queues = choice_.queues;
  options.app_signals = config().app_signals;
  options.kernels = with_tools || services_.parties->TraceHas(EventKind::kKernel);
  options.copies = with_tools || services_.parties->TraceHas(EventKind::kCopy);
  options.barriers = services_.parties->TraceHas(EventKind::kBarrier);
  options.exit_budget_ns = config().exit_budget_ns;
  options.room_wait_ns = config().room_wait_ns;
  if (trace) {
    TraceOutput* const output = services_.output;
    if (services_.parties->TraceHas(EventKind::kKernel))
      options.submitted = output->submitted_slots();
    options.in_flight = output->in_flight();
    options.counters = output->counters();
    options.heartbeat = Heartbeat;
    options.heartbeat_data = output;
  }
  static constinit Demand always;
  if (with_tools) {
    options.watcher = tools()->submissions();
    options.tools = tools()->demand() == nullptr ? &always : tools()->demand();
    if (!trace) options.demand = tools()->demand();
  }
  ReportEvents(&options);
  if (options.kernels) options.counter_user = services_.counting->User();
  options.counter_library = config().aqlprofile;
  options.counter_bound_ns = config().counter_bound_ns;
  options.root_table = root_table_;
  options.running = running_;
  return options;
}

void HookedRuntime::ReportEvents(CaptureOptions* options) const {
  const bool calls = services_.sources->LinkKernels(In(Party::kTrace), In(Party::kTools));
  const bool samples = services_.counting->WantsSamples();
  // In a queue that was in use before, the thread that first reserves a packet reports the queue to
  // the registry.
  options->note_origins = calls || options->watcher != nullptr || running_;
  if (calls || services_.parties->TraceHas(EventKind::kInit))
    options->on_runtime_use = services_.on_use;
  if (EndsAtShutDown() || samples) options->on_last_shut_down = services_.on_last_shut_down;
  options->runtime_data = services_.data;
  if (samples) options->queue_watcher = &services_.engine->sampler;
}

Status HookedRuntime::Hook(void* root_table) {
  Engine& engine = *services_.engine;
  RTL_TRY(engine.tables.Open(root_table));
  // The modes hip and clr choose only how HIP's calls are recorded. For packets, a tool that joins
  // gets the default mode.
  const bool packets = config().mode != Mode::kHip && config().mode != Mode::kClr;
  const ModeWish wish = {packets ? config().mode : Mode::kAuto, config().queue_method,
                         config().force_full};
  ModeChoice choice;
  RTL_TRY(ChooseMode(wish, engine.tables, &choice));
  RTL_TRY(engine.code_objects.Install(&engine.tables, services_.parties->sinks()));
  root_table_ = root_table;
  choice_ = choice;
  Adapt();
  RTL_TRY(engine.capture.Install(&engine.tables, services_.parties->sinks(), &engine.code_objects,
                                 Options()));
  return Hooked(Party::kTrace);
}

// Adds what the tools need to the running engine, because they join while the program's queues are
// in use.
Status HookedRuntime::AddTools() {
  if (tools()->counters() != nullptr || tools()->WantsSamples())
    return Status::Error("a tool with counters or PC samples must come before the first queue");
  RTL_TRY(services_.parties->TellAgents(services_.engine->capture));
  services_.engine->code_objects.Repeat(tools()->sink(), tools()->code_objects());
  return services_.engine->capture.AddTools(Options());
}

// Sets up the hooks again, for a party that joins after a runtime was hooked.
Status HookedRuntime::HookAgain(Party joined) {
  Engine& engine = *services_.engine;
  if (joined == Party::kTools && engine.capture.HasQueues()) return AddTools();
  RTL_TRY(engine.tables.Reopen());
  Adapt();
  RTL_TRY(engine.capture.Reinstall(services_.parties->sinks(), &engine.code_objects, Options()));
  return Hooked(joined);
}

void HookedRuntime::SeeAtDoorbell(const char* why) {
  if (config().queue_method != QueueMethod::kAuto || choice_.queues == QueueMethod::kDoorbell)
    return;
  choice_.queues = QueueMethod::kDoorbell;
  snprintf(choice_.reason, sizeof choice_.reason, "%s packets are seen at the doorbell", why);
}

// Changes the choice so that the PC samples and counters of both parties are possible.
void HookedRuntime::Adapt() {
  // The runtime's samples have the packet's index in the ring that the GPU reads.
  if (services_.counting->WantsSamples()) SeeAtDoorbell("with PC sampling");
  if (services_.counting->User() != nullptr) choice_.mode = Mode::kFull;
  // An intercept queue makes the runtime do work for each packet, even while no tool wants the
  // packet.
  const bool tools_alone = In(Party::kTools) && !In(Party::kTrace);
  if (tools_alone && tools()->demand() != nullptr) SeeAtDoorbell("for tools");
}

// Called when the runtime's tables hold the tracer's functions. `joined`: kTrace if the trace may
// be new to the runtime.
Status HookedRuntime::Hooked(Party joined) {
  HsaCapture& capture = services_.engine->capture;
  if (!capture.counting().ok()) {
    services_.warnings->Add("%s in process %d: %s", kNotCountedWarning, static_cast<int>(getpid()),
                            capture.counting().message());
  } else if (services_.counting->User() != nullptr) {
    snprintf(choice_.reason, sizeof choice_.reason,
             "packets are moved to a queue with room for those that count");
  }
  // A handler of the runtime cannot be removed, so a trace that ends before the process has none.
  // If the runtime accepts no handler, a fault is not explained in the trace.
  const bool stays = !config().leaves;
  if (joined == Party::kTrace && In(Party::kTrace) && stays &&
      services_.output->in_flight() != nullptr)
    (void)GpuFaults::Watch(root_table_, services_.output->sink(), HsaCapture::AgentNumberIn,
                           &capture);
  RTL_TRY(services_.parties->TellAgents(capture));
  if (!services_.counting->WantsSamples()) return Status::Ok();
  const Status begun = services_.counting->OpenSampler(root_table_, joined);
  if (!begun.ok())
    services_.warnings->Add("program counters are not sampled in process %d: %s",
                            static_cast<int>(getpid()), begun.message());
  return Status::Ok();
}

void HookedRuntime::Refuse(Party party, bool first, const Status& why) {
  Engine& engine = *services_.engine;
  services_.parties->Leave(party);
  if (first) {
    engine.capture.Unload();
    engine.code_objects.Reset();
    engine.tables.Restore();  // every original pointer is restored before the failure is reported
  }
  services_.warnings->Add("GPU kernels are not traced in process %d%s: %s",
                          static_cast<int>(getpid()), party == Party::kTools ? " for tools" : "",
                          why.message());
  if (party == Party::kTrace) services_.output->SayRefused(config(), why.message());
}

bool HookedRuntime::Join(Party party, void* root_table, LoadedBy loaded_by, bool running) {
  if (Is(root_table) && In(party)) return true;
  if (IsAnother(root_table)) {
    services_.parties->MeetOther(party);
    services_.warnings->Add("%s", kSecondRuntimeWarning);
    return false;
  }
  const bool first = !hooked_;
  if (first) loaded_by_ = loaded_by;
  if (first) running_ = running;
  if (!first || ToolsGetCallsOf(root_table)) LiftWrappers();
  services_.parties->Join(party);
  Engine& engine = *services_.engine;
  if (party == Party::kTools) engine.code_objects.Watch(tools()->code_objects());
  const Status hooked = first ? Hook(root_table) : HookAgain(party);
  if (hooked.ok()) {
    hooked_ = true;
    root_table_ = root_table;
    if (first && running) engine.code_objects.AnnounceRunning();
    if (party == Party::kTools)
      tools()->RuntimeReady(engine.tables.api(), root_table, &engine.sampler);
  } else {
    Refuse(party, first, hooked);
  }
  PutWrappers(root_table);
  return hooked.ok();
}

void HookedRuntime::Describe() const {
  char runtime[64];
  services_.engine->tables.Describe(runtime, sizeof runtime);
  char loaded_by[160];
  const int used = snprintf(loaded_by, sizeof loaded_by, "%s", LoadedByName(loaded_by_));
  services_.sources->Describe(loaded_by, sizeof loaded_by, static_cast<size_t>(used));
  // use the name "hip", although the events may differ from those of the mode
  const bool hip = config().mode == Mode::kHip;
  char reason[sizeof choice_.reason + 48];
  snprintf(reason, sizeof reason, "%s%s%s%s", hip ? "requested; kernels as in " : "",
           hip ? ModeName(choice_.mode) : "", hip ? ": " : "", choice_.reason);
  services_.output->SayEvents(services_.plan->events());
  services_.output->Describe(
      {loaded_by, runtime, ModeName(hip ? Mode::kHip : choice_.mode), reason});
}

uint64_t HookedRuntime::Version() const {
  uint16_t major = 0, minor = 0;
  const HsaApi& api = services_.engine->tables.api();
  if (api.system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major) != HSA_STATUS_SUCCESS ||
      api.system_get_info(HSA_SYSTEM_INFO_VERSION_MINOR, &minor) != HSA_STATUS_SUCCESS)
    return 0;
  return InitEvents::VersionOf(major, minor);
}

// Puts the tracer's wrappers above everything else in the tables: they call the functions that the
// tables had before.
void HookedRuntime::PutWrappers(void* root_table) {
  HsaCallHooks& hooks = services_.engine->call_hooks;
  if (In(Party::kTrace)) WatchCalls(root_table);
  if (In(Party::kTools) || ToolsGetCallsOf(root_table)) hooks.Listen(tools()->hsa_calls());
  hooks.Install(root_table);
}

void HookedRuntime::LiftWrappers() {
  services_.engine->call_hooks.Lift();
  services_.engine->scratch.Remove();
}

void HookedRuntime::ReportCalls(void* root_table) {
  calls_root_ = root_table;
  services_.engine->call_hooks.Listen(tools()->hsa_calls());
  // installed again at once, so that the trace misses no call
  services_.engine->call_hooks.Install(root_table);
}

void HookedRuntime::WatchCalls(void* root_table) {
  Engine& engine = *services_.engine;
  HsaCallHooks::Services services;
  services.sink = services_.output->sink();
  services.clock = engine.capture.clock();
  services.calls = services_.plan->events().Has(EventKind::kHsaCall);
  services.allocations = services_.plan->events().Has(EventKind::kAllocation);
  services.agent_number = HsaCapture::AgentNumberIn;
  services.agent_data = &engine.capture;
  engine.call_hooks.Record(services);
  if (services_.plan->events().Has(EventKind::kScratch) &&
      !engine.scratch.Install(root_table, services.sink, services.clock))
    services_.warnings->Add(
        "scratch memory is not recorded in process %d: only runtimes from ROCm 6.1 on report it",
        static_cast<int>(getpid()));
}

void HookedRuntime::Unhook() {
  Engine& engine = *services_.engine;
  if (hooked_) {
    engine.sampler.Close();
    engine.capture.Stop();
    LiftWrappers();
  }
  engine.call_hooks.Remove();  // also the wrappers for tools that need only HSA calls
  calls_root_ = nullptr;
  if (!hooked_) return;
  // Needed also when the trace is finished, because the tracer must not call an unloaded runtime.
  engine.capture.Unload();
  engine.code_objects.Reset();
  engine.tables.Restore();
  hooked_ = false;
  services_.parties->LeaveAll();
}

void HookedRuntime::Leave() {
  services_.engine->scratch.Remove();
  services_.engine->capture.Leave();
  services_.engine->code_objects.Disarm();
  hooked_ = false;
  services_.parties->Leave(Party::kTrace);
}

}  // namespace rtl::capture
