// SPDX-License-Identifier: MIT
// spool_directory.h: the private folder for the spool of a trace. It is in the output's folder, so
// on the same file system. The destructor removes it, unless it holds records that are in no
// database.
#pragma once

#include <string>

#include "base/status.h"

namespace rtl::cli {

class SpoolDirectory {
 public:
  SpoolDirectory() = default;
  ~SpoolDirectory();
  SpoolDirectory(const SpoolDirectory&) = delete;
  SpoolDirectory& operator=(const SpoolDirectory&) = delete;

  Status Make(const std::string& output);
  const std::string& path() const { return path_; }
  bool HoldsRecords() const;
  void SetCollected() { is_collected_ = true; }

 private:
  std::string path_;
  bool is_collected_ = false;
};

// Whether the file system of `folder` has room to begin a trace. Errors name `shown` instead of
// `folder`.
Status CheckRoom(const std::string& folder, const std::string& shown);

}  // namespace rtl::cli
