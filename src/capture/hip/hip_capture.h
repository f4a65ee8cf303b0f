// SPDX-License-Identifier: MIT
// hip_capture.h: chooses the best interception methods of the HIP API in this process, starts them
// and ends them:
//
//   method     how                           versions      sees
//   register   HIP's dispatch tables         from 6.0 on   every call, with its result, where HIP
//                                                          is built with rocprofiler-register
//   preload    functions of librtl_hip.so    all           calls bound by symbol, with their
//                                                          results; not calls by address from HIP
//   tracer     hipRegisterTracerCallback     5.3 to 6.4    every call that HIP numbers; HIP 7
//                                                          crashes with it when graphs go
//   memory     the same tables, found in     from 6.0 on   every call after the first, which HIP
//              HIP's memory                                may begin before the tracer is there
//   activity   hipRegisterActivityCallback   to 5.2        every call that HIP numbers; only when
//                                                          on request: with it, HIP 5.2 hangs in
//                                                          programs that use stream callbacks
//
// `auto` uses register if HIP has registered its tables. Otherwise it uses preload, if
// librtl_hip.so is loaded, and tracer, if HIP has it. Without these two it uses memory. If two
// methods see a call, the first one records it.
//
// Threads    Open, OpenPreload, OpenTable, Disarm: one at a time (the session ensures it)
// Blocking   Open: takes the loader's and HIP's locks
// Memory     leaked on purpose: calls may be open
// Errors     if no method works, Open reports why, and nothing is registered
// Why        docs/adr/0025-hip-methods.md, docs/adr/0028-preloaded-functions.md,
//            docs/adr/0029-hip-tables.md
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/config.h"
#include "base/status.h"
#include "capture/hip/hip_call_hooks.h"
#include "capture/hip/hip_calls.h"
#include "capture/hip/hip_library.h"
#include "capture/hip/hip_tables.h"
#include "model/record_sink.h"

namespace rtl::capture {

class HipCapture {
 public:
  constexpr HipCapture() = default;
  HipCapture(const HipCapture&) = delete;
  HipCapture& operator=(const HipCapture&) = delete;

  // True if HIP is loaded in this process and Open has not been tried on it.
  bool ShouldOpen();
  // Set who receives calls, from now on or from the start of a method: Record for the trace, also
  // again for a runtime that was shut down and returns; Listen for a listener, once.
  void Record(const HipCalls::Trace& trace);
  void Listen(HipCallListener* listener);
  // The first call that is to be recorded opens the trace (HipCalls::Await).
  void Await(const HipCalls::Opening& opening) {
    awaits_ = true;
    calls_.Await(opening);
  }
  void StopAwaiting() {
    awaits_ = false;
    calls_.StopAwaiting();
  }
  bool listened_to() const { return listener_ != nullptr; }

  // Registers HIP's own callbacks. Returns no error when the preloaded functions make them
  // unnecessary, or may do so later.
  Status Open(HipMethod wish);
  // librtl_hip.so has found HIP: `calls` are its functions, `hooks` gets the hooks for them.
  Status OpenPreload(const PreloadedCalls& calls, const HipCallHooks** hooks);
  // HIP has registered the table with this name: replaces its entries by the tracer's wrappers. On
  // an error the table is unchanged, and calls may still arrive by another method. If the same
  // table is passed again, entries that became of interest since are wrapped, too. `version`: the
  // version that HIP passed when it registered the table; zero: not known.
  Status OpenTable(const char* name, uint64_t version, void* table);
  void Disarm() { calls_.Disarm(); }
  // The trace ends and the program goes on: restores HIP's tables.
  void Leave() {
    calls_.Disarm();
    HipTables::Unwrap();
  }
  // In the child of a fork, async-signal-safe. CountForked counts the child's calls in the parent's
  // trace; BeginAnew forgets the parent's trace and listener.
  void CountForked() { calls_.CountForked(); }
  void BeginAnew() {
    records_ = awaits_ = false;
    listener_ = nullptr;
    calls_.ForgetTrace();
  }
  void StopRecording() {
    records_ = false;
    calls_.StopRecording();
  }

