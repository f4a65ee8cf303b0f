// SPDX-License-Identifier: MIT
#include "spool/deferred_records.h"

#include <string.h>

#include <atomic>

namespace rtl::spool {
namespace {

constexpr size_t kEntries = 1024;  // as many as signals can arrive while a segment is made
enum State : uint32_t { kFree = 0, kBusy = 1, kKept = 2 };

constinit DeferredRecords::Entry g_entries[kEntries] = {};
constinit std::atomic<uint64_t> g_order{0};
constinit std::atomic<size_t> g_used{0};  // entries from this index on have never been used

std::atomic_ref<uint32_t> StateOf(DeferredRecords::Entry& entry) {
  return std::atomic_ref<uint32_t>(entry.state);
}

RecordType TypeOf(const void* record) {
  RecordHeader head;
  memcpy(&head, record, sizeof head);
  return head.type;
}

bool IsMarker(RecordType type) {
  return type == RecordType::kMark || type == RecordType::kRangePush ||
         type == RecordType::kRangePop || type == RecordType::kRangeStart ||
         type == RecordType::kRangeStop;
}

}  // namespace

bool DeferredRecords::Entry::Begins() const {
  const RecordType type = TypeOf(bytes);
  return type != RecordType::kRangePop && type != RecordType::kRangeStop;
}

bool DeferredRecords::Keep(uint32_t writer, uint32_t thread, const void* record, size_t bytes,
                           const char* text, size_t text_bytes) {
  if (!IsMarker(TypeOf(record)) || bytes + text_bytes > Entry::kBytes) return false;
  for (size_t i = 0; i < kEntries; ++i) {
    Entry& entry = g_entries[i];
    uint32_t free = kFree;
    if (!StateOf(entry).compare_exchange_strong(free, kBusy, std::memory_order_acquire)) continue;
    size_t used = g_used.load(std::memory_order_relaxed);
    while (used <= i && !g_used.compare_exchange_weak(used, i + 1, std::memory_order_relaxed)) {
    }
    entry.writer = writer;
    entry.thread = thread;
    entry.record_bytes = static_cast<uint32_t>(bytes);
    entry.text_bytes = static_cast<uint32_t>(text_bytes);
    entry.order = g_order.fetch_add(1, std::memory_order_relaxed);
    memcpy(entry.bytes, record, bytes);
    if (text_bytes != 0) memcpy(entry.bytes + bytes, text, text_bytes);
    StateOf(entry).store(kKept, std::memory_order_release);
    return true;
  }
  return false;
}

DeferredRecords::Entry* DeferredRecords::Oldest(uint32_t writer, uint32_t thread) {
  Entry* oldest = nullptr;
  const size_t used = g_used.load(std::memory_order_relaxed);
  for (size_t i = 0; i < used; ++i) {
    Entry& entry = g_entries[i];
    if (StateOf(entry).load(std::memory_order_acquire) != kKept || entry.writer != writer ||
        entry.thread != thread)
      continue;
    if (oldest == nullptr || entry.order < oldest->order) oldest = &entry;
  }
  return oldest;
}

DeferredRecords::Entry* DeferredRecords::Any(uint32_t writer) {
  const size_t used = g_used.load(std::memory_order_relaxed);
  for (size_t i = 0; i < used; ++i) {
    Entry& entry = g_entries[i];
    if (StateOf(entry).load(std::memory_order_acquire) == kKept && entry.writer == writer)
      return &entry;
  }
  return nullptr;
}

void DeferredRecords::Free(Entry* entry) {
  StateOf(*entry).store(kFree, std::memory_order_release);
}

}  // namespace rtl::spool
