// SPDX-License-Identifier: MIT
// other_engines.h: what the engines of one process say to each other. librtl.so and
// librocprofiler-sdk.so.1 each have one, and a runtime's tables may lead through both:
//
//   application ──► engine that was hooked last ──► engine that was hooked first ──► runtime
//                   its signals are on the packets  sees them as an application's,
//                                                   and reads them in place
//
// What an application does with a signal passes the hooks of both. The one thing that an engine
// does to a signal and no application does is to write times into it. So before that it asks every
// engine below to read what it still needs.
//
// Threads    any
// Blocking   MayWriteTimes: as long as AppSignalTable::StillInUse of the others. Meet takes the
//            loader's lock
// Memory     none. What Add is given stays valid: neither library is ever unmapped
// Errors     a library of another version, or of another maker, is not met
// Why        docs/adr/0047-two-engines.md
#pragma once

#include <hsa/hsa.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>

namespace rtl::capture {

inline constexpr uint32_t kEngineLinkVersion = 1;

// One engine as the others see it.
struct EngineLink {
  uint32_t version;
  // When it was hooked into the runtime's tables: the larger, the later. Zero: it is not.
  uint64_t (*hooked)();
  // The times in this signal are about to be written. Zero: they must not be, it waits for those
  // of a kernel that is in flight.
  int (*before_times)(uint64_t signal);
  // HIP has one tracer callback, the last that was registered. What it is told and what it would
  // leave in HIP's data (HipCapture::OnTracer). Not zero: the call is not wanted, or the engine has
  // registered none.
  int (*hip_call)(uint32_t id, void* data);
  // Of a call that was wanted.
  void (*hip_enter)(uint32_t id, void* data);
  void (*hip_exit)(uint32_t id, void* data);
  // Not zero: this thread is asking HIP what a call has returned. That is nobody's call.
  int (*hip_asked)();
};

// `rtl_engine_link`, exported by each library with an engine: takes the caller's, returns its own.
using ExchangeLinks = const EngineLink* (*)(const EngineLink* callers);

class OtherEngines {
 public:
  static constexpr uint32_t kMost = 4;

  // This one, as the others see it.
  static const EngineLink* Own();
  // Looks for them among the libraries that are loaded, and makes this one known to them. Without a
  // lock, before this one is hooked.
  static void Meet();
  // Null, or of another version: nothing happens. True: it is known now.
  static bool Add(const EngineLink* link);
  // What `rtl_engine_link` does.
  static const EngineLink* Exchange(const EngineLink* callers);
  // Who is told of calls by this one's callback of HIP, too; null: nobody is known.
  static const EngineLink* First() { return links_[0].load(std::memory_order_acquire); }

  // What `hooked` of an engine that is hooked now says.
  static uint64_t NextPlace();

  // False: an engine that was hooked before place `own` needs the times that are in the signal.
  static bool MayWriteTimes(hsa_signal_t signal, uint64_t own) {
    return links_[0].load(std::memory_order_relaxed) == nullptr || Ask(signal, own);
  }

  // For tests: nobody is known any more.
  static void TEST_Forget();

 private:
  static bool Ask(hsa_signal_t signal, uint64_t own);

  static std::atomic<const EngineLink*> links_[kMost];  // from the first on; release, acquire
};

}  // namespace rtl::capture
