// SPDX-License-Identifier: MIT
// overflow.h: a file of the spool, reserved before the first process starts, in which processes count their events
// that have no room for files of their own (a full disk, a quota).
//
// Threads    any; places are taken once and never given back
// Blocking   file I/O only
// Memory     JoinOverflow's mapping lives as long as the process
// Why        docs/formats/spool.md
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/status.h"
#include "model/event_kinds.h"
#include "spool/format.h"

namespace rtl::spool {

inline constexpr char kOverflowFile[] = "overflow";
inline constexpr char kOverflowMagic[8] = {'R', 'T', 'L', 'O', 'V', 'R', '0', '1'};
inline constexpr size_t kOverflowPlaces = 32;

// One process. All that it has seen is lost: it can write no record.
struct OverflowPlace {
  std::atomic<uint32_t> ready;  // release after `process` and `why`
  ProcessInfo process;
  char why[256];
  std::atomic<uint64_t> seen[kEventKindCount];
};

struct OverflowPage {
  char magic[8];
  uint32_t version;
  uint32_t bytes;               // sizeof(OverflowPage)
  std::atomic<uint32_t> taken;  // processes that joined; those beyond the places share the last one
  OverflowPlace places[kOverflowPlaces];
};

// Takes the disk's space for these bytes of a file, so that a write into the mapping cannot raise
// SIGBUS. Written zeros have pages that were made in large pieces, and blocks that the file system
// may choose later: often the file is deleted by then. Zero or errno.
int WriteZeros(int fd, size_t offset, size_t bytes);

// The reader's, before processes start. Keeps a file that is there. If it fails, processes without
// room are reported on their standard error only.
void MakeOverflow(const char* directory);
// The reader's, at the end; null: there is none, or it is damaged. To be unmapped.
const OverflowPage* MapOverflow(const char* directory);
void RemoveOverflow(const char* directory);

// The place of this process; null: there is none.
OverflowPlace* JoinOverflow(const char* directory, const ProcessInfo& process, const char* why);

}  // namespace rtl::spool
