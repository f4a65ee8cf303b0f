// SPDX-License-Identifier: MIT
// work_folder.h: a private folder for the raw records and the trace, on the disk of the output
// files.
//
// It is removed with its owner. If its owner was killed, the next folder beside it removes it once
// neither the owner nor a process that it traced runs any more.
//
// Threads    one
// Blocking   file I/O
// Errors     one line with the folder's name
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace rtl::v3 {

class WorkFolder {
 public:
  WorkFolder() = default;
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  // `removed`: names of the leftovers of killed runs.
  Status Make(const std::string& beside, std::vector<std::string>* removed);
  std::string File(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace rtl::v3
