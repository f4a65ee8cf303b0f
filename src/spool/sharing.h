// SPDX-License-Identifier: MIT
// sharing.h: one database for many processes that nobody launched together. The first process
// whose trace goes to a database makes a spool beside it and starts its collector; whoever comes
// while that collector takes processes uses the same spool.
//
//   <database>.spool-XXXXXX/       private directory; its flock keeps joining and closing apart
//     collector                    "<pid> <start time in clock ticks>" of the collector
//     closed                       the collector takes nobody any more
//
// Threads    any
// Blocking   file I/O; locks are waited for with a limit, after which things go on without
// Memory     none, but for opendir's
// Why        docs/adr/0020-one-output-many-processes.md
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/unique_fd.h"

namespace rtl::spool {

inline constexpr char kSpoolInfix[] = ".spool-";
inline constexpr char kSpoolPattern[] = ".spool-XXXXXX";
inline constexpr char kCollectorFile[] = "collector";
inline constexpr char kClosedFile[] = "closed";

struct CollectorProcess {
  uint32_t pid = 0;          // zero: none
  uint64_t start_ticks = 0;  // zero: could not be read
};

// False when it has ended. Where that cannot be told for certain, true: waits for it have limits.
bool Alive(const CollectorProcess& collector);

// Held while a process looks for a spool and, when there is none, makes one: on the directory that
// the database lies in.
class OutputLock {
 public:
  explicit OutputLock(const char* database);  // waits at most two seconds
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  UniqueFd directory_;  // closing it unlocks
};

// Tells later processes who collects `spool`.
Status AnnounceCollector(const char* spool, const CollectorProcess& collector);

// A spool of this user's beside `database` whose collector lives and takes processes. It is kept
// from closing until `hold` is closed. False: there is none.
bool FindOpenSpool(const char* database, char* spool, size_t size, CollectorProcess* collector,
                   UniqueFd* hold);

// For the collector: true when the spool holds no more than `processes` control pages; nobody will
// join it from then on. False: somebody has joined, or is about to; look again.
bool CloseSpool(const char* spool, size_t processes);

// Whether a collector that started before `self`, which is that of `own_spool`, still works for
// `database`.
bool EarlierCollects(const char* database, const char* own_spool, const CollectorProcess& self);

// Removes what this module put into the spool.
void RemoveSharing(const char* spool);

}  // namespace rtl::spool
