// SPDX-License-Identifier: MIT
// sampling_sessions.h: the PC-sampling sessions of all processes of this machine. All sessions of a
// GPU have one configuration, whichever process made them.
//
// The table is a file beside the machine's device files. A session lives as long as its process
// holds the lock on the session's byte. The kernel drops the lock when the process ends or execs.
//
// Threads    any, one at a time: the caller has a lock
// Blocking   on other processes that read the table
// Errors     without a file, or when it cannot be used, only this process's sessions are known
// Fork       the child calls Close
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace vgpu {

// A configuration, in the layout of the driver call PC_SAMPLE.
struct PcSampleInfo {
  uint64_t interval;
  uint64_t interval_min;
  uint64_t interval_max;
  uint64_t flags;
  uint32_t method;
  uint32_t type;
};

class SamplingSessions {
 public:
  // `file` empty: only sessions of this process are known.
  explicit SamplingSessions(std::string file) : file_(std::move(file)) {}
  SamplingSessions(const SamplingSessions&) = delete;
  SamplingSessions& operator=(const SamplingSessions&) = delete;

  // The configuration of the GPU's sessions. False: it has none.
  bool Find(int gpu, PcSampleInfo* info) const;
  // Adds a session and sets *slot. If the GPU has another configuration: -EEXIST, and *info becomes
  // that configuration.
  [[nodiscard]] int Add(int gpu, PcSampleInfo* info, uint32_t* slot);
  void Remove(uint32_t slot);
  // Gives up every session, and the file.
  void Close();

 private:
  struct Session {
    uint32_t used;
    int32_t pid;
    uint32_t gpu;
    uint32_t padding = 0;
    PcSampleInfo info;
    uint64_t reserved = 0;
  };
  static_assert(sizeof(Session) == 64);
  static constexpr uint32_t kSlots = 128;
  class Table;

  bool FindIn(Table* table, int gpu, PcSampleInfo* info) const;
  bool Enter(Table* table, const Session& session, uint32_t* slot);

  const std::string file_;
  int fd_ = -1;                       // open while this process has a session in the file
  std::map<uint32_t, Session> ours_;  // by slot; beyond kSlots: not in the file
};

}  // namespace vgpu
