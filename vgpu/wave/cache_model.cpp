// SPDX-License-Identifier: MIT
#include "vgpu/wave/cache_model.h"

#include <algorithm>

#include "vgpu/config/gpu_model.h"

namespace vgpu {
namespace {

constexpr uint64_t kLineBytes = 1u << kLineShift;
constexpr uint32_t kL1Sets = 64, kL1Ways = 4;    // 16 KiB
constexpr uint32_t kL2Sets = 256, kL2Ways = 16;  // 256 KiB of each channel
constexpr uint32_t kChannelShift = 2;            // 256 bytes, then the next channel

uint64_t BytesMask(uint64_t first, uint64_t count) {
  return count >= kLineBytes ? ~uint64_t{0} : ((uint64_t{1} << count) - 1) << first;
}

}  // namespace

void LineSet::Add(const uint8_t* host, uint64_t bytes) {
  uint64_t address = reinterpret_cast<uint64_t>(host);
  while (bytes != 0) {
    const uint64_t first = address & (kLineBytes - 1);
    const uint64_t here = std::min(bytes, kLineBytes - first);
    Add(address >> kLineShift, BytesMask(first, here));
    address += here;
    bytes -= here;
  }
}

void LineSet::Add(uint64_t number, uint64_t bytes) {
  for (int i = count_; i != 0; --i) {
    if (lines_[i - 1].number != number) continue;
    lines_[i - 1].bytes |= bytes;
    return;
  }
  if (count_ < kMost) lines_[count_++] = {number, bytes};
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

CacheModel::CacheModel(HwCounters* counters)
    : counters_(*counters), two_interfaces_(GetGpuModel().gfx == 0x906) {
  const GpuModel& model = GetGpuModel();
  l1_.resize(static_cast<size_t>(kShaderEngines) * kComputeUnits, Cache{kL1Sets, kL1Ways, {}});
  l2_.resize(L2ChannelsOf(model.gfx), Cache{kL2Sets, kL2Ways, {}});
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
    if (each.way->dirty == 0) continue;
    WriteBack(each.channel, each.way);
    counters_.AddTcc(each.channel, TccEvent::kFinalWriteBacks, 1);
  }
}

void CacheModel::Access(int engine, uint32_t compute_unit, Kind kind, bool returns,
                        const LineSet& lines) {
  const auto add = [&](TcpEvent event) { counters_.AddTcp(engine, compute_unit, event, 1); };
  const std::lock_guard lock(mutex_);
  if (!open_) return;  // the dispatch began before counting did
  Cache& l1 = l1_[static_cast<size_t>(engine) * kComputeUnits + compute_unit % kComputeUnits];
  for (const LineSet::Line& line : lines) {
    const uint32_t set = static_cast<uint32_t>(line.number) % kL1Sets;
    Way* const known = l1.Find(line.number, set, began_);
    ++now_;
    add(TcpEvent::kCacheAccesses);
    if (kind == Kind::kRead) add(TcpEvent::kReads);
    if (kind == Kind::kRead && known != nullptr) {
      known->used = now_;
      continue;
    }
    if (kind == Kind::kRead) {
      add(TcpEvent::kReadRequests);
      *l1.Oldest(set) = {line.number, now_, 0};
    } else if (kind == Kind::kWrite) {
      add(TcpEvent::kWriteRequests);
    } else {
      add(returns ? TcpEvent::kAtomicsWithReturn : TcpEvent::kAtomicsWithoutReturn);
      if (known != nullptr) *known = Way();  // L2 changes it
    }
    AccessL2(kind, line);
  }
}

void CacheModel::AccessL2(Kind kind, const LineSet::Line& line) {
  const uint32_t channel =
      static_cast<uint32_t>(line.number >> kChannelShift) % static_cast<uint32_t>(l2_.size());
  const auto add = [&](TccEvent event) { counters_.AddTcc(channel, event, 1); };
  add(TccEvent::kRequests);
  add(kind == Kind::kRead    ? TccEvent::kReads
      : kind == Kind::kWrite ? TccEvent::kWrites
                             : TccEvent::kAtomics);
  Cache& cache = l2_[channel];
  const uint64_t in_channel = line.number >> kChannelShift;
  const uint32_t set = static_cast<uint32_t>(
      (in_channel / l2_.size() << kChannelShift | (line.number & ((1u << kChannelShift) - 1))) %
      kL2Sets);
  Way* way = cache.Find(line.number, set, began_);
  add(way != nullptr ? TccEvent::kHits : TccEvent::kMisses);
  if (way == nullptr) {
    way = cache.Oldest(set);
    if (way->used > began_) Evict(channel, way);
    *way = {line.number, now_, 0};
    if (kind != Kind::kWrite) FetchFromMemory(channel, line.number);
  }
  way->used = now_;
  if (kind == Kind::kRead) return;
  if (way->dirty == 0) written_.push_back({channel, way});
  way->dirty |= line.bytes;
}

void CacheModel::FetchFromMemory(uint32_t channel, uint64_t line) {
  const bool second = two_interfaces_ && (line & 1) != 0;
  counters_.AddTcc(channel, second ? TccEvent::kSecondReads : TccEvent::kMemoryReads, 1);
}

void CacheModel::Evict(uint32_t channel, Way* way) {
  counters_.AddTcc(channel, TccEvent::kEvictions, 1);
  if (way->dirty == 0) return;
  WriteBack(channel, way);
  counters_.AddTcc(channel, TccEvent::kEvictionWriteBacks, 1);
}

// A request of 64 bytes, or of 32 where only one half of the line was written.
void CacheModel::WriteBack(uint32_t channel, Way* way) {
  const bool second = two_interfaces_ && (way->line & 1) != 0;
  counters_.AddTcc(channel, second ? TccEvent::kSecondWrites : TccEvent::kMemoryWrites, 1);
  const bool both = static_cast<uint32_t>(way->dirty) != 0 && way->dirty >> 32 != 0;
  way->dirty = 0;
  if (!both) return;
  counters_.AddTcc(channel, second ? TccEvent::kSecondWrites64 : TccEvent::kMemoryWrites64, 1);
}

CacheModel* CacheModelOf(int gpu, uint32_t chiplet) {
  HwCounters& counters = HwCountersOf(gpu, chiplet);
  if (!counters.counting.load(std::memory_order_relaxed)) return nullptr;
  static std::mutex mutex;
  static CacheModel* models[kMaxGpus][kMostChiplets];  // leaked on purpose, as Perfmon is
  const std::lock_guard lock(mutex);
  CacheModel*& model = models[gpu][chiplet];
  if (model == nullptr) model = new CacheModel(&counters);
  return model;
}

}  // namespace vgpu
