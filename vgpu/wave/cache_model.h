// SPDX-License-Identifier: MIT
// cache_model.h: the vector L1 cache of each compute unit and the L2 cache, as hardware counters
// see them. They hold no data: they only know which lines would be there.
//
//   instruction ──► lines of 64 bytes ──► L1 of the compute unit
//                                         ──miss, write──► L2 channel ──► memory
//
// Every dispatch that is counted begins with empty caches, and what it wrote is written back at its
// end. So the numbers of a kernel do not depend on what ran before it. docs/reference/vgpu.md has
// the rules.
//
// Threads    any; one lock for each GPU
// Memory     some MB for a GPU whose counters count; static, never destroyed
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "vgpu/counters/hw_counters.h"

namespace vgpu {

constexpr uint32_t kLineShift = 6;

// The lines that one instruction touches.
class LineSet {
 public:
  struct Line {
    uint64_t number = 0;  // host address / 64
    uint64_t bytes = 0;   // a bit for each byte
  };

  void Clear() { count_ = 0; }
  void Add(const uint8_t* host, uint64_t bytes);
  const Line* begin() const { return lines_; }
  const Line* end() const { return lines_ + count_; }

 private:
  void Add(uint64_t number, uint64_t bytes);

  // 64 lanes, each of whose four dwords may lie anywhere (private memory).
  static constexpr int kMost = 64 * 5;
  Line lines_[kMost];
  int count_ = 0;
};

class CacheModel {
 public:
  enum class Kind : uint8_t { kRead, kWrite, kAtomic };

  explicit CacheModel(HwCounters* counters);

  void BeginDispatch();
  void EndDispatch();
  void Access(int engine, uint32_t compute_unit, Kind kind, bool returns, const LineSet& lines);

 private:
  struct Way {
    uint64_t line = 0;
    uint64_t used = 0;   // 0 or of an earlier dispatch: empty
    uint64_t dirty = 0;  // a bit for each byte
  };
  struct Cache {
    uint32_t sets = 0, ways = 0;
    std::vector<Way> all;  // made when it is first used
    Way* First(uint32_t set);
    // Null: the line is not there. Lines that were last used before `began` are empty.
    Way* Find(uint64_t line, uint32_t set, uint64_t began);
    Way* Oldest(uint32_t set);
  };
  struct Written {
    uint32_t channel;
    Way* way;
  };

  void AccessL2(Kind kind, const LineSet::Line& line);
  void FetchFromMemory(uint32_t channel, uint64_t line);
  void Evict(uint32_t channel, Way* way);
  void WriteBack(uint32_t channel, Way* way);

  HwCounters& counters_;
  const bool two_interfaces_;  // to memory, of each channel
  std::mutex mutex_;           // guards all below
  bool open_ = false;
  uint64_t now_ = 0;
  uint64_t began_ = 0;            // the dispatch, by the same count
  std::vector<Written> written_;  // lines of L2 that were written since
  std::vector<Cache> l1_;         // by engine, then compute unit
  std::vector<Cache> l2_;         // by channel
};

// Null while no tool counts. Each chiplet has caches of its own.
CacheModel* CacheModelOf(int gpu, uint32_t chiplet = 0);

}  // namespace vgpu
