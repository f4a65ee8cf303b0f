// SPDX-License-Identifier: MIT
// hsa_capture.h: the HSA side of the tracer: queues, packets, signals, the worker. One per process.
//
//   state        who                                   what happens
//   kUnloaded    -                                     hooks are not in the tables
//   kTracing     Install, from OnLoad                  every kernel packet is recorded or counted
//   kStopped     Stop: the last hsa_shut_down, the     no new events; what is in flight is finished
//                                                      within the exit budget; hooks pass through
//   kUnloaded    Unload                                the originals are back, the worker has gone
//
// Threads    Install, Stop and Unload: any thread, one at a time (the session sees to it)
// Blocking   Stop: at most the exit budget plus one pass of the worker
// Memory     leaked on purpose: late threads may still be inside a hook
// Errors     Install puts every original pointer back before it returns one
// Why        docs/design/signals.md, docs/adr/0001-app-signals.md
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/config.h"
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
  Mode mode = Mode::kStandard;               // never kAuto
  QueueDoor queues = QueueDoor::kIntercept;  // never kAuto
  // Notes who reserves which packet, so that kernels know their API calls.
  bool note_origins = false;
  // Is told of kernels and copies as they are submitted. May be null.
  SubmissionWatcher* watcher = nullptr;
  // Is told of queues. May be null.
  QueueWatcher* queue_watcher = nullptr;
  // Who wants kernels to be counted; queues are intercept queues then. May be null.
  CounterUser* counter_user = nullptr;
  const char* counter_library = nullptr;  // KernelCounting::Options
  uint64_t counter_bound_ns = 0;
  void* root_table = nullptr;  // the runtime's HsaApiTable; with counter_user alone
  // Called on the application's thread when it has initialised the runtime once more: a library on
  // top of it may have come. May be null.
  void (*on_runtime_use)(void* data) = nullptr;
  // Called on the application's thread inside the last hsa_shut_down, while the runtime still
  // works: for a runtime that will not call OnUnload. May be null.
  void (*on_last_shut_down)(void* data) = nullptr;
  void* runtime_data = nullptr;  // for both
  AppSignals app_signals = AppSignals::kDefault;
  bool kernels = true;    // see the application's queues and their packets
  bool copies = true;     // see asynchronous copies
  bool barriers = false;  // record barrier packets as well as kernels
  // The application's waits and looks at signals bring home what has ended, before they return. A
  // watcher hears of it from the worker, a moment later.
  bool bring_home = true;
  uint64_t exit_budget_ns = 100'000'000;
  SeenSlots seen;
  InFlightMemory* in_flight = nullptr;  // where kernels in flight are kept; null: nowhere special
  CaptureCounters counters;
  // Called by the worker at least every 25 ms and soon after records were written; keeps the spool
  // ahead. May be null.
  void (*heartbeat)(void* data) = nullptr;
  void* heartbeat_data = nullptr;
  uint32_t first_signals = 64;   // created by Install
  uint32_t kept_signals = 4096;  // more than these exist only under load
  // A worker that has not looked for so long is suspected, and when it has not looked for as long
  // again packets pass by untouched until it does.
  uint64_t stall_ns = 1'000'000'000;
  // Where there is no room for a kernel the hook waits so long for some, and a stalled worker is
  // waited for as well; zero: only as long as lending the worker a processor takes.
  uint64_t room_wait_ns = 0;
  uint32_t pending_per_queue = 65'536;  // kernels in flight on one queue that are remembered
};

class HsaCapture {
 public:
  HsaCapture();
  HsaCapture(const HsaCapture&) = delete;
  HsaCapture& operator=(const HsaCapture&) = delete;
  ~HsaCapture();  // tests only; the product leaks its one instance

  // Creates the first signals, starts the worker, puts the hooks into the tables. `tables` (open),
  // `sink` and `kernels` must live as long as the process. May be repeated after Unload, for a
  // runtime that was shut down and came again; numbers go on then.
  Status Install(HsaTables* tables, RecordSink* sink, KernelLookup* kernels,
                 const CaptureOptions& options);
  // The same with other options, for the runtime and the tables of Install. An error leaves things as
  // they were: queues have been made.
  Status Reinstall(RecordSink* sink, KernelLookup* kernels, const CaptureOptions& options);
  // Writes an AgentRecord per agent. An error: there is no room for them.
  Status TellAgents(RecordSink* sink) const;

  // Why kernels are not counted although somebody wants it.
  const Status& counting() const { return counting_; }

  // Disarms the hooks, finishes what is in flight for at most the exit budget, counts the rest as
  // kShutdown. The application's signals that we have yet to complete are still completed when
  // their kernels end: the worker stays for that alone, until none is left or Unload. Idempotent.
  void Stop();

  // What has ended by now has been read, and whoever watches has been told. False: not in time.
  // Any thread, but no lock may be held that the watcher takes.
  bool SettleEnded();

  // The runtime is about to go away: after this no HSA function is called. Calls Stop first; puts
  // the tables back; ends the worker. Idempotent.
  void Unload();

  // In the child of a fork: hooks pass through, nothing else is touched.
  void DisarmInChild();

  // What stamps packets; null before Install. Lives as long as the process.
  const FastClock* clock() const;

  // The 1-based number of an agent (AgentRecord::agent); zero when unknown. Any thread, no lock.
  uint32_t AgentNumber(hsa_agent_t agent) const;

 private:
  friend struct Hooks;  // the functions that stand in the runtime's tables
  struct Impl;
  Status InstallAfter(const Impl* before, HsaTables* tables, RecordSink* sink,
                      KernelLookup* kernels, const CaptureOptions& options);

  static std::atomic<Impl*> installed_;  // what the hooks work on; hooks carry no data of their own
  Impl* impl_;
  Status counting_ = Status::Ok();
};

}  // namespace rtl::capture
