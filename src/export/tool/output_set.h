// SPDX-License-Identifier: MIT
// output_set.h: the files of one process, which appear together when all are written.
//
// Threads    one, and one more for each open file
// Blocking   file I/O
// Errors     after an error, or without Commit, no file of the set appears
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "export/output_file.h"

namespace rtl::exporting::tool {

class OutputSet {
 public:
  // Files are named `prefix` + "_" + what.
  explicit OutputSet(std::string prefix) : prefix_(std::move(prefix)) {}

  // `name`: "kernel_trace.csv". Missing folders are made.
  Status Open(std::string_view name, OutputFile** out);
  std::string PathOf(std::string_view name) const { return prefix_ + "_" + std::string(name); }
  // For a writer that makes its own files: a temporary name beside the file's, which Commit
  // renames.
  Status Reserve(std::string_view name, std::string* temporary);
  Status Commit();
  ~OutputSet();
  OutputSet(const OutputSet&) = delete;
  OutputSet& operator=(const OutputSet&) = delete;
  // Paths of what was committed.
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
