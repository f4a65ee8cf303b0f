// SPDX-License-Identifier: MIT
// completion_log.h: the device's own account of the packets that it completed (VGPU_COMPLETIONS).
//
// The file is mapped shared: its contents survive when the process is killed. It lets tests compare
// what a program or a tracer saw with what happened. So a packet is in the log before its signal
// changes: a process that dies in between cannot know more than the log.
//
// Layout     CompletionHeader, then CompletionEntry[capacity]. An entry is whole when `number` is
//            its index plus one; `count` goes on when the file is full
// Threads    any; never blocks after Open
#pragma once

#include <cstdint>
#include <string>

namespace vgpu {

constexpr uint64_t kCompletionMagic = 0x656e6f6475706776;  // "vgpudone"
constexpr uint64_t kCompletionCapacity = uint64_t{1} << 20;

struct CompletionHeader {
  uint64_t magic;
  uint64_t capacity;
  uint64_t count;  // completions so far, also those that found the file full
  uint64_t clock_hz;
  uint64_t reserved[4];
};
static_assert(sizeof(CompletionHeader) == 64);

struct CompletionEntry {
  uint64_t number = 0;  // written last
  uint32_t queue = 0;   // the driver's id of the queue
  uint16_t gpu = 0;
  uint16_t packet_type = 0;  // HSA_PACKET_TYPE_*
  uint64_t packet = 0;       // index in its queue
  uint64_t start_ticks = 0;  // of the GPU's counter
  uint64_t end_ticks = 0;
  uint64_t signal = 0;        // handle of the completion signal; 0: none
  uint64_t completed_ns = 0;  // raw host time, after the signal was decremented; 0: not known
  uint64_t reserved = 0;
};
static_assert(sizeof(CompletionEntry) == 64);

class CompletionLog {
 public:
  CompletionLog() = default;
  CompletionLog(const CompletionLog&) = delete;
  CompletionLog& operator=(const CompletionLog&) = delete;

  // Creates the file, or empties it. 0 or -errno.
  [[nodiscard]] int Open(const std::string& path, uint64_t clock_hz,
                         uint64_t capacity = kCompletionCapacity);
  bool is_open() const { return header_ != nullptr; }

  // Fills in `entry.number`. Returns the entry in the log, which lasts as long as the process;
  // nullptr when the log is full.
  CompletionEntry* Add(CompletionEntry entry);

 private:
  CompletionHeader* header_ = nullptr;  // mapped until the process ends
  CompletionEntry* entries_ = nullptr;
};

}  // namespace vgpu
