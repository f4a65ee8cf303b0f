// SPDX-License-Identifier: MIT
// output_file.h: a file that gets its name only when it is complete.
//
// The file is written to a temporary file beside the target, which Commit renames. If the target
// exists and is not a regular file (a pipe, /dev/null), or if it is "-", which means standard
// output, it is written to directly. A pipe must have a reader within ten seconds. The contents are
// compressed if the name ends in .gz or .zst. A second thread compresses and writes while the
// caller fills the file.
//
// Threads    one
// Blocking   when the second thread is behind by a few buffers
// Memory     fixed buffers and the compressor's state
// Errors     after the first failure, later writes are dropped, and Commit returns the failure.
//            status() returns it a few buffers later
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "base/unique_fd.h"
#include "export/compressor.h"
#include "export/write_behind.h"

namespace rtl::exporting {

class OutputFile {
 public:
  static Status Open(const std::string& path, std::unique_ptr<OutputFile>* out);
  ~OutputFile();  // without Commit, the temporary file is removed
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void Append(std::string_view bytes);
  void Put(char c) {
    *Room(1) = c;
    ++buffer_.used;
  }
  // Returns room for at most `bytes` bytes; Advance reports how many were written.
  char* Room(size_t bytes) {
    if (WriteBehind::kBufferBytes - buffer_.used < bytes) NextBuffer();
    return buffer_.bytes.get() + buffer_.used;
  }
  void Advance(const char* end) { buffer_.used = static_cast<size_t>(end - buffer_.bytes.get()); }
  const Status& status() const { return failure_; }
  Status result() const { return failure_.ok() ? Status::Ok() : failure_; }
  // Completes the temporary file: nothing can be added after this, and only its name is missing.
  Status Flush();
  Status Commit();

 private:
  OutputFile() = default;
  Status OpenTemporary();
  Status OpenInPlace();
  Status OpenPipe();
  void NextBuffer();
  Status Write(std::string_view bytes, bool last);
  Status WriteAll(std::string_view bytes);

  std::string path_;
  std::string temporary_;  // empty: the target is written to directly
  UniqueFd fd_;
  std::unique_ptr<Compressor> compressor_;  // null: the contents are not compressed
  std::string compressed_;
  WriteBehind::Buffer buffer_;
  bool flushed_ = false;
  Status failure_ = Status::Ok();
  // Declared last, because it uses the members above and must be destroyed before them.
  WriteBehind behind_{[this](std::string_view bytes) { return Write(bytes, false); }};
};

}  // namespace rtl::exporting
