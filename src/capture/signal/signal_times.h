// SPDX-License-Identifier: MIT
// signal_times.h: reads and writes the value and the two timestamps that the packet processor
// writes into a signal, in the layout that hardware and runtime share (amd_signal_t).
//
// Threads    any; each access is one atomic operation, which is relaxed except in LoadValue. The
//            processor writes both timestamps before it changes the value, so an acquire load that
//            sees the changed value makes them visible
// Memory     the signal must not be destroyed meanwhile: it belongs to the tracer, or is claimed in
//            AppSignalTable
// Why        docs/adr/0134-values-of-signals.md
#pragma once

#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <stdint.h>

namespace rtl::capture {

// In ticks of the agent's own counter; zero if never written.
struct SignalTimes {
  uint64_t start = 0;
  uint64_t end = 0;
};

inline amd_signal_t* SignalMemory(hsa_signal_t signal) {
  return reinterpret_cast<amd_signal_t*>(signal.handle);
}

// Acquire. Only for a user signal: other kinds of signals keep their value elsewhere.
inline hsa_signal_value_t LoadValue(hsa_signal_t signal) {
  return __atomic_load_n(&SignalMemory(signal)->value, __ATOMIC_ACQUIRE);
}

// Only for a signal of the tracer: wakes no thread that sleeps on the signal.
inline void StoreValue(hsa_signal_t signal, hsa_signal_value_t value) {
  __atomic_store_n(&SignalMemory(signal)->value, value, __ATOMIC_RELAXED);
}

inline SignalTimes LoadTimes(hsa_signal_t signal) {
  const amd_signal_t* const memory = SignalMemory(signal);
  return {__atomic_load_n(&memory->start_ts, __ATOMIC_RELAXED),
          __atomic_load_n(&memory->end_ts, __ATOMIC_RELAXED)};
}

inline void StoreTimes(hsa_signal_t signal, SignalTimes times) {
  amd_signal_t* const memory = SignalMemory(signal);
  __atomic_store_n(&memory->start_ts, times.start, __ATOMIC_RELAXED);
  __atomic_store_n(&memory->end_ts, times.end, __ATOMIC_RELAXED);
}

// True if the handle may be a signal: handles of real signals are addresses of 64-byte aligned
// structures.
inline bool LooksLikeSignal(hsa_signal_t signal) {
  return signal.handle != 0 && (signal.handle & (AMD_SIGNAL_ALIGN_BYTES - 1)) == 0;
}

inline bool IsUserSignal(hsa_signal_t signal) {
  return LooksLikeSignal(signal) && SignalMemory(signal)->kind == AMD_SIGNAL_KIND_USER;
}

}  // namespace rtl::capture
