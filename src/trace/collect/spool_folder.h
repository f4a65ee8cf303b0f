// SPDX-License-Identifier: MIT
// spool_folder.h: the spool's folder while a collector reads it. The folder is held by descriptor,
// since it, or one above it, may get another name meanwhile.
//
// Threads    one
// Errors     Open: no folder, or another collector reads it
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
  // Another collector may read it.
  void Release() { claim_ = Claim(); }

  // By the descriptor, where /proc has it.
  const std::string& path() const { return path_; }
  // A sentence that has the path, with the folder's name instead.
  std::string Readable(std::string sentence) const;
  // Whether the folder can still be found by its name: processes look for it so.
  bool HasItsName() const;
  // Removes the files of the processes that were `read`, those of the collector, and the folder.
  // `warn` gets a sentence for each that stays.
  void Remove(const std::function<bool(const std::string& stem)>& read,
              const std::function<void(std::string sentence)>& warn);

 private:
  std::string name_, path_;
  Claim claim_;
  UniqueFd folder_;
};

}  // namespace rtl::store
