// SPDX-License-Identifier: MIT
// process_stat.h: the state of a process, from /proc.
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
  uint64_t stack = 0;        // field 28: changes with every exec; zero where the kernel hides it

  // A zombie without other threads only waits for its parent; one with other threads still runs.
  bool dead() const { return (state == 'Z' || state == 'X') && threads <= 1; }
};

// True when the process has become another program (exec) since `before` was read. Never true
// without stack randomisation, nor for other users' processes.
inline bool Replaced(uint64_t stack_before, const ProcessStat& now) {
  return stack_before != 0 && now.stack != 0 && now.stack != stack_before;
}

// False when there is no such process, or it cannot be read: /proc is not there, no file descriptor
// is left. `pid`: in this process's PID namespace, whatever namespace
// /proc shows; zero: this process.
bool ReadProcessStat(uint32_t pid, ProcessStat* out);

// The pid, in this process's namespace, of a process that may have a PID namespace of its own
// (unshare, a container). Zero: there is none, or it cannot be seen from here; with *looked false no
// file descriptor was left to look for it.
uint32_t PidFromHere(const ProcessInfo& process, bool* looked);
// The other way: the pid that a process has in its own namespace. Zero: there is no such process.
uint32_t PidInItsNamespace(uint32_t pid);

// Fills in the zero or empty members of `info` from the calling process and its host.
void DescribeThisProcess(ProcessInfo* info);

}  // namespace rtl::spool
