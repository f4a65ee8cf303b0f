// SPDX-License-Identifier: MIT
// work_folder.h: a private folder for the raw records and the trace, on the disk of the output
// files.
//
// It is removed with its owner, unless its content is needed: records that are in no file. So is
// what a killed owner left: the next folder beside it finds it.
//
// Threads    one
// Blocking   file I/O
// Errors     one line with the folder's name
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace rtl::v3 {

class WorkFolder {
 public:
  WorkFolder() = default;
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  // `left`: a sentence for each folder that an earlier run left with records in it.
  Status Make(const std::string& beside, std::vector<std::string>* left);
  const std::string& path() const { return path_; }
  std::string File(const char* name) const { return path_ + "/" + name; }
  // Records are in the spool that no collector has completed.
  bool HoldsRecords() const;
  // When it was made, by the clock of its disk.
  std::filesystem::file_time_type made() const;
  // Its content stays.
  void Keep() { is_kept_ = true; }

 private:
  std::string path_;
  UniqueFd owner_;  // locked: the owner lives
  bool is_kept_ = false;
};

}  // namespace rtl::v3
