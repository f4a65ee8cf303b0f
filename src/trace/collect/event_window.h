// SPDX-License-Identifier: MIT
// event_window.h: the window of `rtl trace --ring`. It has the last events of all processes, the
// reasons why the next database of them is due, and the sums of processes that have left the
// window.
//
// Threads    the collecting one; after Join, the caller's
// Memory     as record_ring.h and window_triggers.h
// Errors     Make returns the error in a regular expression
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "spool/reader.h"
#include "trace/collect/collector.h"
#include "trace/collect/record_ring.h"
#include "trace/collect/window_triggers.h"

namespace rtl::store {

class EventWindow {
 public:
  // `mark`, `ranges`: as for WindowTriggers::Make.
  static Status Make(size_t bytes, const std::string& mark, const std::vector<RangeTrigger>& ranges,
                     std::unique_ptr<EventWindow>* out);

  void Keep(uint32_t process, const spool::RecordView& record);
  // No further record of this process will come.
  void End(uint32_t process);
  RecordRing& ring() { return ring_; }
  const RecordRing& ring() const { return ring_; }

  // Makes a database of the window due, for this reason.
  void Ask(std::string why) { due_.push_back(std::move(why)); }
  // The reasons since the last call as one text; empty if no database is due.
  std::string TakeDue();
  // The name of the next database: "trace.1.db" for the output "trace.db".
  std::string NextName(const std::string& output);
  // The number of names returned by NextName.
  int named() const { return named_; }

  // A process has left the window.
  void NoteLeft(uint32_t process);
  // Adds the counts of that process, if they are known.
  void AddLeft(const KindTotals* kinds);
  size_t left() const { return left_; }
  const KindTotals* left_kinds() const { return left_kinds_; }

 private:
  explicit EventWindow(size_t bytes) : ring_(bytes) {}

  RecordRing ring_;
  std::unique_ptr<WindowTriggers> triggers_;
  std::vector<std::string> due_;
  int named_ = 0;
  size_t left_ = 0;
  KindTotals left_kinds_[kEventKindCount];
};

}  // namespace rtl::store