  // True if the trace gets calls, or will get them from the first one on.
  bool recorded() const { return records_ || awaits_; }
  bool open() const { return callbacks_open_ || preload_open_ || table_open_; }
  // The reason why an expected method has not seen a call; null if nothing is missing.
  const char* missing() const;
  // Finds a HIP library of this process that no method watches. False if there is none.
  bool FindUntraced(HipLibrary* other) const;
  // For example "HIP 7.2 by preload, tracer"; empty if there is no method.
  const char* description() const { return description_; }

 private:
  // A call by its number in HIP.
  struct Numbered {
    uint32_t api = 0;
    const CallLayout* layout = nullptr;
  };
  static constexpr uint32_t kMaxIds = 1024;
  static constexpr size_t kMaxSteps = 2048;

  // The data that HIP keeps of a call for a tracer: the arguments, then this structure.
  struct TracerTail;

  Status Prepare(const HipLibrary& hip);
  void Arm();
  void WriteNames() const;
  Status OpenMethod(HipMethod wish);
  Status Exactly() const;
  void NumberFunctions(const PreloadedCalls& calls);
  Status OpenTracer();
  Status OpenActivity();
  Status NumberCalls(uint32_t* known);
  bool OpenTablesInMemory(bool registered = false);
  bool RegistersItself() const;
  void DescribeMethods();
  void CompareHips();
  bool IsQuery(const CallLayout* layout) const;
  int32_t LastError() const;
  ThreadCalls* Begin(CallMethod method, const void* frame, uint32_t id);
  ThreadCalls* Begin(CallMethod method, const void* frame, const Numbered& called,
                     const uint64_t* arguments);
  void End(ThreadCalls* calls, const uint8_t* data);
  Status PlaceArguments();
  static bool IsCall(uint32_t place);
  static void* OnTableEnter(uint32_t place, const uint64_t* arguments);
  static void* OnPreloadEnter(uint32_t place, const uint64_t* arguments);
  static void OnUndescribed();
  static void OnPreloadExit(void* entered, const uint64_t* arguments, int32_t result,
                            bool result_known);
  static void* OnActivity(uint32_t id, void* record, const void* data, void* argument);
  static int OnTracer(uint32_t domain, uint32_t id, void* data);
  static void OnTracerEnter(uint32_t id, void* data);
  static void OnTracerExit(uint32_t id, void* data);

  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local bool asking_ = false;
  static HipCapture* installed_;  // used by callbacks, which carry no data of their own

  bool tried_ = false;
  bool callbacks_open_ = false;
  bool preload_open_ = false;
  bool table_open_ = false;       // HIP's table of the functions that programs call is wrapped
  bool table_in_memory_ = false;  // that table was found in memory
  bool waits_for_preload_ = false;
  bool waits_for_table_ = false;
  bool table_refused_ = false;
  HipTables::Entries entries_;      // the entries of that table
  const char* callback_ = nullptr;  // name of the method that `callbacks_open_` is for
  // A process may have several HIP libraries: the one that is loaded first, the one that registered
  // its table, and the one that librtl_hip.so calls.
  HipLibrary library_;
  HipLibrary table_hip_;
  HipLibrary preload_hip_;
  bool two_hips_ = false;  // `table_hip_` and `preload_hip_` are different libraries
  HipLibrary second_hip_;  // another copy of HIP, which registered a table after `table_hip_` had
  std::atomic<bool> other_preloaded_{false};  // librtl_hip.so calls another HIP than `preload_hip_`
  HipCalls calls_;
  HipCallHooks table_hooks_ = {};  // has the same value whenever it is set
  HipCallHooks preload_hooks_ = {};
  bool records_ = false;  // Record was called
  bool awaits_ = false;
  HipCalls::Trace trace_;
  HipCallListener* listener_ = nullptr;
  const char* (*name_of_)(uint32_t) = nullptr;  // hipApiName; null until calls are numbered
  const HipLayout* layout_ = nullptr;
  // the HIP function that reads the last error and does not clear it
  int32_t (*last_error_)() = nullptr;
  // in this HIP a successful call does not clear the last error
  bool errors_stay_ = false;
  const CallLayout* clears_error_ = nullptr;
  const CallLayout* queries_[2] = {};
  char description_[128] = {};
  Numbered numbered_[kMaxIds];
  Numbered preloaded_[kMaxIds];        // indexed like hip_functions.inc
  CopyStep preload_steps_[kMaxSteps];  // locations of the arguments in the tracer's wrappers
};

}  // namespace rtl::capture
