// SPDX-License-Identifier: MIT
// output_set.h: the files of one process, which get their names together when all are written.
//
// Threads    one, and one more for each open file
// Blocking   file I/O
// Errors     after an error, or without Commit, no file of the set gets its name
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "export/output_file.h"

namespace rtl::exporting::tool {

class OutputSet {
 public:
  // The files are named `prefix` + "_" + name.
  explicit OutputSet(std::string prefix) : prefix_(std::move(prefix)) {}

  // `name`: for example "kernel_trace.csv". Missing folders are made.
  Status Open(std::string_view name, OutputFile** out);
  std::string PathOf(std::string_view name) const { return prefix_ + "_" + std::string(name); }
  // For code that writes files itself: returns a temporary name beside the final one, which Commit
  // renames.
  Status Reserve(std::string_view name, std::string* temporary);
  Status Commit();
  ~OutputSet();
  OutputSet(const OutputSet&) = delete;
  OutputSet& operator=(const OutputSet&) = delete;
  // The paths of the files after Commit.
  const std::vector<std::string>& written() const { return written_; }

 private:
  static Status MakeFolder(const std::string& path);
  struct Reserved {
    std::string temporary;
    std::string path;
  };
  std::string prefix_;
  std::vector<std::pair<std::string, std::unique_ptr<OutputFile>>> files_;
  std::vector<Reserved> reserved_;
  std::vector<std::string> written_;
};

}  // namespace rtl::exporting::tool
