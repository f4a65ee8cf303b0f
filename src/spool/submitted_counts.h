// SPDX-License-Identifier: MIT
// submitted_counts.h: the part of the control page that counts the events of the process.
//
// Threads    any; all accesses are relaxed
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "model/call_cell.h"
#include "model/event_kinds.h"

namespace rtl::spool {

class SubmittedCounts {
 public:
  // The count of one kind of event; can be used like an atomic number.
  template <typename Counts>
  class Of {
   public:
    Of(Counts* counts, size_t kind) : counts_(counts), kind_(kind) {}
    uint64_t load(std::memory_order = std::memory_order_relaxed) const {
      uint64_t sum = counts_->shared_[kind_].load(std::memory_order_relaxed);
      for (const CallCell& cell : counts_->cells_) sum += cell.Counted(EventKind(kind_));
      return sum;
    }
    operator uint64_t() const { return load(); }  // NOLINT(google-explicit-constructor)
    // Only for a count for which no thread has a cell.
    void store(uint64_t events) { counts_->shared_[kind_].store(events); }
    void fetch_add(uint64_t events, std::memory_order = std::memory_order_relaxed) {
      counts_->shared_[kind_].fetch_add(events, std::memory_order_relaxed);
    }

   private:
    Counts* counts_;
    size_t kind_;
  };

  Of<SubmittedCounts> operator[](size_t kind) { return {this, kind}; }
  Of<const SubmittedCounts> operator[](size_t kind) const { return {this, kind}; }

  // The counter of threads that have no cell.
  std::atomic<uint64_t>* shared(EventKind kind) { return &shared_[static_cast<size_t>(kind)]; }
  CallCell* cells() { return cells_; }  // kCallCells cells

 private:
  alignas(64) std::atomic<uint64_t> shared_[kEventKindCount];
  CallCell cells_[kCallCells];
};

}  // namespace rtl::spool
