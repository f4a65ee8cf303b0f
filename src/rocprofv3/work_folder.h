// SPDX-License-Identifier: MIT
// work_folder.h: a private folder for the spool and the trace, on the file system of the output
// files.
//
// The folder is removed with this object, unless it holds records that are in no output file. If
// the owner was killed, the folder stays; the next run that makes a folder in the same place finds
// it.
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

  // `left`: a sentence for each folder with records that an earlier run has left.
  Status Make(const std::string& beside, std::vector<std::string>* left);
  const std::string& path() const { return path_; }
  std::string File(const char* name) const { return path_ + "/" + name; }
  // True if the spool has records that the collector did not finish.
  bool HoldsRecords() const;
  // The time at which the folder was made, by the clock of its file system.
  std::filesystem::file_time_type made() const;
  // The destructor does not remove the folder.
  void Keep() { is_kept_ = true; }

 private:
  std::string path_;
  UniqueFd owner_;  // locked as long as the owner lives
  bool is_kept_ = false;
};

}  // namespace rtl::v3
