// SPDX-License-Identifier: MIT
// sharing.h: lets many processes that were started independently share one database. The first
// process whose trace goes to a database makes a spool beside it and starts its collector. Later
// processes join the same spool while that collector accepts them.
//
//   <database>.spool-XXXXXX/       private directory; its flock keeps joining and closing apart
//     collector                    "<pid> <start time in clock ticks>" of the collector
//     closed                       the collector accepts no further process
//
// Threads    any
// Blocking   file I/O; waiting for a lock is limited; after the limit the caller continues without
//            the lock
// Memory     only that of opendir
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
  uint32_t pid = 0;          // zero: there is no collector
  uint64_t start_ticks = 0;  // zero: could not be read
};

// False if the collector has certainly ended. In doubt true: the caller may then wait for it in
// vain, but all such waits have a limit.
bool Alive(const CollectorProcess& collector);

// Held while a process searches for a spool and, if there is none, makes one. It locks the
// directory of the database.
class OutputLock {
 public:
  explicit OutputLock(const char* database);  // waits at most two seconds
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  UniqueFd directory_;  // closing it unlocks
};

// Announces the collector of `spool` to later processes.
Status AnnounceCollector(const char* spool, const CollectorProcess& collector);

// Finds a spool of this user beside `database` whose collector lives and accepts processes. The
// collector cannot close the spool until `hold` is closed. False if there is no such spool.
bool FindOpenSpool(const char* database, char* spool, size_t size, CollectorProcess* collector,
                   UniqueFd* hold);

// For the collector. True if the spool holds at most `processes` control pages; from then on no
// process can join it. False if a process has joined or is about to join; the collector must then
// check again.
bool CloseSpool(const char* spool, size_t processes);

// True if a collector that started earlier than `self`, the collector of `own_spool`, still works
// for `database`.
bool EarlierCollects(const char* database, const char* own_spool, const CollectorProcess& self);

// Removes the files `collector` and `closed` from the spool.
void RemoveSharing(const char* spool);

}  // namespace rtl::spool
