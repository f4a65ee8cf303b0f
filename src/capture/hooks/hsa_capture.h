// SPDX-License-Identifier: MIT
// hsa_capture.h: the part of the tracer that hooks the HSA runtime: queues, packets, signals, and
// the worker thread. One per process.
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
// Errors     before Install returns an error, it restores every original pointer
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
#include "capture/hsa/submitted_slots.h"
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
  // Notes which thread reserves which packet, so that kernels can be linked to their API calls.
  bool note_origins = false;
  // Called for kernels and copies when they are submitted. May be null.
  SubmissionWatcher* watcher = nullptr;
  // The demand that says whether tools want anything now. Null if there are no tools.
  const Demand* tools = nullptr;
  // The same demand, if there are tools and no trace: while tools want nothing, the hooks do
  // nothing.
  const Demand* demand = nullptr;
  // Called when queues are created and destroyed. May be null.
  QueueWatcher* queue_watcher = nullptr;
  // Chooses counters for kernels; packets then go through moved queues (moved_queue.h). May be
  // null.
  CounterUser* counter_user = nullptr;
  const char* counter_library = nullptr;  // KernelCounting::Options
  uint64_t counter_bound_ns = 0;
  void* root_table = nullptr;  // the runtime's HsaApiTable; needed only with counter_user
  // The runtime is already running: queues that exist are traced from their next packet on.
  bool running = false;
  // Called on the application's thread each time it has initialised the runtime, because a library
  // that uses the runtime may have been loaded. May be null.
  void (*on_runtime_use)(void* data) = nullptr;
  // Called on the application's thread inside the last hsa_shut_down, while the runtime still
  // works, because some runtimes do not call OnUnload. May be null.
  void (*on_last_shut_down)(void* data) = nullptr;
  void* runtime_data = nullptr;  // argument of both functions
  AppSignals app_signals = AppSignals::kDefault;
  bool kernels = true;    // see the application's queues and their packets
  bool copies = true;     // see asynchronous copies
  bool barriers = false;  // record barrier packets as well as kernels
  // When the application waits for a signal or loads it, the events that have ended are recorded
  // before the call returns. The worker reports these events to a watcher a moment later.
  bool bring_home = true;
  uint64_t exit_budget_ns = 100'000'000;
  SubmittedSlots submitted;
  // where kernels in flight are kept; null: no particular memory
  InFlightMemory* in_flight = nullptr;
  CaptureCounters counters;
  // Called by the worker at least every 25 ms, and soon after records were written. It prepares the
  // spool's next chunks. May be null.
  void (*heartbeat)(void* data) = nullptr;
  void* heartbeat_data = nullptr;
  uint32_t first_signals = 64;   // signals that Install creates
  uint32_t kept_signals = 4096;  // signals that are kept; more exist only under load
  // If the worker makes no pass for this time, it is suspected to be stalled. If it makes none for
  // as long again, packets pass through untouched until its next pass.
  uint64_t stall_ns = 1'000'000'000;
  // The longest time that the hook waits for room for a kernel, or for a stalled worker. Zero: only
  // as long as it takes to yield the processor to the worker.
  uint64_t room_wait_ns = 0;
  uint32_t pending_per_queue = 65'536;  // most kernels in flight that are remembered per queue
};

class HsaCapture {
 public:
  HsaCapture();
  HsaCapture(const HsaCapture&) = delete;
  HsaCapture& operator=(const HsaCapture&) = delete;
  ~HsaCapture();  // called by tests only; the product never destroys its only instance

  // Creates the first signals, starts the worker, puts the hooks into the tables. `tables` (open),
  // `sink` and `kernels` must live as long as the process. Install may be called again after
  // Unload, when a runtime that was shut down returns; numbers then continue.
  Status Install(HsaTables* tables, RecordSink* sink, KernelLookup* kernels,
                 const CaptureOptions& options);
  // Install with other options, for the same runtime and tables, while queues may exist. On an
  // error nothing has changed.
  Status Reinstall(RecordSink* sink, KernelLookup* kernels, const CaptureOptions& options);
  // Adds tools while queues are in use: they get what is submitted from now on. On an error nothing
  // has changed for the trace.
  Status AddTools(const CaptureOptions& options);
  // True if the program has created queues.
  bool HasQueues() const;
  // Writes an AgentRecord per agent. An error means that the sink has no room for them.
  Status TellAgents(RecordSink* sink) const;

  // If counters were requested and kernels are not counted: the reason.
  const Status& counting() const { return counting_; }

  // The process has begun to run its exit handlers. Any thread, without a lock.
  void NoteExit();

  // Waits until nothing is in flight, for at most the exit budget; Stop may use the rest of this
  // budget. Also ends the counting of kernels, because the end of the process destroys the data of
  // AMD's library before the runtime is shut down. Any thread of the application, without a lock.
  void AwaitEnds();

  // Disarms the hooks, waits for events in flight for at most the exit budget, and counts the rest
  // as kShutdown. The worker runs on until all kernels have ended whose signals of the application
  // it must complete, or until Unload. Idempotent.
  void Stop();

  // Reads all ended events and reports them to the watchers. False if this takes too long. Any
  // thread, but the caller must not hold a lock that a watcher takes.
  bool SettleEnded();

  // The runtime is about to be unloaded; no HSA function is called after this. Calls Stop, restores
  // the tables, ends the worker. Idempotent.
  void Unload();

  // The trace ends and the process goes on: disarms the hooks and restores the tables.
  void BeginToLeave();
  // BeginToLeave, and then Stop. The application's signals are still completed when their kernels
  // end. Idempotent.
  void Leave();

  // In the child of a fork: hooks pass through, and nothing else changes.
  void DisarmInChild();

  // The clock that stamps packets; null before Install. Lives as long as the process.
  const FastClock* clock() const;

  // The 1-based number of an agent (AgentRecord::agent); zero if the agent is not known. Any
  // thread, no lock.
  uint32_t AgentNumber(hsa_agent_t agent) const;
  // The same, for users that get a function and its data.
  static uint32_t AgentNumberIn(const void* capture, hsa_agent_t agent) {
    return static_cast<const HsaCapture*>(capture)->AgentNumber(agent);
  }

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
