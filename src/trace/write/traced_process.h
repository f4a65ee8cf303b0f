// SPDX-License-Identifier: MIT
// traced_process.h: what the trace writer knows of a process whose records it writes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/status.h"
#include "model/event_kinds.h"
#include "model/records.h"
#include "spool/reader.h"
#include "trace/schema/tables.h"
#include "trace/write/held_records.h"
#include "trace/write/markers.h"
#include "trace/write/streams.h"

namespace rtl::store {

struct TracedKernel {
  int64_t row = 0;
  int64_t name = 0;  // rocpd_string.id
  uint32_t flags = 0;
  bool helper = false;  // one of HIP's own kernels, which it launches beside the requested one
  bool is_chosen = true;
};

struct StoredQueue {
  int64_t row = 0;
  QueueRecord record;
  const AgentRecord* agent = nullptr;  // null until it is known
  std::optional<QueueEndRecord> end;
  uint64_t recorded = 0;
  uint64_t out_of_window = 0;
  uint64_t left_out = 0;  // kernels that were not selected
};

// Remembers the values of a map that were looked up last, for records that alternate between the
// same few keys. The map must not move its values, and none may be removed.
template <typename Value>
class Recent {
 public:
  // Returns null if the map has no such key.
  template <typename Map>
  Value* Find(Map& map, uint32_t key) {
    Slot& slot = slots_[key % kSlots];
    if (slot.value != nullptr && slot.key == key) return slot.value;
    const auto found = map.find(key);
    if (found == map.end()) return nullptr;
    slot = {key, &found->second};
    return slot.value;
  }

 private:
  static constexpr uint32_t kSlots = 64;
  struct Slot {
    uint32_t key = 0;
    Value* value = nullptr;
  };
  Slot slots_[kSlots];
};

struct TracedProcess {
  // The id of a call's row is the call's correlation id plus the process's number shifted by this
  // many bits. So the kernels that the call launched can name its row, whichever is read first. The
  // view rocpd_api removes the shifted number.
  static constexpr int kApiIdBits = 40;

  explicit TracedProcess(Markers::Emit emit) : markers(std::move(emit)) {}

  // rocpd_api.id of the call; empty if there is no call.
  std::optional<int64_t> ApiId(uint64_t correlation) const {
    if (correlation == 0 || correlation >> kApiIdBits != 0) return std::nullopt;
    return ((row - 1) << kApiIdBits) + static_cast<int64_t>(correlation);
  }
  // False if the times are impossible; the event is then refused and counted.
  bool Plausible(uint64_t start, uint64_t end) {
    if (start > end || end > static_cast<uint64_t>(INT64_MAX)) {
      ++rejected;
      return false;
    }
    last_time = std::max(last_time, end);
    return true;
  }
  void CountRecorded(EventKind kind) { ++recorded[static_cast<size_t>(kind)]; }
  void CountLeftOut(EventKind kind) { ++left_out[static_cast<size_t>(kind)]; }

  // Null if the queue is not known yet. Sets the agent of the queue if the agent is known.
  StoredQueue* FindQueue(uint32_t number) {
    StoredQueue* const queue = recent_queues.Find(queues, number);
    if (queue == nullptr || queue->agent != nullptr) return queue;
    const auto agent = agents.find(queue->record.agent);
    if (agent != agents.end()) queue->agent = &agent->second;
    return queue;
  }
  const TracedKernel* FindKernel(uint32_t number) { return recent_kernels.Find(kernels, number); }
  // For each queue: the number of kernels that are too old for the trace.
  void SetOutOfWindow(const std::map<uint32_t, uint64_t>& kernels_of) {
    for (const auto& [id, events] : kernels_of) {
      const auto queue = queues.find(id);
      if (queue != queues.end()) queue->second.out_of_window = events;
    }
  }
  // True if records are held until their kernel, queue or agents are described.
  bool holds() const {
    return !held_dispatches.empty() || !held_copies.empty() || !held_barriers.empty();
  }

  int64_t row = 0;  // rtl_process.id
  spool::ProcessInfo info;
  std::optional<std::string> ending;  // rtl_process.ending
  std::unordered_map<uint32_t, AgentRecord> agents;
  std::map<uint32_t, StoredQueue> queues;
  std::map<uint32_t, QueueEndRecord> early_ends;  // of queues that are not known yet
  std::unordered_map<uint32_t, TracedKernel> kernels;
  Recent<StoredQueue> recent_queues;
  Recent<TracedKernel> recent_kernels;
  HeldRecords<DispatchRecord> held_dispatches;
  HeldRecords<CopyRecord> held_copies;
  HeldRecords<BarrierRecord> held_barriers;
  Markers markers;
  Streams streams;
  std::unordered_map<uint32_t, int64_t> api_names;  // ids in rocpd_string, by number of the call
  uint64_t rows = 0;                                // number of rows of rocpd_op
  uint64_t recorded[kEventKindCount] = {};
  uint64_t left_out[kEventKindCount] = {};  // events that were not selected
  bool is_chosen = true;
  struct Unlinked {
    uint64_t of[kEventKindCount] = {};
  };
  std::map<uint32_t, Unlinked> unlinked;  // rows without a call, by the thread that submitted them
  std::set<uint32_t> callers;             // threads that make calls of HIP
  uint32_t last_caller = 0;
  uint64_t rejected = 0;                      // records with impossible times, which have no row
  uint64_t duplicates[kEventKindCount] = {};  // calls with the correlation id of an earlier call
  uint64_t last_time = 0;                     // time of the latest event
  uint64_t faults = 0;
  uint32_t events = 0;                            // EventSet::bits; 0: not known
  std::set<uint64_t> named_threads;               // threads that roctxNameOsThread has named
  std::map<uint64_t, NameTable> names_in_kernel;  // the latest name of each thread
  std::vector<std::string> warnings;  // sentences for the user, from the process and about it
  Status failure = Status::Ok();      // failure to write a row that `markers` passed on
};

}  // namespace rtl::store
