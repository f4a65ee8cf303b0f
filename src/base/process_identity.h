// SPDX-License-Identifier: MIT
// process_identity.h: which process this is, so that it cannot be mistaken for another one with
// the same number.
//
// Threads    any; reads /proc, so cold paths only
// Errors     what cannot be read stays zero or empty
#pragma once

#include <stdint.h>

namespace rtl {

struct ProcessIdentity {
  uint32_t pid = 0;
  uint32_t parent_pid = 0;
  uint64_t start_ticks = 0;  // since boot, in clock ticks: field 22 of /proc/<pid>/stat
  char boot_id[40] = {};
  char host[64] = {};
  char executable[256] = {};
  char command[1024] = {};  // arguments joined by spaces; cut when longer
};

ProcessIdentity ReadProcessIdentity();

// When process `pid` started, in clock ticks since boot. False when there is no such process.
bool ReadStartTicks(uint32_t pid, uint64_t* ticks);

}  // namespace rtl
