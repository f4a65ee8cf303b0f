// SPDX-License-Identifier: MIT
// spool_directory.h: the directory of the raw records, beside the output: private, and on the disk
// of the trace. It goes with the object, unless it holds records that are in no database.
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

// Whether the disk of `folder` has room for a trace that begins there. Errors name `shown`.
Status CheckRoom(const std::string& folder, const std::string& shown);

}  // namespace rtl::cli
