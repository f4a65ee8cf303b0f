// SPDX-License-Identifier: MIT
// overflow.h: a file of the spool that is reserved before the first process starts. A process that
// has no room for files of its own (a full disk, a quota) counts its events there.
//
// Threads    any; a place is taken once and never given back
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

// The place of one process. All events that it has seen are lost, because it can write no record.
struct OverflowPlace {
  std::atomic<uint32_t> ready;  // stored with release after `process` and `why`
  ProcessInfo process;
  char why[256];
  std::atomic<uint64_t> submitted[kEventKindCount];
};

struct OverflowPage {
  char magic[8];
  uint32_t version;
  uint32_t bytes;  // sizeof(OverflowPage)
  // number of processes that joined; when the places are used up, further processes share the last
  // one
  std::atomic<uint32_t> taken;
  OverflowPlace places[kOverflowPlaces];
};

// Reserves space on disk for these bytes of a file by writing zeros, so that a write into the
// mapping cannot raise SIGBUS. Written zeros have pages that the kernel makes in large pieces, and
// disk blocks that the file system may choose later; often the file is deleted by then. Returns
// zero or errno.
int WriteZeros(int fd, size_t offset, size_t bytes);

// For the reader, before processes start. If the file exists, it is kept. If it cannot be made,
// processes without room are reported on their standard error only.
void MakeOverflow(const char* directory);
// For the reader, at the end. Null if there is no such file, or if it is damaged. The caller must
// unmap the page.
const OverflowPage* MapOverflow(const char* directory);
void RemoveOverflow(const char* directory);

// Takes a place for this process; null if there is no overflow file.
OverflowPlace* JoinOverflow(const char* directory, const ProcessInfo& process, const char* why);

}  // namespace rtl::spool
