// SPDX-License-Identifier: MIT
// spool_folder.h: the spool's folder while a collector reads it. The folder is held by a
// descriptor, because it or a folder above it may be renamed meanwhile.
//
// Threads    one
// Errors     Open returns why the folder cannot be used: there is none, or another collector reads
//            it
#pragma once

#include <functional>
#include <string>

#include "base/status.h"
#include "base/unique_fd.h"
#include "trace/write/claim.h"

namespace rtl::store {

class SpoolFolder {
 public:
  // Claims the folder for this collector.
  Status Open(const std::string& name);
  // From now on another collector may read the folder.
  void Release() { claim_ = Claim(); }

  // A path that uses the descriptor, if /proc is available.
  const std::string& path() const { return path_; }
  // Replaces path() in a sentence by the folder's name.
  std::string Readable(std::string sentence) const;
  // True if the folder can still be found by its name, which is how processes search for it.
  bool HasItsName() const;
  // Removes the files of the processes for which `read` returns true, the collector's files, and
  // the folder. `warn` gets a sentence for each file that remains.
  void Remove(const std::function<bool(const std::string& stem)>& read,
              const std::function<void(std::string sentence)>& warn);

 private:
  std::string name_, path_;
  Claim claim_;
  UniqueFd folder_;
};

}  // namespace rtl::store
