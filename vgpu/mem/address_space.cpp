// SPDX-License-Identifier: MIT
#include "vgpu/mem/address_space.h"

#include <map>
#include <mutex>
#include <shared_mutex>

namespace vgpu {

namespace internal {

constinit thread_local Tlb t_tlb;

// Tags count up in steps of kMaxGpus from the GPU's index, so that they never meet; 0 is no tag.
std::atomic<uint64_t> g_tags[kMaxGpus] = {8, 9, 10, 11, 12, 13, 14, 15};
static_assert(kMaxGpus == 8);

}  // namespace internal

namespace {

struct Range {
  uint64_t end = 0;
  uint8_t* host = nullptr;
};

struct PageTable {
  std::shared_mutex mutex;
  std::map<uint64_t, Range> ranges;  // by first address; guarded by mutex
};

struct PageTables {
  PageTable of_gpu[kMaxGpus];
};

// Never destroyed, see the header. Replaced in a forked child, whose copy of a mutex may be held
// by a thread that does not exist there.
std::atomic<PageTables*> g_tables{nullptr};

PageTable& TableOf(int gpu) {
  PageTables* tables = g_tables.load(std::memory_order_acquire);  // pairs with the exchange below
  if (tables == nullptr) {
    auto* fresh = new PageTables;
    if (g_tables.compare_exchange_strong(tables, fresh, std::memory_order_acq_rel)) {
      tables = fresh;
    } else {
      delete fresh;  // another thread was first; `tables` is its work
    }
  }
  return tables->of_gpu[gpu];
}

void ChangeTag(int gpu) { internal::g_tags[gpu].fetch_add(kMaxGpus, std::memory_order_release); }

}  // namespace

bool MapRange(int gpu, uint64_t va, uint64_t bytes, uint8_t* host) {
  PageTable& table = TableOf(gpu);
  std::unique_lock lock(table.mutex);
  auto next = table.ranges.lower_bound(va);
  if (next != table.ranges.end() && next->first < va + bytes) return false;
  if (next != table.ranges.begin() && std::prev(next)->second.end > va) return false;
  table.ranges.emplace_hint(next, va, Range{va + bytes, host});
  return true;
}

bool UnmapRange(int gpu, uint64_t va, uint64_t bytes) {
  PageTable& table = TableOf(gpu);
  std::unique_lock lock(table.mutex);
  auto range = table.ranges.lower_bound(va);
  const auto first = range;
  while (range != table.ranges.end() && range->second.end <= va + bytes) ++range;
  if (range == first) return false;
  table.ranges.erase(first, range);
  ChangeTag(gpu);
  return true;
}

void ForgetAddressSpaces() {
  g_tables.store(nullptr, std::memory_order_release);
  for (int gpu = 0; gpu < kMaxGpus; ++gpu) ChangeTag(gpu);
}

namespace internal {

uint8_t* LookUp(int gpu, uint64_t va, size_t bytes, size_t* run) {
  PageTable& table = TableOf(gpu);
  std::shared_lock lock(table.mutex);
  // Read under the lock: no range can go away between this tag and the look-up.
  const uint64_t tag = g_tags[gpu].load(std::memory_order_relaxed);
  Tlb& tlb = *ThreadTlb();
  if (tlb.tag != tag) {
    tlb = Tlb();
    tlb.tag = tag;
  }
  auto after = table.ranges.upper_bound(va);
  if (after == table.ranges.begin()) return nullptr;
  const auto& [begin, range] = *std::prev(after);
  if (va >= range.end || bytes > range.end - va) return nullptr;
  if (run != nullptr) *run = range.end - va;
  const uint64_t delta = reinterpret_cast<uint64_t>(range.host) - begin;
  tlb.entries[tlb.next++ % tlb.entries.size()] = {begin, range.end, delta};
  return reinterpret_cast<uint8_t*>(va + delta);
}

}  // namespace internal

uint8_t* TranslateRun(int gpu, uint64_t va, size_t* run) {
  const internal::Tlb& tlb = *internal::ThreadTlb();
  if (tlb.tag == internal::g_tags[gpu].load(std::memory_order_acquire)) {  // as in Translate
    for (const internal::TlbEntry& entry : tlb.entries) {
      if (va < entry.begin || va >= entry.end) continue;
      *run = entry.end - va;
      return reinterpret_cast<uint8_t*>(va + entry.delta);
    }
  }
  return internal::LookUp(gpu, va, 1, run);
}

}  // namespace vgpu
