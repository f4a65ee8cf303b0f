// SPDX-License-Identifier: MIT
// recent_calls.h: remembers what was found out about the calls that were read last. A program
// repeats its calls, and a call with the same thread, function, result and arguments need not be
// examined again.
//
// Threads    one
// Memory     kSlots calls
#pragma once

#include <string.h>

#include <cstdint>

#include "model/records.h"
#include "trace/write/call_table.h"

namespace rtl::store {

class RecentCalls {
 public:
  struct Plan {
    int64_t arguments = 0;  // rocpd_string.id
    CallTable::Described described;
    // first use of the stream that the call uses; null: the call uses no stream
    uint64_t* first_use = nullptr;
  };

  // HOT. Returns null if nothing is known about this call. `words`: size of the record with its
  // text.
  Plan* Find(int64_t process, const ApiCallRecord& record, size_t words, uint32_t generation) {
    if (words > kMostWords) return nullptr;
    Slot& slot = SlotOf(record, words);
    const bool is_known = slot.process == process && slot.generation == generation &&
                          slot.words == words && slot.head == Word(record, 0) &&
                          memcmp(slot.rest, Rest(record), RestBytes(words)) == 0;
    return is_known ? &slot.plan : nullptr;
  }

  void Keep(int64_t process, const ApiCallRecord& record, size_t words, uint32_t generation,
            const Plan& plan) {
    if (words > kMostWords) return;
    Slot& slot = SlotOf(record, words);
    slot.process = process;
    slot.generation = generation;
    slot.words = static_cast<uint32_t>(words);
    slot.head = Word(record, 0);
    memcpy(slot.rest, Rest(record), RestBytes(words));
    slot.plan = plan;
  }

 private:
  static constexpr size_t kSlots = 256;
  static constexpr size_t kMostWords = 17;
  // From this word on, a record has its function, result, sizes and arguments.
  static constexpr size_t kRest = offsetof(ApiCallRecord, api) / 8;

  struct Slot {
    int64_t process = 0;  // rtl_process.id; 0: the slot is free
    uint32_t generation = 0;
    uint32_t words = 0;
    uint64_t head = 0;
    uint64_t rest[kMostWords - kRest] = {};
    Plan plan;
  };

  static uint64_t Word(const ApiCallRecord& record, size_t at) {
    uint64_t word;
    memcpy(&word, reinterpret_cast<const char*>(&record) + at * 8, sizeof word);
    return word;
  }
  static const char* Rest(const ApiCallRecord& record) {
    return reinterpret_cast<const char*>(&record) + kRest * 8;
  }
  static size_t RestBytes(size_t words) { return (words - kRest) * 8; }

  // The slot, which is chosen by thread, function and first argument.
  Slot& SlotOf(const ApiCallRecord& record, size_t words) {
    constexpr size_t kFirst = sizeof(ApiCallRecord) / 8;
    uint64_t hash = Word(record, 0) * 0x9e3779b97f4a7c15 + Word(record, kRest);
    if (words > kFirst) hash = hash * 0x9e3779b97f4a7c15 + Word(record, kFirst);
    return slots_[hash * 0x9e3779b97f4a7c15 >> 56];
  }

  static_assert(kSlots == 256, "SlotOf gives 8 bits");
  Slot slots_[kSlots];
};

}  // namespace rtl::store
