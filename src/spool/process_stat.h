// SPDX-License-Identifier: MIT
// process_stat.h: reads the state of a process from /proc.
//
// Threads    any
// Blocking   file I/O on /proc only
// Memory     none
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "spool/format.h"

namespace rtl::spool {

struct ProcessStat {
  char state = 0;            // 'R', 'S', 'Z', …
  uint32_t parent_pid = 0;   // field 4
  uint32_t threads = 0;      // field 20
  uint64_t start_ticks = 0;  // field 22
  uint64_t stack = 0;        // field 28: changes with every exec; zero if the kernel hides it

  // A zombie without other threads only waits for its parent. A zombie with other threads still
  // runs.
  bool dead() const { return (state == 'Z' || state == 'X') && threads <= 1; }
};

// True if the process has become another program by exec since `stack_before` was read. Never true
// without stack randomisation, nor for processes of other users.
inline bool Replaced(uint64_t stack_before, const ProcessStat& now) {
  return stack_before != 0 && now.stack != 0 && now.stack != stack_before;
}

// False if there is no such process, or if it cannot be read, because /proc is missing or no file
// descriptor is left. `pid`: in this process's PID namespace, whatever namespace /proc shows; zero:
// this process.
bool ReadProcessStat(uint32_t pid, ProcessStat* out);

// The pid in this process's PID namespace of a process that may have a PID namespace of its own
// (unshare, a container). Zero if there is no such process, or if it is not visible from here; if
// *looked is false, no file descriptor was left to search for it.
uint32_t PidFromHere(const ProcessInfo& process, bool* looked);
// The reverse: the pid that a process has in its own PID namespace. Zero if there is no such
// process.
uint32_t PidInItsNamespace(uint32_t pid);

// Fills in the zero or empty members of `info` from the calling process and its host.
void DescribeThisProcess(ProcessInfo* info);

}  // namespace rtl::spool
