// SPDX-License-Identifier: MIT
// pending.h: one kernel dispatch, or one barrier, from the packet hook to its record: the fields of
// the packet, and the signal that shows its end.
//
//   how        the packet carries           the kernel has ended when
//   kPooled    our signal (it had none)     our signal's value has dropped
//   kForward   our signal instead of the    our signal's value has dropped; the forwarder then
//              application's                gives the application's signal the times and takes
//                                           one off
//   kInPlace   the application's signal     both times in it have changed since the submission
//   kCopy      is the runtime's own, with   the value has dropped
//              the application's signal
//
// Threads    filled by the hook, read by the harvester after publication. `outcome` and `times` of
//            an in-place entry belong to the thread that holds its slot in AppSignalTable; all of a
//            kForward entry belongs to the forwarder until its outcome changes (forwarder.h)
#pragma once

#include <hsa/hsa.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <atomic>

#include "capture/signal/signal_times.h"
#include "model/in_flight.h"
#include "model/records.h"

namespace rtl::capture {

enum class Completion : uint8_t { kPooled, kForward, kInPlace, kCopy };

// The outcome of an entry in AppSignalTable, or of a forwarded one.
enum class Outcome : uint8_t {
  kWaiting,
  kTimed,    // `times` are the kernel's
  kUntimed,  // the value dropped but no times were written
  // The signal was destroyed or reused while the kernel was in flight. For a forwarded entry: the
  // queue was destroyed.
  kReused,
};

// The value of Pending::kernel for a barrier packet.
inline constexpr uint32_t kNoKernelBarrier = kInFlightBarrier;

// For a kernel without a signal and outside any API call, the hook writes only one cache line,
// because these lines move between hook and worker at every kernel.
struct alignas(64) Pending {
  uint64_t submitted;   // time of submission
  uint64_t packet;      // index in the queue
  hsa_signal_t signal;  // the signal that the packet carries
  uint32_t grid[3];
  union {  // which member is valid: IsBarrier
    SegmentBytes segment_bytes;
    BarrierFacts barrier;
  };
  uint32_t kernel;  // or kNoKernelBarrier
  uint16_t workgroup[3];
  uint16_t flags;  // bits kDispatchFlag…
  uint32_t thread;
  Completion completion;
  bool correlated;  // `correlation` is set
  // nothing is left to do; written by the harvester only, and true in unused entries
  bool finished;
  // If it is not kNo, only the forward is pending. Written by the hook until it publishes the
  // entry, then by the harvester.
  Accounted accounted;

  // These members are on the second cache line; they are stale where UsesRest is false.
  uint64_t correlation;       // of the recorded API call that reserved the packet
  hsa_signal_t app_signal;    // the application's signal; not for kPooled
  SignalTimes times;          // kInPlace: the signal's content at submission, then the kernel's
                              // times. kForward: the kernel's times. kCopy: the copy's times, in ns
  Pending* next_pending;      // kForward: the next entry of the forwarder
  uint64_t tool_correlation;  // correlation id for the watcher; stale without a watcher
  uint32_t slot;              // kInPlace: index in AppSignalTable
  // ticket of TracedQueue::watcher until the end is reported; stale without a watcher
  uint32_t ticket;
  uint32_t counting;  // job of QueueServices::counting; stale without counting
  // released by the thread that resolves the entry, acquired by the worker
  std::atomic<Outcome> outcome;

  // Called last when an entry is filled, so that a reader after the process's death sees a complete
  // entry.
  void BeInFlight() {
    std::atomic_signal_fence(std::memory_order_release);
    finished = false;
    accounted = Accounted::kNo;
  }
  bool IsAccounted() const { return accounted != Accounted::kNo; }
  bool IsBarrier() const { return kernel == kNoKernelBarrier; }
  bool HasOwnSignal() const { return completion != Completion::kPooled; }
  bool UsesRest() const { return HasOwnSignal() || correlated; }
  void SetCorrelation(uint64_t id) {
    correlated = id != 0;
    if (correlated) correlation = id;
  }
  uint64_t Correlation() const { return correlated ? correlation : 0; }
};
// The layout must match the one that readers of memory that outlives the process use.
static_assert(sizeof(Pending) == sizeof(InFlightEntry));
static_assert(offsetof(Pending, signal) == offsetof(InFlightEntry, signal));
static_assert(offsetof(Pending, grid) == offsetof(InFlightEntry, grid));
static_assert(offsetof(Pending, barrier) == offsetof(InFlightEntry, barrier));
static_assert(offsetof(Pending, kernel) == offsetof(InFlightEntry, kernel));
static_assert(offsetof(Pending, workgroup) == offsetof(InFlightEntry, workgroup));
static_assert(offsetof(Pending, thread) == offsetof(InFlightEntry, thread));
static_assert(offsetof(Pending, correlated) == offsetof(InFlightEntry, correlated));
static_assert(offsetof(Pending, finished) == offsetof(InFlightEntry, finished));
static_assert(offsetof(Pending, accounted) == offsetof(InFlightEntry, accounted));
static_assert(offsetof(Pending, correlation) == offsetof(InFlightEntry, correlation));

// Writes two halves of a word of the record with one store. A sink copies whole words, and a load
// whose bytes come from two stores waits until both have left the processor.
inline void PutWord(DispatchRecord* record, size_t offset, uint32_t low, uint32_t high) {
  const uint64_t word = low | uint64_t{high} << 32;
  memcpy(reinterpret_cast<char*>(record) + offset, &word, sizeof word);
}

// Fills in the properties of a kernel that are known before it has a number and times.
inline void FillRecord(const Pending& entry, uint32_t queue, DispatchRecord* record) {
  const bool barrier = entry.IsBarrier();
  const uint32_t group = barrier ? 0 : entry.segment_bytes.group;
  const uint32_t work_item = barrier ? 0 : entry.segment_bytes.work_item;
  const uint32_t sizes = entry.workgroup[0] | uint32_t{entry.workgroup[1]} << 16;
  const uint32_t rest = entry.workgroup[2] | uint32_t{entry.flags} << 16;
  PutWord(record, 0, static_cast<uint16_t>(RecordType::kDispatch), entry.thread);
  record->correlation = entry.Correlation();
  record->submitted = entry.submitted;
  record->packet = entry.packet;
  PutWord(record, offsetof(DispatchRecord, kernel), entry.kernel, queue);
  PutWord(record, offsetof(DispatchRecord, grid), entry.grid[0], entry.grid[1]);
  PutWord(record, offsetof(DispatchRecord, grid) + 8, entry.grid[2], group);
  PutWord(record, offsetof(DispatchRecord, private_segment), work_item, sizes);
  PutWord(record, offsetof(DispatchRecord, workgroup) + 4, rest, 0);
}

inline DispatchRecord RecordOf(const Pending& entry, uint32_t queue) {
  DispatchRecord record;
  FillRecord(entry, queue, &record);
  return record;
}

}  // namespace rtl::capture
