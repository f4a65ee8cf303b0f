// SPDX-License-Identifier: MIT
// record_ring.h: the last records of all processes in fixed memory, for `rtl trace --ring`.
//
//   Add     what describes others (agents, queues, kernels, names)  kept as long as its process
//           events                                                  into the ring; the oldest give way
//   End     of a process: once it has left the ring, so has the process
//   Replay  of one process: what is kept, ranges that were open when the window begins, the window
//
// Memory     the ring, in which a process that has ended takes as much as what is kept of it; an entry per
//            kernel, queue and name of those that live; an entry per range that is open
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
  // No record of this process will follow.
  void End(uint32_t process);
  // Processes of which everything has left the window since the last call, their end included.
  std::vector<uint32_t> TakeLeft();
  // Nothing is kept of it any more, what it left out neither.
  void Drop(uint32_t process);
  const LeftOut& left_out(uint32_t process) const;
  uint64_t events() const { return events_; }  // in the window

 private:
  static constexpr size_t kChunkBytes = 256 << 10;
  struct Entry {
    uint32_t process;
    uint32_t bytes : 31;  // of what is behind it: a record, at an end nothing to be read
    uint32_t end : 1;
  };
  struct Chunk {
    size_t used = 0;
    std::unique_ptr<char[]> bytes;
  };
  // The record as it came, 8-byte aligned.
  using Copy = std::vector<uint64_t>;
  struct Process {
    std::vector<Copy> kept;
    size_t kept_bytes = 0;
    // Ranges whose beginnings have left the window and whose ends have not.
    std::map<uint32_t, std::vector<Copy>> pushed;  // by thread
    std::map<uint64_t, Copy> started;              // by range
    LeftOut left_out;
  };

  static Copy CopyOf(const spool::RecordView& record);
  char* Append(const Entry& entry);
  void Forget(Chunk* chunk);
  void ForgetRecord(Process* process, const spool::RecordView& record);
  static void ForEach(const Chunk& chunk,
                      const std::function<void(const Entry&, const char*)>& visit);

  const size_t most_chunks_;
  std::deque<Chunk> chunks_;  // oldest first
  std::map<uint32_t, Process> processes_;
  std::vector<uint32_t> left_;  // of processes_
  uint64_t events_ = 0;
};

}  // namespace rtl::store
