// SPDX-License-Identifier: MIT
// svm_ranges.h: shared virtual memory: the application's own memory, which GPUs see at the
// application's addresses, and the attributes that were set for it, range by range.
//
// Memory stays where it is: a preferred location and a prefetch are stored and have no other
// effect. A range that a GPU may access is mapped there until access is removed, or the application
// unmaps the memory.
//
// Threads    any; one lock
// Errors     0 or -errno, as the kernel driver answers
// Rule       Forget is called from inside mmap and munmap, which allocators call while this class
//            allocates: such a call of the same thread is ignored
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>

#include "vgpu/config/config.h"

namespace vgpu {

struct SvmAttributes {
  static constexpr uint32_t kHost = 0;
  static constexpr uint32_t kUndefined = 0xffffffff;
  static constexpr uint32_t kHostAccess = 1;
  static constexpr uint32_t kCoherent = 2;

  uint32_t preferred = kUndefined;  // locations: as the driver names GPUs, kHost, kUndefined
  uint32_t prefetch = kUndefined;
  uint32_t flags = kHostAccess | kCoherent;
  uint32_t granularity = 9;  // log2 of pages
  uint32_t access = 0;       // a bit for each GPU that may have the memory moved to it,
  uint32_t in_place = 0;     // and for each that uses it where it is

  bool operator==(const SvmAttributes&) const = default;
};

struct SvmChange {
  enum class Kind : uint8_t {  // by the driver's numbers
    kPreferred,
    kPrefetch,
    kAccess,
    kInPlace,
    kNoAccess,
    kSetFlags,
    kClearFlags,
    kGranularity,
  };
  Kind kind = Kind::kPreferred;
  uint32_t value = 0;  // of accesses: the GPU's index
};

// The attributes that all pages of a range have in common.
struct SvmSummary {
  SvmAttributes all;          // locations are kUndefined where they differ; the least granularity
  uint32_t flags_of_any = 0;  // flags that at least one page has; all.flags: every page
};

class SvmRanges {
 public:
  // Whole pages. -EADDRINUSE where a GPU that is to get access has another mapping at these
  // addresses; the attributes are then stored, but that GPU does not see the range.
  [[nodiscard]] int Set(uint64_t va, uint64_t bytes, std::span<const SvmChange> changes);
  SvmSummary Get(uint64_t va, uint64_t bytes) const;
  // With retry of page faults (XNACK) every GPU has access to all of the process's memory but to
  // the ranges whose access was removed.
  void SetRetry(bool on);
  bool retry() const { return retry_.load(std::memory_order_relaxed); }
  // The application has unmapped these addresses, or mapped something new there.
  void Forget(uint64_t va, uint64_t bytes);

 private:
  struct Range {
    uint64_t end = 0;
    SvmAttributes attributes;
  };
  using Ranges = std::map<uint64_t, Range>;
  using Pieces = std::map<uint64_t, uint64_t>;  // first address, end
  enum View : uint8_t { kSeen, kHidden };  // kHidden: hidden from a GPU that sees all other memory

  static uint8_t* HostAt(uint64_t va, View view);
  void SplitAt(uint64_t va);
  SvmAttributes Defaults() const;
  void Fill(uint64_t va, uint64_t end);
  void Join(uint64_t va, uint64_t end);
  bool MapGaps(int gpu, View view, uint64_t va, uint64_t end);
  void Unmap(int gpu, View view, uint64_t va, uint64_t end);

  mutable std::mutex mutex_;
  std::atomic<bool> any_{false};    // relaxed: a thread that knows of a range has also seen it set
  std::atomic<bool> retry_{false};  // relaxed: set before there are queues
  // Guarded by mutex_. Neither ranges nor pieces overlap.
  Ranges ranges_;
  Pieces pieces_[kMaxGpus][2];  // of each View
};

}  // namespace vgpu
