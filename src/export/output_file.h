// SPDX-License-Identifier: MIT
// output_file.h: a file that appears under its name only when it is complete.
//
// Written to a temporary beside the target and renamed by Commit. A target that exists and is no
// regular file (a pipe, /dev/null) is written to directly, and so is "-", standard output. A pipe
// must have a reader within ten seconds.
// Compressed when the name ends in .gz or .zst. A second thread compresses and writes while the
// caller fills the file.
//
// Threads    one
// Blocking   when that thread is behind by a few buffers
// Memory     fixed buffers and the compressor's state
// Errors     the first failure sticks: later writes are dropped and Commit returns it. status() has
//            it a few buffers later
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "base/unique_fd.h"
#include "export/write_behind.h"

namespace rtl::exporting {

// Turns bytes into compressed bytes, chunk by chunk.
class Compressor {
 public:
  virtual ~Compressor() = default;
  // Appends the finished bytes to *out; all of them when `last`.
  virtual Status Compress(std::string_view bytes, bool last, std::string* out) = 0;
};

class OutputFile {
 public:
  static Status Open(const std::string& path, std::unique_ptr<OutputFile>* out);
  ~OutputFile();  // without Commit: the temporary is removed
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void Append(std::string_view bytes);
  void Put(char c) {
    *Room(1) = c;
    ++buffer_.used;
  }
  // Returns room for at most `bytes` bytes; Advance reports their end.
  char* Room(size_t bytes) {
    if (WriteBehind::kBufferBytes - buffer_.used < bytes) NextBuffer();
    return buffer_.bytes.get() + buffer_.used;
  }
  void Advance(const char* end) { buffer_.used = static_cast<size_t>(end - buffer_.bytes.get()); }
  const Status& status() const { return failure_; }
  Status result() const { return failure_.ok() ? Status::Ok() : failure_; }
  // Completes the temporary: nothing can be added, and only its name is missing.
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
  std::string temporary_;  // empty: written directly
  UniqueFd fd_;
  std::unique_ptr<Compressor> compressor_;  // null: not compressed
  std::string compressed_;
  WriteBehind::Buffer buffer_;
  bool flushed_ = false;
  Status failure_ = Status::Ok();
  // Uses the members above, and therefore is destroyed before them.
  WriteBehind behind_{[this](std::string_view bytes) { return Write(bytes, false); }};
};

}  // namespace rtl::exporting
