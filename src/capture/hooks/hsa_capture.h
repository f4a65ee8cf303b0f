// SPDX-License-Identifier: MIT
// hsa_capture.h: the HSA side of the tracer: queues, packets, signals, the worker. One per process.
//
//   state        entered by                            meaning
//   kUnloaded    -                                     hooks are not in the tables
//   kTracing     Install, from OnLoad                  every kernel packet is recorded or counted
//   kStopped     Stop: the last hsa_shut_down, the     no new events; events in flight may end
//                end of the process                    within the exit budget; hooks pass through
//   kUnloaded    Unload                                the originals are back, the worker has ended
//
// Threads    Install, Stop and Unload: any thread, one at a time (the session ensures it)
// Blocking   Stop: at most the exit budget plus one pass of the worker
// Memory     leaked on purpose: late threads may still be inside a hook
// Errors     Install restores every original pointer before it returns one
// Why        docs/design/signals.md, docs/adr/0001-app-signals.md
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/config.h"
#include "base/demand.h"
#include "base/fast_clock.h"
#include "base/status.h"
#include "capture/hsa/hsa_api.h"
#include "capture/hsa/kernel_lookup.h"
#include "capture/hsa/seen_slots.h"
#include "capture/worker/worker.h"
#include "model/in_flight.h"
#include "model/record_sink.h"

namespace rtl::capture {

class CounterUser;
class QueueWatcher;
class SubmissionWatcher;

struct CaptureOptions {
  Mode mode = Mode::kStandard;                   // never kAuto
  QueueMethod queues = QueueMethod::kIntercept;  // never kAuto
  // Notes which thread reserves which packet, to link kernels to their API calls.
  bool note_origins = false;
  // Called for kernels and copies when they are submitted. May be null.
  SubmissionWatcher* watcher = nullptr;
  // Whether tools want anything now. Null: there are none.
  const Demand* tools = nullptr;
  // The same for tools without a trace: while they want nothing, nothing is seen.
  const Demand* demand = nullptr;
  // Called for queues. May be null.
  QueueWatcher* queue_watcher = nullptr;
  // Requests counters for kernels; their packets are moved then (moved_queue.h). May be null.
  CounterUser* counter_user = nullptr;
  const char* counter_library = nullptr;  // KernelCounting::Options
  uint64_t counter_bound_ns = 0;
  void* root_table = nullptr;  // the runtime's HsaApiTable; only with counter_user
  // The runtime runs already: queues that exist are traced from their next packet on.
  bool running = false;
  // Called on the application's thread each time after it has initialised the runtime: a library on
  // top of the runtime may have been loaded. May be null.
  void (*on_runtime_use)(void* data) = nullptr;
  // Called on the application's thread inside the last hsa_shut_down, while the runtime still
  // works: for a runtime that will not call OnUnload. May be null.
  void (*on_last_shut_down)(void* data) = nullptr;
  void* runtime_data = nullptr;  // for both
  AppSignals app_signals = AppSignals::kDefault;
  bool kernels = true;    // see the application's queues and their packets
  bool copies = true;     // see asynchronous copies
  bool barriers = false;  // record barrier packets as well as kernels
  // The application's waits and loads of signals record ended events before they return. The worker
  // reports these events to a watcher a moment later.
  bool bring_home = true;
  uint64_t exit_budget_ns = 100'000'000;
  SeenSlots seen;
  InFlightMemory* in_flight = nullptr;  // storage for kernels in flight; null: none in particular
  CaptureCounters counters;
  // Called by the worker at least every 25 ms and soon after records were written; prepares the
  // spool's next chunks. May be null.
  void (*heartbeat)(void* data) = nullptr;
  void* heartbeat_data = nullptr;
  uint32_t first_signals = 64;   // created by Install
  uint32_t kept_signals = 4096;  // more than these exist only under load
  // A worker without a pass for this time is suspected. After as long again without one, packets
  // pass through untouched until its next pass.
  uint64_t stall_ns = 1'000'000'000;
  // The hook waits at most this long for room for a kernel, and for a stalled worker. Zero: only as
  // long as it takes to lend the worker a processor.
  uint64_t room_wait_ns = 0;
  uint32_t pending_per_queue = 65'536;  // remembered kernels in flight per queue
};

class HsaCapture {
 public:
  HsaCapture();
  HsaCapture(const HsaCapture&) = delete;
  HsaCapture& operator=(const HsaCapture&) = delete;
  ~HsaCapture();  // tests only; the product leaks its only instance

  // Creates the first signals, starts the worker, puts the hooks into the tables. `tables` (open),
  // `sink` and `kernels` must live as long as the process. May be repeated after Unload, for a
  // runtime that was shut down and returns; the numbering continues.
  Status Install(HsaTables* tables, RecordSink* sink, KernelLookup* kernels,
                 const CaptureOptions& options);
  // The same with other options, for the runtime and the tables of Install. On an error nothing has
  // changed: queues exist already.
  Status Reinstall(RecordSink* sink, KernelLookup* kernels, const CaptureOptions& options);
  // Tools join while queues are in use: they get what is submitted from now on. On an error nothing
  // has changed for the trace.
  Status AddTools(const CaptureOptions& options);
  // True if the program has made queues.
  bool HasQueues() const;
  // Writes an AgentRecord per agent. An error: there is no room for them.
  Status TellAgents(RecordSink* sink) const;

  // Why kernels are not counted although counters were requested.
  const Status& counting() const { return counting_; }

  // Exit handlers run. Any thread, without a lock.
  void NoteExit();

  // Waits until nothing is in flight, at most the exit budget; Stop has what is left of it. Ends
  // the counting of kernels: exit destroys what AMD's library keeps before the runtime is shut
  // down. Any thread of the application, without a lock.
  void AwaitEnds();

  // Disarms the hooks, waits for events in flight for at most the exit budget, counts the rest as
  // kShutdown. The worker stays until it has completed the application's pending signals when their
  // kernels end, or until Unload. Idempotent.
  void Stop();

  // Reads all ended events and reports them to the watchers. False: not in time. Any thread, but
  // the caller must not hold a lock that the watcher takes.
  bool SettleEnded();

  // The runtime is about to be unloaded: no HSA function is called afterwards. Calls Stop first;
  // restores the tables; ends the worker. Idempotent.
  void Unload();

  // The trace ends and the process goes on: nothing more is seen, and the tables are restored.
  void BeginToLeave();
  // The same, and then as Stop. Signals of the application are completed when their kernels end.
  // Idempotent.
  void Leave();

  // In the child of a fork: hooks pass through, and nothing else changes.
  void DisarmInChild();

  // The clock that stamps packets; null before Install. Lives as long as the process.
  const FastClock* clock() const;

  // The 1-based number of an agent (AgentRecord::agent); zero when unknown. Any thread, no lock.
  uint32_t AgentNumber(hsa_agent_t agent) const;

 private:
  friend struct Hooks;  // the functions in the runtime's tables
  struct Impl;
  Status InstallAfter(const Impl* before, HsaTables* tables, RecordSink* sink,
                      KernelLookup* kernels, const CaptureOptions& options);

  static std::atomic<Impl*> installed_;  // used by the hooks, which carry no data of their own
  Impl* impl_;
  Status counting_ = Status::Ok();
};

}  // namespace rtl::capture
