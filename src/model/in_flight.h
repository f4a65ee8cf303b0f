// SPDX-License-Identifier: MIT
// in_flight.h: the kernels in flight, in memory that outlives the process. The tracer keeps them in
// blocks. Where a file backs a block, its readers see the kernels in flight, also after the process
// has died. docs/formats/spool.md#kernels-in-flight
//
// Threads    one thread writes a block's entries (the holder of the queue's doorbell); the worker
//            marks them as ended. A reader looks at private copies
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "model/records.h"

namespace rtl {

inline constexpr size_t kInFlightBlockBytes = 64 * 1024;

// Begins a block. A block serves one queue at a time.
struct alignas(64) InFlightHead {
  std::atomic<uint64_t> reserved{0};  // the writer's
  std::atomic<uint32_t> queue{0};     // QueueRecord::queue; zero: none yet
};
static_assert(sizeof(InFlightHead) == 64);

struct SegmentBytes {
  uint32_t group;      // LDS of a work-group
  uint32_t work_item;  // scratch memory of a work-item
};
struct BarrierFacts {
  BarrierKind kind;
  uint16_t reserved;      // zero
  uint32_t dependencies;  // signals that it waits for
};
static_assert(sizeof(SegmentBytes) == 8 && sizeof(BarrierFacts) == 8);

// Whether an entry's end is in the trace, as a record or as a loss.
enum class Accounted : uint8_t {
  kNo = 0,
  kYes = 1,   // or it is too late to be counted at all
  kBeing = 2  // a thread writes the record: of a process that has died, it may be there
};

// One kernel, or one barrier packet. `finished` is 1 in entries that were never used; it and
// `accounted` are cleared last when an entry is filled.
struct InFlightEntry {
  uint64_t submitted;  // time
  uint64_t packet;     // index in the queue
  uint64_t signal;     // completion signal on the packet
  uint32_t grid[3];
  union {  // by `kernel`
    SegmentBytes segment_bytes;
    BarrierFacts barrier;
  };
  uint32_t kernel;  // KernelRecord::kernel, or kInFlightBarrier
  uint16_t workgroup[3];
  uint16_t flags;   // kDispatchFlag…, kInFlight…
  uint32_t thread;  // rang the doorbell
  uint8_t completion;
  uint8_t correlated;  // `correlation` is set
  uint8_t finished;
  Accounted accounted;
  uint64_t correlation;  // of the API call that submitted it
  uint64_t rest[7];      // the writer's
};
static_assert(sizeof(InFlightEntry) == 128 && offsetof(InFlightEntry, correlation) == 64);

inline constexpr uint32_t kInFlightBarrier = UINT32_MAX;
// The kernel had not ended when the trace did, whatever else the entry says.
inline constexpr uint16_t kInFlightGivenUp = 1 << 15;
// The trace leaves it out; a tool awaits its end.
inline constexpr uint16_t kInFlightPaused = 1 << 14;

inline bool IsInFlight(const InFlightEntry& entry) {
  return (entry.finished == 0 && entry.accounted == Accounted::kNo) ||
         (entry.flags & kInFlightGivenUp) != 0;
}
inline bool IsBeingRecorded(const InFlightEntry& entry) {
  return entry.finished == 0 && entry.accounted == Accounted::kBeing;
}

// A barrier packet that waits for signals, ended or not. The end of the block holds the latest of
// its queue; each replaces the one kBarriersInFlight before it.
struct InFlightBarrier {
  std::atomic<uint64_t> place;  // index in the queue, plus one; zero: none. Written last
  uint64_t kind;                // BarrierKind
  uint64_t signals[5];          // handles; zero: none
  uint64_t reserved;
};
static_assert(sizeof(InFlightBarrier) == 64);
inline constexpr size_t kBarriersInFlight = 32;

// The numbers of the entries' kernels (DispatchRecord::dispatch) follow the entries, eight to a cache
// line: an entry has no room for them in its first line.
inline constexpr size_t kInFlightEntries =
    (kInFlightBlockBytes - sizeof(InFlightHead) - kBarriersInFlight * sizeof(InFlightBarrier)) /
    (sizeof(InFlightEntry) + sizeof(uint64_t));
inline constexpr size_t kInFlightBarriersAt =
    kInFlightBlockBytes - kBarriersInFlight * sizeof(InFlightBarrier);

// Provides memory for blocks.
class InFlightMemory {
 public:
  // Returns kInFlightBlockBytes of zeros, aligned to 64 bytes; the caller returns them with munmap.
  // Null: no memory. Any thread.
  virtual void* MapBlock() = 0;

 protected:
  ~InFlightMemory() = default;  // never deleted through this interface
};

}  // namespace rtl
