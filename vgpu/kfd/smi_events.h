// SPDX-License-Identifier: MIT
// smi_events.h: the events of the GPUs, as monitoring programs read them (SMI_EVENTS).
//
// A program gets a descriptor for one GPU, writes to it a mask of the events that it wants, and
// reads lines of text, as <linux/kfd_ioctl.h> describes. The descriptor is one end of a pair of
// sockets, so that read, write, poll and close are the kernel's own.
//
// Threads    any; one lock
// Blocking   never: a program that does not read loses events, as with the kernel driver
// Memory     no allocation
#pragma once

#include <array>
#include <cstdint>
#include <mutex>

namespace vgpu {

class SmiEvents {
 public:
  static constexpr int kMaxPrograms = 64;

  // The program's descriptor, which it closes; or -errno.
  [[nodiscard]] int Open(int gpu);
  // Reports the event to every program that wants it of this GPU. `text` is the line without the
  // event's number, and with the line end.
  void Report(int gpu, uint32_t event, const char* text);
  // To be called in a forked child: closes the driver's ends, which only the parent serves.
  void CloseFiles();

 private:
  struct Program {
    int fd = -1;  // the driver's end; -1: the slot is free
    int gpu = 0;
    uint64_t events = 0;  // the mask that was written last
  };

  static void ReadMask(Program* program);

  std::mutex mutex_;
  std::array<Program, kMaxPrograms> programs_;  // guarded by mutex_
};

}  // namespace vgpu
