// SPDX-License-Identifier: MIT
#include "vgpu/wave/cache_model.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "vgpu/config/gpu_model.h"

namespace vgpu {
namespace {

constexpr uint64_t kSectorBytes = 1u << kSectorShift;
constexpr uint32_t kL1Ways = 4, kL2Ways = 16;
constexpr uint32_t kChannelBytes = 256 << 10;
constexpr uint32_t kChannelShift = 8;  // 256 bytes, then the next channel

uint64_t BytesMask(uint64_t first, uint64_t count) {
  return count >= kSectorBytes ? ~uint64_t{0} : ((uint64_t{1} << count) - 1) << first;
}

// The exclusive or of all groups of `bits` bits of `value`.
uint32_t Fold(uint64_t value, int bits) {
  uint64_t folded = 0;
  for (; value != 0; value >>= bits) folded ^= value;
  return static_cast<uint32_t>(folded & ((uint64_t{1} << bits) - 1));
}

}  // namespace

void SectorSet::Clear() {
  count_ = together_count_ = 0;
  together_of_ = -1;
  lanes_ = lookups_ = 0;
}

void SectorSet::BeginLane(int lane) {
  ++lanes_;
  if (lane / kLanesAtOnce == together_of_) return;
  together_of_ = lane / kLanesAtOnce;
  together_count_ = 0;
}

void SectorSet::Add(const uint8_t* host, uint64_t bytes) {
  uint64_t address = reinterpret_cast<uint64_t>(host);
  while (bytes != 0) {
    const uint64_t first = address & (kSectorBytes - 1);
    const uint64_t here = std::min(bytes, kSectorBytes - first);
    Add(address >> kSectorShift, BytesMask(first, here));
    address += here;
    bytes -= here;
  }
}

void SectorSet::Add(uint64_t number, uint64_t bytes) {
  uint64_t* const end = together_ + together_count_;
  if (std::find(together_, end, number) == end && end != std::end(together_)) {
    together_[together_count_++] = number;
    ++lookups_;
  }
  for (int i = count_; i != 0; --i) {
    if (sectors_[i - 1].number != number) continue;
    sectors_[i - 1].bytes |= bytes;
    return;
  }
  if (count_ < kMost) sectors_[count_++] = {number, bytes};
}

CacheModel::Way* CacheModel::Cache::First(uint32_t set) {
  if (all.empty()) all.resize(static_cast<size_t>(sets) * ways);
  return &all[static_cast<size_t>(set) * ways];
}

CacheModel::Way* CacheModel::Cache::Find(uint64_t line, uint32_t set, uint64_t began) {
  Way* const first = First(set);
  for (uint32_t i = 0; i < ways; ++i) {
    if (first[i].line == line && first[i].used > began) return first + i;
  }
  return nullptr;
}

CacheModel::Way* CacheModel::Cache::Oldest(uint32_t set) {
  Way* const first = First(set);
  return std::min_element(first, first + ways,
                          [](const Way& a, const Way& b) { return a.used < b.used; });
}

// Lines have 64 bytes. From gfx90a on lines of L2 have 128 bytes, from gfx940 on those of L1, too.
CacheModel::Shape CacheModel::ShapeOf(int gfx) {
  Shape shape = {.l1_shift = gfx >= 0x940 ? 7u : 6u,
                 .l1_sets = 64,
                 .l2_shift = gfx >= 0x90a ? 7u : 6u,
                 .l2_sets = 0,
                 .has_two_interfaces = gfx == 0x906,
                 .reads_wide = gfx >= 0x940};
  shape.l2_sets = kChannelBytes / kL2Ways >> shape.l2_shift;
  return shape;
}

CacheModel::CacheModel(HwCounters* counters, int gfx) : counters_(*counters), shape_(ShapeOf(gfx)) {
  l1_.resize(static_cast<size_t>(kShaderEngines) * kComputeUnits,
             Cache{shape_.l1_sets, kL1Ways, {}});
  l2_.resize(L2ChannelsOf(gfx), Cache{shape_.l2_sets, kL2Ways, {}});
}

void CacheModel::BeginDispatch() {
  const std::lock_guard lock(mutex_);
  began_ = now_;
  written_.clear();
  open_ = true;
}

void CacheModel::EndDispatch() {
  const std::lock_guard lock(mutex_);
  if (!open_) return;
  open_ = false;
  for (const Written& each : written_) {
    if (!each.way->IsDirty()) continue;
    WriteBack(each.channel, each.way);
    counters_.AddTcc(each.channel, TccEvent::kFinalWriteBacks, 1);
  }
}

void CacheModel::Access(int engine, uint32_t compute_unit, Kind kind, bool returns,
                        const SectorSet& sectors) {
  const auto add = [&](TcpEvent event, uint64_t count) {
    counters_.AddTcp(engine, compute_unit, event, count);
  };
  const std::lock_guard lock(mutex_);
  if (!open_) return;  // the dispatch began before counting did
  Cache& l1 = l1_[static_cast<size_t>(engine) * kComputeUnits + compute_unit % kComputeUnits];
  add(TcpEvent::kCacheAccesses, sectors.lookups());
  add(TcpEvent::kLanes, sectors.lanes());
  if (kind == Kind::kRead) {
    add(TcpEvent::kLanesThatRead, sectors.lanes());
    return Read(sectors, &l1, engine, compute_unit);
  }
  const TcpEvent atomic_lanes =
      returns ? TcpEvent::kAtomicLanesWithReturn : TcpEvent::kAtomicLanesWithoutReturn;
  const TcpEvent atomics = returns ? TcpEvent::kAtomicsWithReturn : TcpEvent::kAtomicsWithoutReturn;
  const bool writes = kind == Kind::kWrite;
  add(writes ? TcpEvent::kLanesThatWrite : atomic_lanes, sectors.lanes());
  for (const SectorSet::Sector& sector : sectors) {
    ++now_;
    add(writes ? TcpEvent::kWriteRequests : atomics, 1);
    if (!writes) {
      const uint64_t line = sector.number >> (shape_.l1_shift - kSectorShift);
      Way* const known = l1.Find(line, static_cast<uint32_t>(line) % shape_.l1_sets, began_);
      if (known != nullptr) *known = Way();  // L2 does the atomic, so that L1's line is stale
    }
    AccessL2(kind, RequestOf(sector.number, sector.bytes));
  }
}

void CacheModel::Read(const SectorSet& sectors, Cache* l1, int engine, uint32_t compute_unit) {
  std::vector<Request> misses;
  for (const SectorSet::Sector& sector : sectors) {
    const uint32_t l1_bits = shape_.l1_shift - kSectorShift;
    const uint64_t line = sector.number >> l1_bits;
    const uint32_t set = static_cast<uint32_t>(line) % shape_.l1_sets;
    ++now_;
    if (Way* const known = l1->Find(line, set, began_); known != nullptr) {
      known->used = now_;
      continue;
    }
    *l1->Oldest(set) = {.line = line, .used = now_};
    counters_.AddTcp(engine, compute_unit, TcpEvent::kReadRequests, 1);
    for (uint64_t i = 0; i < uint64_t{1} << l1_bits; ++i) {
      const Request request = RequestOf((line << l1_bits) + i, 0);
      const auto same = [&](const Request& miss) { return miss.line == request.line; };
      const auto miss = std::find_if(misses.begin(), misses.end(), same);
      if (miss == misses.end())
        misses.push_back(request);
      else
        miss->sectors |= request.sectors;
    }
  }
  for (const Request& miss : misses) AccessL2(Kind::kRead, miss);
}

CacheModel::Request CacheModel::RequestOf(uint64_t sector, uint64_t bytes) const {
  const uint32_t bits = shape_.l2_shift - kSectorShift;
  return {.line = sector >> bits, .sectors = 1u << (sector & ((1u << bits) - 1)), .bytes = bytes};
}

void CacheModel::AccessL2(Kind kind, const Request& request) {
  const uint32_t in_block_bits = kChannelShift - shape_.l2_shift;
  const uint64_t block = request.line >> in_block_bits;
  // Fold makes the numbers of channel and set, so that blocks at equal distances do not meet in a
  // few channels and sets.
  const uint32_t channel = Fold(block, std::bit_width(l2_.size() - 1));
  const uint32_t blocks = shape_.l2_sets >> in_block_bits;  // of one channel, all in different sets
  const auto add = [&](TccEvent event) { counters_.AddTcc(channel, event, 1); };
  add(TccEvent::kRequests);
  add(kind == Kind::kRead    ? TccEvent::kReads
      : kind == Kind::kWrite ? TccEvent::kWrites
                             : TccEvent::kAtomics);
  Cache& cache = l2_[channel];
  const uint64_t in_block = request.line & ((1u << in_block_bits) - 1);
  const uint32_t set = Fold(block / l2_.size(), std::bit_width(blocks - 1)) << in_block_bits |
                       static_cast<uint32_t>(in_block);
  Way* way = cache.Find(request.line, set, began_);
  const uint32_t missing =
      kind == Kind::kWrite ? 0 : request.sectors & ~(way == nullptr ? 0 : way->valid);
  add(way != nullptr && missing == 0 ? TccEvent::kHits : TccEvent::kMisses);
  if (way == nullptr) {
    way = cache.Oldest(set);
    if (way->used > began_) Evict(channel, way);
    *way = {.line = request.line};
  }
  if (missing != 0) FetchFromMemory(channel, request.line, missing);
  way->used = now_;
  way->valid |= request.sectors;
  if (kind == Kind::kRead) return;
  if (!way->IsDirty()) written_.push_back({channel, way});
  way->dirty[request.sectors >> 1] |= request.bytes;
}

void CacheModel::FetchFromMemory(uint32_t channel, uint64_t line, uint32_t sectors) {
  const bool both = sectors == 3;
  const bool second = shape_.has_two_interfaces && (line & 1) != 0;
  const TccEvent reads = second ? TccEvent::kSecondReads : TccEvent::kMemoryReads;
  counters_.AddTcc(channel, reads, both && !shape_.reads_wide ? 2 : 1);
  if (both && shape_.reads_wide) counters_.AddTcc(channel, TccEvent::kWideReads, 1);
}

void CacheModel::Evict(uint32_t channel, Way* way) {
  counters_.AddTcc(channel, TccEvent::kEvictions, 1);
  if (!way->IsDirty()) return;
  WriteBack(channel, way);
  counters_.AddTcc(channel, TccEvent::kEvictionWriteBacks, 1);
}

// Counts a request of 64 bytes for each written sector, or of 32 bytes where only one half of the
// sector was written.
void CacheModel::WriteBack(uint32_t channel, Way* way) {
  const bool second = shape_.has_two_interfaces && (way->line & 1) != 0;
  counters_.AddTcc(channel, TccEvent::kWriteBacks, 1);
  for (uint64_t& dirty : way->dirty) {
    if (dirty == 0) continue;
    counters_.AddTcc(channel, second ? TccEvent::kSecondWrites : TccEvent::kMemoryWrites, 1);
    const bool whole = static_cast<uint32_t>(dirty) != 0 && dirty >> 32 != 0;
    dirty = 0;
    if (!whole) continue;
    counters_.AddTcc(channel, second ? TccEvent::kSecondWrites64 : TccEvent::kMemoryWrites64, 1);
  }
}

CacheModel* CacheModelOf(int gpu, uint32_t chiplet) {
  HwCounters& counters = HwCountersOf(gpu, chiplet);
  if (!counters.counting.load(std::memory_order_relaxed)) return nullptr;
  static std::mutex mutex;
  static CacheModel* models[kMaxGpus][kMostChiplets];  // leaked on purpose, as Perfmon is
  const std::lock_guard lock(mutex);
  CacheModel*& model = models[gpu][chiplet];
  if (model == nullptr) model = new CacheModel(&counters, GetGpuModel().gfx);
  return model;
}

}  // namespace vgpu
