// SPDX-License-Identifier: MIT
// text_input.h: a file as one stream of bytes. What it is, plain text, gzip or zstd, its first bytes
// say.
//
// Threads    one; compressed data is unpacked by a thread of the object's own
// Blocking   file I/O
// Memory     constant
// Limits     compressed data that grows to more than kMostExpansion times its size is refused, and so
//            is a piece between two calls of Mark that is longer than kLongestPiece
// Errors     a Status that names the file; Next then answers the end of the text
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "import/read_ahead.h"

namespace rtl::import {

class TextInput {
 public:
  TextInput();
  ~TextInput();
  TextInput(const TextInput&) = delete;
  TextInput& operator=(const TextInput&) = delete;

  Status Open(const std::string& path);
  bool is_compressed() const { return ahead_ != nullptr; }
  // The reader is done with what it took so far.
  void Mark() { marked_ = Tell(); }
  // Whether reading failed, or the compressed data ended too early.
  const Status& status() const { return status_; }

  // The next byte; a zero at the end.
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
  bool AtEnd() { return Peek() == '\0' && at_ == end_; }
  // The bytes at hand, at least one. Empty: the end.
  std::string_view Window() {
    if (at_ == end_) [[unlikely]]
      Fill();
    return {at_, static_cast<size_t>(end_ - at_)};
  }
  // Of the bytes at hand.
  void Skip(size_t bytes) { at_ += bytes; }
  std::string_view TakePiece() {
    const std::string_view piece = Window();
    Skip(piece.size());
    return piece;
  }
  // The next bytes; fewer at the end.
  size_t Read(char* to, size_t bytes) {
    size_t done = 0;
    while (done < bytes) {
      if (at_ == end_) Fill();
      if (at_ == end_) break;
      const size_t part = std::min(bytes - done, static_cast<size_t>(end_ - at_));
      memcpy(to + done, at_, part);
      at_ += part;
      done += part;
    }
    return done;
  }
  static bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  void SkipSpace() {
    if (*at_ > ' ') [[likely]]
      return;
    if (at_[0] == ' ' && at_[1] > ' ') {  // nearly all others
      ++at_;
      return;
    }
    do {
      const char* at = at_;
      while (IsSpace(*at)) ++at;  // the zero behind the buffer ends it
      at_ = at;
    } while (at_ == end_ && !AtEnd());
  }
  // Skips the mark of UTF-8 at the beginning of a text.
  void SkipByteOrderMark() {
    for (const char expected : {'\xef', '\xbb', '\xbf'}) {
      if (Peek() != expected) return;
      Take();
    }
  }
  // False: more than white space is left.
  bool IsAtEnd() {
    SkipSpace();
    return AtEnd();
  }
  size_t Tell() const { return before_ + static_cast<size_t>(at_ - buffer_.bytes.get()); }

 private:
  struct Decoder;
  static constexpr size_t kLongestPiece = size_t{64} << 20;
  // Of traces, 60 was the most that was seen; of gzip, 1032 is the most there can be.
  static constexpr size_t kMostExpansion = 300;
  static constexpr size_t kAnyExpansion = size_t{256} << 20;  // as many bytes are always read

  Status CheckLimits() const;
  void Fill();
  Status FillBuffer();

  std::string path_;
  std::unique_ptr<Decoder> decoder_;
  std::unique_ptr<ReadAhead> ahead_;  // of compressed data; uses the decoder
  ReadAhead::Buffer buffer_;
  const char* at_;
  const char* end_;
  size_t before_ = 0;  // bytes of the text before the buffer
  size_t marked_ = 0;
  size_t file_bytes_ = 0;
  Status status_ = Status::Ok();
};

}  // namespace rtl::import
