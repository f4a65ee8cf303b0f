// SPDX-License-Identifier: MIT
// text_input.h: reads a file as one stream of bytes. Its first bytes decide whether it is plain
// text, gzip or zstd.
//
// Threads    one; compressed data is decompressed on a thread that this object owns
// Blocking   file I/O
// Memory     constant
// Limits     rejected: compressed data that grows to more than kMostExpansion times its size, and
//            more
//            than kLongestPiece bytes between two calls of Mark
// Errors     a Status that names the file; after an error the reader sees the end of the text
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
  // Tells that the reader has finished with the bytes taken so far.
  void Mark() { marked_ = Tell(); }
  // An error if reading failed, or if the compressed data ended too early.
  const Status& status() const { return status_; }

  // The next byte; a zero at the end.
  char Peek() {
    if (at_ == end_) [[unlikely]]
      Fill();
    return *at_;
  }
  char Consume() {
    const char next = Peek();
    if (at_ != end_) ++at_;
    return next;
  }
  bool AtEnd() { return Peek() == '\0' && at_ == end_; }
  // The bytes of the buffer that are not yet taken. Empty only at the end of the text.
  std::string_view Window() {
    if (at_ == end_) [[unlikely]]
      Fill();
    return {at_, static_cast<size_t>(end_ - at_)};
  }
  // Skips bytes of Window().
  void Skip(size_t bytes) { at_ += bytes; }
  std::string_view ConsumePiece() {
    const std::string_view piece = Window();
    Skip(piece.size());
    return piece;
  }
  // Reads the next bytes. Returns fewer only at the end.
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
    if (at_[0] == ' ' && at_[1] > ' ') {  // one space, which is nearly every other case
      ++at_;
      return;
    }
    do {
      const char* at = at_;
      while (IsSpace(*at)) ++at;  // the zero after the buffer ends the loop
      at_ = at;
    } while (at_ == end_ && !AtEnd());
  }
  // Skips the byte order mark of UTF-8 at the beginning of a text.
  void SkipByteOrderMark() {
    for (const char expected : {'\xef', '\xbb', '\xbf'}) {
      if (Peek() != expected) return;
      Consume();
    }
  }
  // Skips white space. False: something follows it.
  bool IsAtEnd() {
    SkipSpace();
    return AtEnd();
  }
  size_t Tell() const { return before_ + static_cast<size_t>(at_ - buffer_.bytes.get()); }

 private:
  struct Decoder;
  static constexpr size_t kLongestPiece = size_t{64} << 20;
  // The highest ratio seen in traces is 60; gzip can reach 1032.
  static constexpr size_t kMostExpansion = 300;
  // Up to so many bytes the ratio is not checked.
  static constexpr size_t kAnyExpansion = size_t{256} << 20;

  Status CheckLimits() const;
  void Fill();
  Status FillBuffer();

  std::string path_;
  std::unique_ptr<Decoder> decoder_;
  std::unique_ptr<ReadAhead> ahead_;  // of compressed data; it uses decoder_
  ReadAhead::Buffer buffer_;
  const char* at_;
  const char* end_;
  size_t before_ = 0;  // number of bytes of the text before the buffer
  size_t marked_ = 0;
  size_t file_bytes_ = 0;
  Status status_ = Status::Ok();
};

}  // namespace rtl::import
