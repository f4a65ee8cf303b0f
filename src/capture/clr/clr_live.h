// SPDX-License-Identifier: MIT
// clr_live.h: reads the records of HIP's profiler while HIP writes them (ClrForm::kStreaming). A
// call is read when it has returned, and its operations when they have ended. A record keeps its
// place in HIP's slabs for the life of the process.
//
//   place    read        waits: no end, or no operation    to be written
//   ───────┬───────────┬─────────────────────────────────┬───────────────
//        first_      floor_                           HIP's count
//
// Look reads from floor_ on, at most about kWaitNs back. The last Look, when the profiler is
// switched off, reads all records once more and takes the operations that ended later than that.
//
// Threads    one at a time (ClrCapture's lock)
// Blocking   system calls: one per 64 records, and those of ClrRecords
// Memory     4 bytes for each record, mapped by slab
// Errors     records that cannot be read are losses (kProfilerLost), named by the last Look
// Why        docs/adr/0152-reading-hips-records.md
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/clr/clr_library.h"
#include "capture/clr/clr_records.h"

namespace rtl::capture {

class ClrLive {
 public:
  constexpr ClrLive() = default;
  ClrLive(const ClrLive&) = delete;
  ClrLive& operator=(const ClrLive&) = delete;

  // `first`: the place of the first record that belongs to the trace.
  Status Open(const ClrLibrary* library, ClrRecords* records, uint64_t first);
  // `last`: the profiler is off, so operations that are still missing are lost.
  void Look(bool last);
  // The number of calls that had not ended at the last Look.
  uint64_t open() const { return open_; }

 private:
  static constexpr size_t kMostSlabs = 100'000;  // HIP's own limit
  static constexpr size_t kMostInSlab = 1'000'000;
  static constexpr size_t kAtOnce = 64;
  static constexpr uint64_t kWaitNs = 1'000'000'000;

  // The bits of a record's state: its call is taken, an operation or a graph may follow. The number
  // of operations taken is in the bits from kOneOp on.
  static constexpr uint32_t kTaken = 1, kLaunches = 2, kGraph = 4, kOneOp = 8;

  struct Slabs {
    const void* const* pointers;
    size_t size;
    uint64_t total;
  };
  uint32_t* StatesOf(size_t slab, size_t size);
  size_t Read(const Slabs& slabs, uint64_t place, size_t records);
  bool Take(const ClrCall& call, uint64_t place, uint32_t* state, bool last);
  uint64_t open_ = 0;  // calls that had not ended at the last Look

  const ClrLibrary* library_ = nullptr;
  ClrRecords* records_ = nullptr;
  uint64_t first_ = 0, floor_ = 0;
  size_t slab_size_ = 0;  // HIP's records per slab; zero until it is known
  uint32_t** states_ = nullptr;
  uint8_t slab_[kAtOnce * kMaxClrCallBytes] = {};
};

}  // namespace rtl::capture
