// SPDX-License-Identifier: MIT
// claim.h: the right to write a rank's files. Ranks share nothing but the folder, so only a lock in
// the folder can show that two programs have the same rank.
//
//   DIR/processes/.LABEL.writing    locked by the program that writes the files of LABEL
//
// Threads    one
// Blocking   file I/O
// Errors     one line; on a file system without locks the claim is granted
#pragma once

#include <string>

#include "base/status.h"
#include "base/unique_fd.h"

namespace rtl::dataset {

class Claim {
 public:
  // Fails if another program holds the claim, or if LABEL has files already. With `replace` such
  // files are removed instead.
  Status Acquire(const std::string& folder, const std::string& label, bool replace);
  // Why Acquire failed. True: another program holds the claim, or LABEL has files. False: the
  // folder cannot be written.
  bool is_of_others() const { return is_of_others_; }
  // Call it when the files are complete: removes the lock file.
  void End();

 private:
  UniqueFd lock_;
  std::string path_;
  bool is_of_others_ = false;
};

}  // namespace rtl::dataset
