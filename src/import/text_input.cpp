// SPDX-License-Identifier: MIT
#include "import/text_input.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdio>

namespace rtl::import {
namespace {

// Whether a file begins with a frame of zstd, or with a skippable frame, as files of pzstd do.
bool IsZstd(const unsigned char begin[4]) {
  return memcmp(begin, "\x28\xb5\x2f\xfd", 4) == 0 ||
         ((begin[0] & 0xf0) == 0x50 && memcmp(begin + 1, "\x2a\x4d\x18", 3) == 0);
}

}  // namespace

// Decompresses gzip and zstd. zlib reads plain files as well.
struct TextInput::Decoder {
  ~Decoder() {
    if (gzip != nullptr) gzclose_r(gzip);
    ZSTD_freeDStream(zstd);
    if (file != nullptr) fclose(file);
  }

  Status Read(char* to, size_t room, size_t* got) {
    return gzip != nullptr ? ReadGzip(to, room, got) : ReadZstd(to, room, got);
  }

  Status ReadGzip(char* to, size_t room, size_t* got) {
    const int bytes = gzread(gzip, to, static_cast<unsigned>(room));
    *got = bytes > 0 ? static_cast<size_t>(bytes) : 0;
    if (bytes > 0) return Status::Ok();
    int code = Z_OK;
    const char* const why = gzerror(gzip, &code);
    if (code == Z_OK || code == Z_STREAM_END) return Status::Ok();
    if (code == Z_ERRNO) return Status::ErrnoError(errno, "cannot be read");
    if (code == Z_BUF_ERROR) return Status::Error("the compressed data ends too early");
    const char* const behind_path = strstr(why, ": ");
    return Status::Error("the compressed data is damaged (%s)",
                         behind_path != nullptr ? behind_path + 2 : why);
  }

  Status ReadZstd(char* to, size_t room, size_t* got) {
    ZSTD_outBuffer out = {to, room, 0};
    while (out.pos == 0) {
      if (packed.pos == packed.size) {
        packed = {bytes, fread(bytes, 1, sizeof bytes, file), 0};
        if (ferror(file) != 0) return Status::ErrnoError(errno, "cannot be read");
        if (packed.size == 0) {
          return frame_open ? Status::Error("the compressed data ends too early") : Status::Ok();
        }
      }
      const size_t left = ZSTD_decompressStream(zstd, &out, &packed);
      if (ZSTD_isError(left) != 0) {
        return Status::Error("the compressed data is damaged (%s)", ZSTD_getErrorName(left));
      }
      frame_open = left != 0;
    }
    *got = out.pos;
    return Status::Ok();
  }

  gzFile gzip = nullptr;
  FILE* file = nullptr;
  ZSTD_DStream* zstd = nullptr;
  ZSTD_inBuffer packed = {nullptr, 0, 0};
  bool frame_open = false;
  char bytes[64 << 10];
};

TextInput::TextInput() : at_(buffer_.bytes.get()), end_(at_) { buffer_.bytes[0] = '\0'; }

TextInput::~TextInput() = default;

Status TextInput::Open(const std::string& path) {
  path_ = path;
  decoder_ = std::make_unique<Decoder>();
  unsigned char first[4] = {};
  decoder_->file = fopen(path.c_str(), "rbe");
  if (decoder_->file == nullptr) return Status::ErrnoError(errno, "%s", path.c_str());
  const size_t got = fread(first, 1, sizeof first, decoder_->file);
  struct stat file;
  if (fstat(fileno(decoder_->file), &file) == 0) file_bytes_ = static_cast<size_t>(file.st_size);
  rewind(decoder_->file);
  const bool is_zstd = got == sizeof first && IsZstd(first);
  const bool is_gzip = got == sizeof first && memcmp(first, "\x1f\x8b", 2) == 0;
  if (is_zstd || is_gzip) {
    ahead_ = std::make_unique<ReadAhead>(
        [decoder = decoder_.get()](char* to, size_t room, size_t* bytes) {
          return decoder->Read(to, room, bytes);
        });
  }
  if (is_zstd) {
    decoder_->zstd = ZSTD_createDStream();
    if (decoder_->zstd == nullptr) return Status::Error("%s: out of memory", path.c_str());
    return Status::Ok();
  }
  decoder_->gzip = gzopen(path.c_str(), "rbe");
  if (decoder_->gzip == nullptr) return Status::ErrnoError(errno, "%s", path.c_str());
  (void)gzbuffer(decoder_->gzip, 128 << 10);
  return Status::Ok();
}

Status TextInput::CheckLimits() const {
  if (before_ > marked_ + kLongestPiece) {
    return Status::Error("has a value or an event that is too long for a trace (over %zu MB)",
                         kLongestPiece >> 20);
  }
  if (before_ > kAnyExpansion && before_ / kMostExpansion > file_bytes_) {
    return Status::Error("its compressed data grows to more than %zu times its size: no trace",
                         kMostExpansion);
  }
  return Status::Ok();
}

Status TextInput::FillBuffer() {
  RTL_TRY(CheckLimits());
  if (ahead_ != nullptr) return ahead_->Next(&buffer_);
  return decoder_->Read(buffer_.bytes.get(), ReadAhead::kBufferBytes, &buffer_.used);
}

void TextInput::Fill() {
  before_ += static_cast<size_t>(end_ - buffer_.bytes.get());
  buffer_.used = 0;
  if (status_.ok()) {
    const Status read = FillBuffer();
    if (!read.ok()) status_ = Status::Error("%s: %s", path_.c_str(), read.message());
  }
  buffer_.bytes[buffer_.used] = '\0';
  at_ = buffer_.bytes.get();
  end_ = at_ + buffer_.used;
}

}  // namespace rtl::import
