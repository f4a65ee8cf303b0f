// SPDX-License-Identifier: MIT
// record_ring.h: the last records of all processes in fixed memory, for `rtl trace --ring`.
//
//   Add     what describes others (agents, queues, kernels, names)  kept for good
//           events                                                  into the ring; the oldest give way
//   Replay  of one process: what is kept, ranges that were open when the window begins, the window
//
// Memory     the ring; an entry per kernel, queue and name; an entry per range that is open
// Threads    one
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/status.h"
#include "model/event_kinds.h"
#include "spool/reader.h"

namespace rtl::store {

// What gave way to newer events.
struct LeftOut {
  uint64_t events[kEventKindCount] = {};
  std::map<uint32_t, uint64_t> kernels;  // by queue

  uint64_t of(EventKind kind) const { return events[static_cast<size_t>(kind)]; }
};

class RecordRing {
 public:
  explicit RecordRing(size_t bytes);

  void Add(uint32_t process, const spool::RecordView& record);
  Status Replay(uint32_t process,
                const std::function<Status(const spool::RecordView&)>& record) const;
  // All events give way.
  void Clear();
  const LeftOut& left_out(uint32_t process) const;
  uint64_t events() const { return events_; }  // in the window

 private:
  static constexpr size_t kChunkBytes = 256 << 10;
  struct Entry {
    uint32_t process;
    uint32_t bytes;  // of the record behind it
  };
  struct Chunk {
    size_t used = 0;
    std::unique_ptr<char[]> bytes;
  };
  // The record as it came, 8-byte aligned.
  using Copy = std::vector<uint64_t>;
  struct Process {
    std::vector<Copy> kept;
    // Ranges whose beginnings have left the window and whose ends have not.
    std::map<uint32_t, std::vector<Copy>> pushed;  // by thread
    std::map<uint64_t, Copy> started;              // by range
    LeftOut left_out;
  };

  static Copy CopyOf(const spool::RecordView& record);
  void Forget(Chunk* chunk);
  void ForgetRecord(Process* process, const spool::RecordView& record);
  static void ForEach(const Chunk& chunk,
                      const std::function<void(uint32_t, const spool::RecordView&)>& entry);

  const size_t most_chunks_;
  std::deque<Chunk> chunks_;  // oldest first
  std::map<uint32_t, Process> processes_;
  uint64_t events_ = 0;
};

}  // namespace rtl::store
