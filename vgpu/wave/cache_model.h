// SPDX-License-Identifier: MIT
// cache_model.h: the vector L1 cache of each compute unit and the L2 cache, as hardware counters
// see them. They hold no data: they only know which lines would be there.
//
//   instruction ──► 64-byte sectors ──► L1 of the compute unit
//                                       ──miss, write──► L2 channel ──► memory
//
// A line has one sector or two, depending on the GPU. What one read misses in L1 goes to L2 in one
// request for each line of L2; writes and atomics go to L2 one sector at a time.
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

constexpr uint32_t kSectorShift = 6;

// What the lanes of one instruction touch.
class SectorSet {
 public:
  struct Sector {
    uint64_t number = 0;  // host address / 64
    uint64_t bytes = 0;   // a bit for each byte
  };

  void Clear();
  // To be called before the bytes of `lane` are added. Lanes come in ascending order.
  void BeginLane(int lane);
  void Add(const uint8_t* host, uint64_t bytes);
  const Sector* begin() const { return sectors_; }
  const Sector* end() const { return sectors_ + count_; }
  uint32_t lanes() const { return lanes_; }
  // The sum of the sectors that each group of four lanes touches: the cache looks up four lanes at
  // once.
  uint32_t lookups() const { return lookups_; }

 private:
  void Add(uint64_t number, uint64_t bytes);

  static constexpr int kLanesAtOnce = 4;
  // The most sectors of one lane: four dwords, each of which may lie anywhere (private memory), or
  // across a boundary.
  static constexpr int kMostOfLane = 5;
  static constexpr int kMost = 64 * kMostOfLane;
  Sector sectors_[kMost];
  int count_ = 0;
  uint64_t together_[kLanesAtOnce * kMostOfLane];  // sectors of the present group of four lanes
  int together_count_ = 0;
  int together_of_ = -1;  // number of the present group: lane / 4
  uint32_t lanes_ = 0;
  uint32_t lookups_ = 0;
};

class CacheModel {
 public:
  enum class Kind : uint8_t { kRead, kWrite, kAtomic };

  CacheModel(HwCounters* counters, int gfx);

  void BeginDispatch();
  void EndDispatch();
  void Access(int engine, uint32_t compute_unit, Kind kind, bool returns, const SectorSet& sectors);

 private:
  static constexpr uint32_t kMostSectors = 2;  // of a line
  struct Way {
    uint64_t line = 0;
    uint64_t used = 0;   // time of the last use; 0 or before the present dispatch: empty
    uint32_t valid = 0;  // a bit for each sector
    uint64_t dirty[kMostSectors] = {};  // a bit for each byte

    bool IsDirty() const { return (dirty[0] | dirty[1]) != 0; }
  };
  struct Shape {
    uint32_t l1_shift, l1_sets;  // bytes of a line as a power of two
    uint32_t l2_shift, l2_sets;
    bool has_two_interfaces;  // each channel has two to memory
    bool reads_wide;          // a request to memory may have 128 bytes
  };
  // What L1 requests of one line of L2.
  struct Request {
    uint64_t line = 0;
    uint32_t sectors = 0;  // a bit for each
    uint64_t bytes = 0;    // a bit for each byte written; then there is one sector
  };
  struct Cache {
    uint32_t sets = 0, ways = 0;
    std::vector<Way> all;  // made when it is first used
    Way* First(uint32_t set);
    // Null: the line is not there. A line that was last used before `began` counts as not there.
    Way* Find(uint64_t line, uint32_t set, uint64_t began);
    Way* Oldest(uint32_t set);
  };
  struct Written {
    uint32_t channel;
    Way* way;
  };

  static Shape ShapeOf(int gfx);
  void Read(const SectorSet& sectors, Cache* l1, int engine, uint32_t compute_unit);
  Request RequestOf(uint64_t sector, uint64_t bytes) const;
  void AccessL2(Kind kind, const Request& request);
  void FetchFromMemory(uint32_t channel, uint64_t line, uint32_t sectors);
  void Evict(uint32_t channel, Way* way);
  void WriteBack(uint32_t channel, Way* way);

  HwCounters& counters_;
  const Shape shape_;
  std::mutex mutex_;  // guards all below
  bool open_ = false;
  uint64_t now_ = 0;
  uint64_t began_ = 0;            // now_ at the beginning of the dispatch
  std::vector<Written> written_;  // lines of L2 that the dispatch has written
  std::vector<Cache> l1_;         // by engine, then compute unit
  std::vector<Cache> l2_;         // by channel
};

// Null while no tool counts. Each chiplet has caches of its own.
CacheModel* CacheModelOf(int gpu, uint32_t chiplet = 0);

}  // namespace vgpu
