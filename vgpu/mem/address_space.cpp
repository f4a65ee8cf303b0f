// SPDX-License-Identifier: MIT
#include "vgpu/mem/address_space.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <shared_mutex>

#include "vgpu/mem/process_maps.h"

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
      delete fresh;  // another thread was first, and made `tables`
    }
  }
  return tables->of_gpu[gpu];
}

// Relaxed: queues, whose threads read it, are created after it changes.
std::atomic<bool> g_shows_process_memory{false};
// Set while threads may have translations of the process's own memory.
std::atomic<bool> g_gave_process_memory[kMaxGpus];

void ChangeTag(int gpu) { internal::g_tags[gpu].fetch_add(kMaxGpus, std::memory_order_release); }

// The range that contains `va`. If there is none, the process's memory around `va`, up to the next
// ranges. An empty entry if there is neither. The caller holds the table's lock.
internal::TlbEntry Find(const PageTable& table, int gpu, uint64_t va) {
  const auto after = table.ranges.upper_bound(va);
  uint64_t free_from = 0;
  if (after != table.ranges.begin()) {
    const auto& [begin, range] = *std::prev(after);
    if (va < range.end) {
      if (range.host == nullptr) return {};
      return {begin, range.end, reinterpret_cast<uint64_t>(range.host) - begin};
    }
    free_from = range.end;
  }
  if (!g_shows_process_memory.load(std::memory_order_relaxed)) return {};
  g_gave_process_memory[gpu].store(true, std::memory_order_relaxed);
  const ProcessMapping mapping = FindReadable(va);
  const uint64_t free_until = after == table.ranges.end() ? ~uint64_t{0} : after->first;
  return {std::max(mapping.begin, free_from), std::min(mapping.end, free_until), 0};
}

}  // namespace

bool MapRange(int gpu, uint64_t va, uint64_t bytes, uint8_t* host) {
  PageTable& table = TableOf(gpu);
  std::unique_lock lock(table.mutex);
  auto next = table.ranges.lower_bound(va);
  if (next != table.ranges.end() && next->first < va + bytes) return false;
  if (next != table.ranges.begin() && std::prev(next)->second.end > va) return false;
  table.ranges.emplace_hint(next, va, Range{va + bytes, host});
  ForgetProcessMemory(gpu);  // threads may have translations of memory that the range now covers
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

void ShowProcessMemory(bool on) {
  g_shows_process_memory.store(on, std::memory_order_relaxed);
  for (int gpu = 0; gpu < kMaxGpus; ++gpu) ForgetProcessMemory(gpu);
}

void ForgetProcessMemory(int gpu) {
  std::atomic<bool>& gave = g_gave_process_memory[gpu];
  if (!gave.load(std::memory_order_relaxed)) return;
  gave.store(false, std::memory_order_relaxed);
  ChangeTag(gpu);
}

void ForgetAddressSpaces() {
  ShowProcessMemory(false);
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
  const TlbEntry found = Find(table, gpu, va);
  if (va < found.begin || va >= found.end || bytes > found.end - va) return nullptr;
  if (run != nullptr) *run = found.end - va;
  tlb.entries[tlb.next++ % tlb.entries.size()] = found;
  return reinterpret_cast<uint8_t*>(va + found.delta);
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
