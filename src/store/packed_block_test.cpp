// SPDX-License-Identifier: MIT
#include "store/packed_block.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace rtl::store {
namespace {

bool Same(const NarrowOp& a, const NarrowOp& b) {
  return a.launch == b.launch && a.start == b.start && a.duration == b.duration &&
         a.waited == b.waited && a.sequence == b.sequence && a.packet == b.packet &&
         a.link == b.link;
}

std::string Packed(const std::vector<NarrowOp>& rows) {
  BlockPacker packer;
  std::string block;
  const Status packed = packer.Pack(rows, &block);
  EXPECT_TRUE(packed.ok()) << packed.message();
  return block;
}

void ExpectComesBack(const std::vector<NarrowOp>& rows) {
  const std::string block = Packed(rows);
  BlockUnpacker unpacker;
  UnpackedBlock unpacked;
  const Status status = unpacker.Unpack(block, rows.size(), &unpacked);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(unpacked.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_TRUE(Same(unpacked.Row(i), rows[i])) << "row " << i;
  }
}

// Kernels of a few launches on two queues.
std::vector<NarrowOp> Storm(size_t count) {
  std::mt19937_64 dice(1);
  std::vector<NarrowOp> rows;
  for (size_t i = 0; i < count; ++i) {
    const auto number = static_cast<int64_t>(i);
    rows.push_back({.launch = 1 + number % 5,
                    .start = number * 2000 + static_cast<int64_t>(dice() % 300),
                    .duration = 1500 + static_cast<int64_t>(dice() % 100),
                    .waited = 7000 + static_cast<int64_t>(dice() % 100),
                    .sequence = 0,
                    .packet = number % 2,
                    .link = 0});
  }
  return rows;
}

TEST(PackedBlock, SurvivesARoundTrip) {
  ExpectComesBack(Storm(1));
  ExpectComesBack(Storm(2));
  ExpectComesBack(Storm(kBlockRows));
}

TEST(PackedBlock, HoldsAnyNumbers) {
  std::mt19937_64 dice(2);
  const auto any = [&]() -> int64_t {
    constexpr int64_t kEnds[] = {0, 1, -1, std::numeric_limits<int64_t>::max(),
                                 std::numeric_limits<int64_t>::min() + 1};
    const uint64_t roll = dice();
    return roll % 3 == 0 ? kEnds[dice() % std::size(kEnds)]
                         : static_cast<int64_t>(dice() >> (roll % 64));
  };
  for (const size_t count : {size_t{1}, size_t{3}, size_t{100}, kBlockRows}) {
    std::vector<NarrowOp> rows;
    for (size_t i = 0; i < count; ++i) {
      NarrowOp row = {any(), any(), any(), any(), any(), any(), any()};
      if (dice() % 4 == 0) row.waited = NarrowOp::kNull;
      if (dice() % 4 == 0) row.sequence = NarrowOp::kNull;
      rows.push_back(row);
    }
    ExpectComesBack(rows);
  }
}

TEST(PackedBlock, TakesAlmostNoSpaceForEqualRows) {
  std::vector<NarrowOp> rows;
  for (int64_t i = 0; i < static_cast<int64_t>(kBlockRows); ++i) {
    rows.push_back({.launch = 7,
                    .start = i * 5000,
                    .duration = 900,
                    .waited = 40,
                    .sequence = 0,
                    .packet = 0,
                    .link = i});
  }
  EXPECT_LT(Packed(rows).size(), 256u);
}

TEST(PackedBlock, IsRefusedWhenTruncatedAnywhere) {
  const auto rows = Storm(40);
  const std::string block = Packed(rows);
  BlockUnpacker unpacker;
  UnpackedBlock unpacked;
  for (size_t size = 0; size < block.size(); ++size) {
    EXPECT_FALSE(unpacker.Unpack({block.data(), size}, rows.size(), &unpacked).ok()) << size;
  }
  EXPECT_FALSE(unpacker.Unpack(block + "x", rows.size(), &unpacked).ok());
}

TEST(PackedBlock, IsRefusedWhenItsNumberOfRowsIsWrong) {
  const std::string block = Packed(Storm(40));
  BlockUnpacker unpacker;
  UnpackedBlock unpacked;
  for (const uint64_t rows : {uint64_t{0}, uint64_t{kBlockRows} + 1, UINT64_MAX}) {
    EXPECT_STREQ(unpacker.Unpack(block, rows, &unpacked).message(),
                 "a block of packed rows is broken: a wrong number of rows");
  }
  EXPECT_FALSE(unpacker.Unpack(block, 41, &unpacked).ok());
}

TEST(PackedBlock, HasTheGivenNumberOfRowsWhateverItHolds) {
  const auto rows = Storm(200);
  std::string block = Packed(rows);
  std::mt19937 dice(3);
  BlockUnpacker unpacker;
  UnpackedBlock unpacked;
  for (int i = 0; i < 3'000; ++i) {
    std::string edited = block;
    for (uint32_t edits = 1 + dice() % 4; edits > 0; --edits) {
      edited[dice() % edited.size()] = static_cast<char>(dice());
    }
    if (!unpacker.Unpack(edited, rows.size(), &unpacked).ok()) continue;
    ASSERT_EQ(unpacked.size(), rows.size());
    for (size_t row = 0; row < rows.size(); ++row) (void)unpacked.Row(row);
  }
}

}  // namespace
}  // namespace rtl::store
