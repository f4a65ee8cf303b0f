// SPDX-License-Identifier: MIT
// held_records.h: holds records of one process until the description of the kernel, queue or agent
// that they name is read. Each thread writes into chunks of its own, so an event may be read before
// such a description.
//
// Memory     kMost records
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/status.h"

namespace rtl::store {

template <typename Record>
class HeldRecords {
 public:
  static constexpr size_t kMost = 65536;
  // A record is released after this many rounds, because its description may be lost.
  static constexpr uint32_t kMostRounds = 64;

  bool empty() const { return held_.empty(); }

  // False if there is no room.
  bool Hold(const Record& record) {
    if (held_.size() >= kMost) return false;
    held_.push_back({record, 0});
    return true;
  }

  // Makes one round: passes on the records that are complete by now, or have waited for too long.
  template <typename IsComplete, typename Write>
  Status Release(const IsComplete& is_complete, const Write& write) {
    if (held_.empty()) return Status::Ok();
    std::vector<Held> before;
    before.swap(held_);
    for (Held& held : before) {
      if (is_complete(held.record) || ++held.rounds >= kMostRounds) {
        RTL_TRY(write(held.record));
      } else {
        held_.push_back(held);
      }
    }
    return Status::Ok();
  }

 private:
  struct Held {
    Record record;
    uint32_t rounds = 0;  // rounds for which the record has waited
  };
  std::vector<Held> held_;
};

}  // namespace rtl::store
