// SPDX-License-Identifier: MIT
#include "report/pack.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace rtl::report {
namespace {

// Reads the numbers as the page's script does.
class Numbers {
 public:
  explicit Numbers(std::string_view bytes) : bytes_(bytes) {}
  uint64_t Next() {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.at(at_++));
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  }
  bool AtEnd() const { return at_ == bytes_.size(); }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

TEST(PackRow, HasItsColumnsInOrder) {
  const std::vector<report::Run> runs = {
      {.start = 1000, .end = 1300, .extra = 40, .count = 1, .what = 2},
      {.start = 1500, .end = 2500, .extra = 700, .count = 12, .what = 300},
      {.start = 2500, .end = 2501, .extra = 0, .count = 1, .what = 0},
  };
  std::string packed;
  PackRow(runs, 900, 10, &packed);
  Numbers read(packed);
  for (const uint64_t expected :
       {3u, 100u, 200u, 0u, 300u, 1000u, 1u, 4u, 601u, 0u, 40u, 0u, 12u, 700u, 0u, 0u}) {
    EXPECT_EQ(read.Next(), expected);
  }
  EXPECT_TRUE(read.AtEnd());
}

TEST(PackRow, HasTheOriginsOfSlices) {
  const std::vector<report::Run> runs = {
      {.start = 10, .end = 20, .extra = 3, .what = 1, .more = 6, .track = 4},
      {.start = 20, .end = 30, .extra = 9, .count = 2, .what = 1, .more = 10},
      {.start = 30, .end = 40, .extra = 1, .what = 1, .more = 0, .track = 5},
  };
  std::string packed;
  PackRow(runs, 0, 10, &packed);
  Numbers read(packed);
  for (int i = 0; i < 1 + 3 * 3 + 2 + 1 + 1; ++i) read.Next();
  for (const uint64_t expected : {1u, 4u, 5u, 6u, 0u, 0u}) EXPECT_EQ(read.Next(), expected);
  EXPECT_TRUE(read.AtEnd());
}

TEST(PackRow, LongRowsHaveGroups) {
  std::vector<report::Run> runs;
  for (uint64_t i = 0; i <= kMostUngrouped; ++i)
    runs.push_back({.start = i, .end = i + 1, .what = 5});
  std::string packed;
  PackRow(runs, 0, 10, &packed);
  Numbers read(packed);
  for (size_t i = 0; i < 2 + 4 * runs.size(); ++i) read.Next();
  const uint64_t groups = read.Next();
  ASSERT_EQ(groups, (runs.size() + kRunsOfAGroup - 1) / kRunsOfAGroup);
  uint64_t in_groups = 0;
  for (uint64_t i = 0; i < groups; ++i) {
    in_groups += read.Next();
    EXPECT_EQ(read.Next(), 5u);
  }
  EXPECT_EQ(in_groups, runs.size());
  EXPECT_TRUE(read.AtEnd());
}

TEST(Deflate, IsReadByZlib) {
  const std::string text(100'000, 'x');
  std::string packed;
  const Status deflated = Deflate(text, &packed);
  ASSERT_TRUE(deflated.ok()) << deflated.message();
  std::string back(text.size(), '\0');
  uLongf size = back.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(back.data()), &size,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  EXPECT_EQ(back, text);
}

TEST(Base64, FollowsTheRfc) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foo"), "Zm9v");
  EXPECT_EQ(Base64("\xff\xfe\xfd!"), "//79IQ==");
}

}  // namespace
}  // namespace rtl::report
