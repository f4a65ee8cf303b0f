// SPDX-License-Identifier: MIT
// in_flight.h: the layout of the kernels in flight, in memory that outlives the process. The tracer
// keeps them in blocks. If a file backs a block, readers of the file see the kernels in flight,
// even after the process has died. docs/formats/spool.md#kernels-in-flight
//
// Threads    one thread writes a block's entries (the holder of the queue's doorbell); the worker
//            marks them as ended. A reader works on private copies
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "model/records.h"

namespace rtl {

inline constexpr size_t kInFlightBlockBytes = 64 * 1024;

// The beginning of a block. A block serves one queue at a time.
struct alignas(64) InFlightHead {
  std::atomic<uint64_t> reserved{0};  // for the writer only
  std::atomic<uint32_t> queue{0};     // QueueRecord::queue; zero: no queue yet
};
static_assert(sizeof(InFlightHead) == 64);

struct SegmentBytes {
  uint32_t group;      // bytes of LDS of a work-group
  uint32_t work_item;  // bytes of scratch memory of a work-item
};
struct BarrierFacts {
  BarrierKind kind;
  uint16_t reserved;      // zero
  uint32_t dependencies;  // number of signals for which it waits
};
static_assert(sizeof(SegmentBytes) == 8 && sizeof(BarrierFacts) == 8);

// Whether the end of an entry is in the trace, as a record or as a loss.
enum class Accounted : uint8_t {
  kNo = 0,
  kYes = 1,  // yes, or it is too late to count it
  // a thread is writing the record; if the process has died, the record may exist or not
  kBeing = 2
};

// One kernel, or one barrier packet. `finished` is 1 in entries that were never used. When an entry
// is filled, `finished` and `accounted` are cleared last.
struct InFlightEntry {
  uint64_t submitted;  // time of submission
  uint64_t packet;     // index in the queue
  uint64_t signal;     // completion signal that the packet carries
  uint32_t grid[3];
  union {  // `kernel` says which member is valid
    SegmentBytes segment_bytes;
    BarrierFacts barrier;
  };
  uint32_t kernel;  // KernelRecord::kernel, or kInFlightBarrier
  uint16_t workgroup[3];
  uint16_t flags;   // bits kDispatchFlag… and kInFlight…
  uint32_t thread;  // the thread that rang the doorbell
  uint8_t completion;
  uint8_t correlated;  // `correlation` is set
  uint8_t finished;
  Accounted accounted;
  uint64_t correlation;  // correlation id of the API call that submitted it
  uint64_t rest[7];      // for the writer only
};
static_assert(sizeof(InFlightEntry) == 128 && offsetof(InFlightEntry, correlation) == 64);

inline constexpr uint32_t kInFlightBarrier = UINT32_MAX;
// A flag: the kernel had not ended when the trace ended, whatever the rest of the entry says.
inline constexpr uint16_t kInFlightGivenUp = 1 << 15;
// A flag: the trace leaves the kernel out because of a pause; only a tool awaits its end.
inline constexpr uint16_t kInFlightPaused = 1 << 14;

inline bool IsInFlight(const InFlightEntry& entry) {
  return (entry.finished == 0 && entry.accounted == Accounted::kNo) ||
         (entry.flags & kInFlightGivenUp) != 0;
}
inline bool IsBeingRecorded(const InFlightEntry& entry) {
  return entry.finished == 0 && entry.accounted == Accounted::kBeing;
}

// A barrier packet that waits for signals, whether it has ended or not. The end of each block has
// the latest kBarriersInFlight of them; a new one replaces the oldest.
struct InFlightBarrier {
  std::atomic<uint64_t> place;  // index in the queue plus one; zero: the slot is free. Written last
  uint64_t kind;                // BarrierKind
  uint64_t signals[5];          // handles; zero: no signal
  uint64_t reserved;
};
static_assert(sizeof(InFlightBarrier) == 64);
inline constexpr size_t kBarriersInFlight = 32;

// The numbers of the entries' kernels (DispatchRecord::dispatch) follow the entries, eight to a
// cache line, because an entry has no room for its number in its first cache line.
inline constexpr size_t kInFlightEntries =
    (kInFlightBlockBytes - sizeof(InFlightHead) - kBarriersInFlight * sizeof(InFlightBarrier)) /
    (sizeof(InFlightEntry) + sizeof(uint64_t));
inline constexpr size_t kInFlightBarriersAt =
    kInFlightBlockBytes - kBarriersInFlight * sizeof(InFlightBarrier);

// Provides memory for blocks.
class InFlightMemory {
 public:
  // Returns kInFlightBlockBytes of zeros, aligned to 64 bytes. The caller returns them with munmap.
  // Null if there is no memory. Any thread.
  virtual void* MapBlock() = 0;

 protected:
  ~InFlightMemory() = default;  // never deleted through this interface
};

}  // namespace rtl
