// SPDX-License-Identifier: MIT
// claim.h: which spools are being read, and which were left by a collector that was killed.
//
//   <spool>/reader    locked by the collector that reads the spool. The lock ends with it, whatever
//                     its boot, PID namespace or host
//
// Threads    one
// Blocking   file I/O only
// Errors     a file system without locks, or without room for the file: the claim is granted
#pragma once

#include <string>
#include <vector>

#include "base/unique_fd.h"

namespace rtl::store {

class Claim {
 public:
  // False: another collector reads the spool.
  bool Take(const std::string& spool);

 private:
  UniqueFd file_;
};

// Removes this module's file from the spool.
void RemoveClaim(const std::string& spool);

// A collector reads the spool, or is about to.
bool HasReader(const std::string& spool);

// A process writes into it still.
bool HasWriter(const std::string& spool);

// A spool of this user with records that no collector reads and no process writes.
bool WasLeft(const std::string& spool);

// Such spools beside `database`, sorted.
std::vector<std::string> LeftBeside(const std::string& database);

}  // namespace rtl::store
