// SPDX-License-Identifier: MIT
#include "import/text_input.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <fstream>
#include <string>
#include <string_view>

#include "tests/support/temp_dir.h"

namespace rtl::import {
namespace {

// Longer than all buffers together, and not the same everywhere.
const std::string& LongText() {
  static const std::string text = [] {
    std::string made;
    for (uint64_t i = 0; made.size() < 8 * ReadAhead::kBufferBytes + 77; ++i) {
      made += std::to_string(i * 0x9e3779b97f4a7c15);
    }
    return made;
  }();
  return text;
}

std::string Gzip(std::string_view text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string Zstd(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  return packed;
}

class TextInputTest : public testing::Test {
 protected:
  // The text, and behind it what is wrong.
  std::string Read(const std::string& file) {
    const std::string path = dir_.File("text");
    std::ofstream(path, std::ios::binary) << file;
    TextInput input;
    EXPECT_TRUE(input.Open(path).ok());
    std::string text;
    while (true) {
      const std::string_view piece = input.ConsumePiece();
      input.Mark();
      if (piece.empty()) break;
      EXPECT_EQ(piece.data()[piece.size()], '\0');
      text += piece;
      EXPECT_EQ(input.Tell(), text.size());
    }
    if (input.status().ok()) return text;
    return text + std::string(input.status().message()).substr(path.size());
  }

  test::TempDir dir_;
};

TEST_F(TextInputTest, ReadsPlainAndCompressedFilesOfManyBuffers) {
  const std::string& text = LongText();
  EXPECT_TRUE(Read(text) == text);
  EXPECT_TRUE(Read(Gzip(text)) == text);
  EXPECT_TRUE(Read(Zstd(text)) == text);
}

TEST_F(TextInputTest, ReadsAllMembersOfAGzipFile) {
  const std::string& text = LongText();
  const size_t part = text.size() / 3;
  const std::string members = Gzip(text.substr(0, part)) + Gzip("") + Gzip(text.substr(part, 1)) +
                              Gzip(text.substr(part + 1));
  EXPECT_TRUE(Read(members) == text);
  EXPECT_TRUE(Read(Zstd(text.substr(0, part)) + Zstd(text.substr(part))) == text);
}

TEST_F(TextInputTest, SaysWhatIsWrongBehindWhatCouldBeRead) {
  const std::string& text = LongText();
  for (const std::string& packed : {Gzip(text), Gzip("a") + Gzip(text), Zstd(text)}) {
    for (const size_t cut : {packed.size() - 1, packed.size() / 2}) {
      const std::string read = Read(packed.substr(0, cut));
      EXPECT_TRUE(read.ends_with(": the compressed data ends too early")) << cut;
      EXPECT_GT(read.size(), ReadAhead::kBufferBytes);
    }
  }
  std::string damaged = Gzip(text);
  damaged[damaged.size() - 5] ^= 1;  // of the checksum
  EXPECT_TRUE(Read(damaged).ends_with(": the compressed data is damaged (incorrect data check)"));
  damaged = Gzip(text);
  damaged[damaged.size() / 2] ^= 0x10;
  EXPECT_NE(Read(damaged).find(": the compressed data is damaged ("), std::string::npos);
}

TEST_F(TextInputTest, AFileMayBeLeftBeforeItsEnd) {
  const std::string path = dir_.File("text");
  std::ofstream(path, std::ios::binary) << Gzip(LongText());
  for (int pieces = 0; pieces < 4; ++pieces) {
    TextInput input;
    ASSERT_TRUE(input.Open(path).ok());
    for (int i = 0; i < pieces; ++i) EXPECT_FALSE(input.ConsumePiece().empty());
  }
}

}  // namespace
}  // namespace rtl::import
