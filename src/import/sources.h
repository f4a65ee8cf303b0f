// SPDX-License-Identifier: MIT
// sources.h: finds the traces that a path stands for: a file, a folder with the files of many
// ranks, or the CSV files of a process. The content of a file decides its format.
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

// kTorch: "torch.profiler".
const char* FormatName(Format format);

// An unpacked copy of a compressed file. The destructor removes it.
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
  const pid_t process_ = getpid();  // the process that made the file
};

struct Source {
  Format format = Format::kUnknown;
  bool is_trace = false;           // judged by its first bytes
  std::string why;                 // why it is no trace, if that is known
  std::string shown;               // the path that the user gave, or that was found in a folder
  std::vector<std::string> files;  // more than one: files of one process
  std::shared_ptr<UnpackedFile> unpacked;  // if files[0] is an unpacked database: its owner
};

// If `path` is a folder: the traces in it and its subfolders, in the order of their names. *others:
// files that are no traces.
Status FindSources(const std::string& path, std::vector<Source>* sources,
                   std::vector<std::string>* others);

// The error for a source that is no trace; OK for a trace.
Status CheckKnown(const Source& source);

// The error for a folder in which FindSources found no trace, only `others`.
Status NoTraceIn(const std::string& folder, const std::vector<std::string>& others);

// The number after "rank" in the name of a file; -1: it has none.
int32_t RankInName(const std::string& path);

}  // namespace rtl::import
