// SPDX-License-Identifier: MIT
// call_cell.h: counts the API calls that a thread has begun, in memory that outlives the process. A
// cell serves one thread after another and is never reset, so the sum of all cells is a part of the
// total. If all threads shared one count, its cache line would move from one processor to the next
// at each call.
//
// Threads    Count: the thread that the cell serves. All other functions: any
// Signals    a handler that interrupts Count must not count in the same cell
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "model/event_kinds.h"

namespace rtl {

// Each cell has a cache line of its own. All accesses are relaxed, so a reader of a running process
// may miss the last calls.
struct alignas(64) CallCell {
  std::atomic<uint64_t> calls{0};           // calls of EventKind::kHipCall
  std::atomic<uint64_t> compiler_calls{0};  // calls of EventKind::kCompilerCall

  // HOT: once per call.
  void Count(bool compiler) {
    std::atomic<uint64_t>& count = compiler ? compiler_calls : calls;
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  uint64_t Counted(EventKind kind) const {
    if (kind == EventKind::kHipCall) return calls.load(std::memory_order_relaxed);
    if (kind == EventKind::kCompilerCall) return compiler_calls.load(std::memory_order_relaxed);
    return 0;
  }
};
static_assert(sizeof(CallCell) == 64);

// The number of cells; threads beyond it share a count.
inline constexpr size_t kCallCells = 64;

}  // namespace rtl
