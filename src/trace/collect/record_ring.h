// SPDX-License-Identifier: MIT
// record_ring.h: keeps the last records of all processes in fixed memory, for `rtl trace --ring`.
//
//   Add     descriptions (agents, queues, kernels, names)  kept as long as their process
//           events                                         into the ring; the oldest give way
//   End     of a process: the process leaves the ring with it
//   Replay  of one process: descriptions, ranges that were open when the window begins, the window
//
// Memory     the ring, in which a process that has ended takes as much as its descriptions; one
//            entry for each kernel, queue and name of living processes, and for each open range
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

// The events that were dropped for newer ones.
struct LeftOut {
  uint64_t events[kEventKindCount] = {};
  std::map<uint32_t, uint64_t> kernels;  // number of kernels by queue

  uint64_t of(EventKind kind) const { return events[static_cast<size_t>(kind)]; }
};

class RecordRing {
 public:
  explicit RecordRing(size_t bytes);

  void Add(uint32_t process, const spool::RecordView& record);
  Status Replay(uint32_t process,
                const std::function<Status(const spool::RecordView&)>& record) const;
  // Drops all events.
  void Clear();
  // No further record of this process will come.
  void End(uint32_t process);
  // Processes whose last event and end have left the window since the last call.
  std::vector<uint32_t> TakeLeft();
  // Forgets the process and its counts of dropped events.
  void Drop(uint32_t process);
  const LeftOut& left_out(uint32_t process) const;
  uint64_t events() const { return events_; }  // number of events in the window
  size_t bytes() const { return chunks_.size() * kChunkBytes; }
  // The number of ranges of the process that began before the window and have not ended in it.
  size_t open_ranges(uint32_t process) const;

 private:
  static constexpr size_t kChunkBytes = 256 << 10;
  struct Entry {
    uint32_t process;
    uint32_t bytes : 31;  // size of the entry's data: a record; for an end, nothing that is read
    uint32_t end : 1;
  };
  struct Chunk {
    size_t used = 0;
    std::unique_ptr<char[]> bytes;
  };
  // A copy of a record, 8-byte aligned.
  using Copy = std::vector<uint64_t>;
  struct Process {
    std::vector<Copy> kept;
    size_t kept_bytes = 0;
    // Open ranges whose beginnings have left the window.
    std::map<uint32_t, std::vector<Copy>> pushed;  // indexed by thread
    std::map<uint64_t, Copy> started;              // indexed by the id of the range
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
  std::vector<uint32_t> left_;  // numbers in processes_
  uint64_t events_ = 0;
};

}  // namespace rtl::store
