// SPDX-License-Identifier: MIT
// claim.h: who writes a rank's files. Ranks share nothing but the folder, so two programs that take
// themselves for the same rank meet only here.
//
//   DIR/processes/.LABEL.writing    locked by the program that writes the files of LABEL
//
// Threads    one
// Blocking   file I/O
// Errors     one line. A file system without locks: the claim is granted
#pragma once

#include <string>

#include "base/status.h"
#include "base/unique_fd.h"

namespace rtl::dataset {

class Claim {
 public:
  Claim() = default;
  Claim(Claim&& other) noexcept = default;
  Claim& operator=(Claim&& other) noexcept = default;

  // Fails when another program holds it, or when LABEL has files; `replace` removes those.
  Status Take(const std::string& folder, const std::string& label, bool replace);
  // Why Take has failed: it is held, or there are files. Otherwise the folder cannot be written.
  bool is_of_others() const { return is_of_others_; }
  // The files are complete: removes the lock's file.
  void End();

 private:
  UniqueFd lock_;
  std::string path_;
  bool is_of_others_ = false;
};

}  // namespace rtl::dataset
