// SPDX-License-Identifier: MIT
// claim.h: finds out which spools are being read, and which were left by a collector that was
// killed.
//
//   <spool>/reader    locked by the collector that reads the spool. The lock ends with it, whatever
//                     its boot, PID namespace or host
//
// Threads    one
// Blocking   file I/O only
// Errors     if the file system has no locks, or no room for the file, the claim is granted
#pragma once

#include <string>
#include <vector>

#include "base/unique_fd.h"

namespace rtl::store {

class Claim {
 public:
  // False if another collector reads the spool.
  bool Take(const std::string& spool);

 private:
  UniqueFd file_;
};

// Removes the file `reader` from the spool.
void RemoveClaim(const std::string& spool);

// True if a collector reads the spool, or is about to.
bool HasReader(const std::string& spool);

// True if a process still writes into the spool.
bool HasWriter(const std::string& spool);

// True for a spool of this user with records, if no collector reads it and no process writes into
// it.
bool WasLeft(const std::string& spool);

// The spools beside `database` for which WasLeft is true, sorted.
std::vector<std::string> LeftBeside(const std::string& database);

}  // namespace rtl::store
