// SPDX-License-Identifier: MIT
// output_file.h: a file that appears under its name only when it is complete.
//
// Written to a temporary beside the target and renamed by Commit. A target that exists and is no
// regular file (a pipe, /dev/null) is written to directly, and so is "-", standard output.
// Compressed when the name ends in .gz or .zst.
//
// Threads    one
// Memory     a fixed buffer and the compressor's state
// Errors     the first failure sticks: later writes are dropped and Commit returns it
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "base/unique_fd.h"

namespace rtl::exporting {

// Turns bytes into compressed bytes, chunk by chunk.
class Compressor {
 public:
  virtual ~Compressor() = default;
  // Appends to *out what has become ready; everything when `last`.
  virtual Status Compress(std::string_view bytes, bool last, std::string* out) = 0;
};

class OutputFile {
 public:
  static Status Open(const std::string& path, std::unique_ptr<OutputFile>* out);
  ~OutputFile();  // without Commit: the temporary is removed
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void Append(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= kBufferBytes) Flush(false);
  }
  void Put(char c) {
    buffer_.push_back(c);
    if (buffer_.size() >= kBufferBytes) Flush(false);
  }
  const Status& status() const { return failure_; }
  Status Commit();

 private:
  static constexpr size_t kBufferBytes = 256 * 1024;

  OutputFile() = default;
  Status OpenTemporary();
  void Flush(bool last);
  Status WriteAll(std::string_view bytes);

  std::string path_;
  std::string temporary_;  // empty: written directly
  UniqueFd fd_;
  std::unique_ptr<Compressor> compressor_;  // null: not compressed
  std::string buffer_;
  std::string compressed_;
  Status failure_ = Status::Ok();
};

}  // namespace rtl::exporting
