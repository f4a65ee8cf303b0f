// SPDX-License-Identifier: MIT
// text_input.h: a file as one stream of bytes. What it is, plain text, gzip or zstd, its first bytes
// say.
//
// Threads    one
// Blocking   file I/O
// Memory     constant
// Errors     a Status that names the file; Next then answers the end of the text
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace rtl::import {

class TextInput {
 public:
  TextInput();
  ~TextInput();
  TextInput(const TextInput&) = delete;
  TextInput& operator=(const TextInput&) = delete;

  Status Open(const std::string& path);
  // Whether reading failed, or the compressed data ended too early.
  const Status& status() const { return status_; }

  // The stream of a RapidJSON reader: a zero is the end.
  using Ch = char;
  char Peek() {
    if (at_ == end_) [[unlikely]]
      Fill();
    return *at_;
  }
  char Take() {
    const char next = Peek();
    if (at_ != end_) ++at_;
    return next;
  }
  size_t Tell() const { return before_ + static_cast<size_t>(at_ - buffer_.data()); }
  // Required of a stream; only streams that are written have them.
  char* PutBegin() { return nullptr; }
  void Put(char) {}
  size_t PutEnd(char*) { return 0; }

 private:
  struct Decoder;

  void Fill();

  std::string path_;
  std::unique_ptr<Decoder> decoder_;
  std::vector<char> buffer_;
  const char* at_;
  const char* end_;
  size_t before_ = 0;  // bytes of the text before the buffer
  Status status_ = Status::Ok();
};

}  // namespace rtl::import
