// SPDX-License-Identifier: MIT
// sources.h: the traces that a name stands for: a file, a folder with the files of many ranks, or
// the CSV files of a process. What a file is, its contents say.
//
// Threads    one
// Blocking   file I/O
// Errors     one line that names the file
#pragma once

#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace rtl::import {

enum class Format {
  kTrace,  // a database of this project
  kTorch,
  kJax,
  kOwnChrome,
  kOwnPerfetto,
  kXPlane,
  kRocprofv3Json,
  kRocprofv3Csv,
  kRocpd,
  kRpd,
  kUnknown,
};

// "torch.profiler".
const char* FormatName(Format format);

// A file without compression, which is removed with this object.
class UnpackedFile {
 public:
  ~UnpackedFile();
  UnpackedFile() = default;
  UnpackedFile(const UnpackedFile&) = delete;
  UnpackedFile& operator=(const UnpackedFile&) = delete;

  Status Make(const std::string& packed);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  const pid_t process_ = getpid();  // that made it
};

struct Source {
  Format format = Format::kUnknown;
  bool is_trace = false;                   // as far as its begin says
  std::string why;                         // it is none, where that is known
  std::string shown;                       // the name that people gave, or found
  std::vector<std::string> files;          // several: of one process
  std::shared_ptr<UnpackedFile> unpacked;  // a compressed database, which files[0] is
};

// Of a folder: the traces in it and in its folders, in the order of their names. Files that are no
// traces are `others`.
Status FindSources(const std::string& path, std::vector<Source>* sources,
                   std::vector<std::string>* others);

// The error of a file that is no trace.
Status CheckKnown(const Source& source);

// The error of a folder in which FindSources found only `others`.
Status NoTraceIn(const std::string& folder, const std::vector<std::string>& others);

// The number after "rank" in the name of a file; -1: it has none.
int32_t RankInName(const std::string& path);

}  // namespace rtl::import
