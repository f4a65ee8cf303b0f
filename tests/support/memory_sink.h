// SPDX-License-Identifier: MIT
// memory_sink.h: a record sink that keeps everything, for tests.
//
// Threads    any
#pragma once

#include <string.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "model/record_sink.h"
#include "model/records.h"

namespace rtl::support {

class MemorySink final : public RecordSink {
 public:
  bool Write(const void* record, size_t bytes, const char* text, size_t text_bytes) override {
    const RecordHeader head = *static_cast<const RecordHeader*>(record);
    if (on_write_) on_write_(head.type);
    std::lock_guard lock(mutex_);
    if (full_) return false;
    Keep(RecordType::kAgent, head.type, record, bytes, &agents_);
    Keep(RecordType::kQueue, head.type, record, bytes, &queues_);
    Keep(RecordType::kQueueEnd, head.type, record, bytes, &queue_ends_);
    Keep(RecordType::kDispatch, head.type, record, bytes, &dispatches_);
    Keep(RecordType::kBarrier, head.type, record, bytes, &barriers_);
    Keep(RecordType::kCopy, head.type, record, bytes, &copies_);
    if (head.type == RecordType::kWarning) warnings_.emplace_back(text, text_bytes);
    if (head.type == RecordType::kApiCall) {
      calls_.push_back({*static_cast<const ApiCallRecord*>(record), std::string(text, text_bytes)});
    }
    if (head.type == RecordType::kEvent) {
      events_.push_back({*static_cast<const EventRecord*>(record), std::string(text, text_bytes)});
    }
    if (head.type == RecordType::kApiName) api_names_.emplace_back(text, text_bytes);
    return true;
  }
  void CountSubmitted(EventKind kind, uint64_t events) override { At(kind).submitted += events; }
  void CountRecorded(EventKind kind, uint64_t events) override { At(kind).recorded += events; }
  void CountLoss(EventKind kind, Loss why, uint64_t events) override {
    At(kind).losses[static_cast<size_t>(why)] += events;
  }

  // Called by the writer, before each record. Set it before any record is written.
  void OnWrite(std::function<void(RecordType)> call) { on_write_ = std::move(call); }
  // From now on there is no room (or there is again).
  void SetFull(bool full) {
    std::lock_guard lock(mutex_);
    full_ = full;
  }

  std::vector<AgentRecord> agents() const { return Copy(agents_); }
  std::vector<QueueRecord> queues() const { return Copy(queues_); }
  std::vector<QueueEndRecord> queue_ends() const { return Copy(queue_ends_); }
  // In the order in which they were written: kernels without a barrier bit may be seen to end in
  // any order.
  std::vector<DispatchRecord> dispatches() const { return Copy(dispatches_); }
  std::vector<DispatchRecord> DispatchesByPacket() const {
    std::vector<DispatchRecord> sorted = dispatches();
    std::ranges::sort(sorted, {}, [](const DispatchRecord& record) {
      return std::pair(record.queue, record.packet);
    });
    return sorted;
  }
  std::vector<std::string> warnings() const { return Copy(warnings_); }
  struct Call {
    ApiCallRecord record;
    std::string payload;
  };
  std::vector<Call> calls() const { return Copy(calls_); }
  struct Event {
    EventRecord record;
    std::string payload;

    uint64_t value(size_t index) const {
      uint64_t value = 0;
      memcpy(&value, payload.data() + index * sizeof value, sizeof value);
      return value;
    }
    // By name: event.As<AllocationValues>().bytes.
    template <typename Values>
    Values As() const {
      Values values;
      memcpy(&values, payload.data(), sizeof values);
      return values;
    }
  };
  std::vector<Event> events() const { return Copy(events_); }
  std::vector<std::string> api_names() const { return Copy(api_names_); }
  size_t dispatch_count() const {
    std::lock_guard lock(mutex_);
    return dispatches_.size();
  }
  std::vector<BarrierRecord> barriers() const { return Copy(barriers_); }
  std::vector<CopyRecord> copies() const { return Copy(copies_); }
  size_t copy_count() const {
    std::lock_guard lock(mutex_);
    return copies_.size();
  }
  // Of kernels, unless it says otherwise.
  uint64_t submitted(EventKind kind = EventKind::kKernel) const { return At(kind).submitted; }
  uint64_t recorded(EventKind kind = EventKind::kKernel) const { return At(kind).recorded; }
  uint64_t loss(Loss why, EventKind kind = EventKind::kKernel) const {
    return At(kind).losses[static_cast<size_t>(why)];
  }
  uint64_t lost(EventKind kind = EventKind::kKernel) const {
    uint64_t sum = 0;
    for (const auto& count : At(kind).losses) {
      sum += count;
    }
    return sum;
  }

 private:
  struct Totals {
    std::atomic<uint64_t> submitted{0}, recorded{0};
    std::atomic<uint64_t> losses[kLossCount] = {};
  };
  Totals& At(EventKind kind) { return totals_[static_cast<size_t>(kind)]; }
  const Totals& At(EventKind kind) const { return totals_[static_cast<size_t>(kind)]; }
  template <typename T>
  static void Keep(RecordType wanted, RecordType type, const void* record, size_t bytes,
                   std::vector<T>* list) {
    if (type != wanted) return;
    T copy;
    memcpy(static_cast<void*>(&copy), record, bytes < sizeof(T) ? bytes : sizeof(T));
    list->push_back(copy);
  }
  template <typename T>
  std::vector<T> Copy(const std::vector<T>& list) const {
    std::lock_guard lock(mutex_);
    return list;
  }

  std::function<void(RecordType)> on_write_;
  mutable std::mutex mutex_;
  bool full_ = false;
  std::vector<AgentRecord> agents_;
  std::vector<QueueRecord> queues_;
  std::vector<QueueEndRecord> queue_ends_;
  std::vector<DispatchRecord> dispatches_;
  std::vector<std::string> warnings_;
  std::vector<Call> calls_;
  std::vector<Event> events_;
  std::vector<std::string> api_names_;
  std::vector<CopyRecord> copies_;
  std::vector<BarrierRecord> barriers_;
  Totals totals_[kEventKindCount];
};

}  // namespace rtl::support
