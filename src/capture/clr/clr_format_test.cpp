// SPDX-License-Identifier: MIT
#include "capture/clr/clr_format.h"

#include <gtest/gtest.h>
#include <string.h>

namespace rtl::capture {
namespace {

struct Bytes {
  uint8_t at[512] = {};
  template <typename T>
  Bytes& Put(size_t offset, T value) {
    memcpy(at + offset, &value, sizeof value);
    return *this;
  }
};

TEST(ClrFormat, ReadsTheFlatForm) {
  Bytes bytes;
  bytes.Put(0, uint32_t{7}).Put(8, uint64_t{99}).Put(16, uint64_t{10}).Put(24, uint64_t{20});
  bytes.Put(32, int32_t{1}).Put(40, uint32_t{1}).Put(48, uint64_t{12}).Put(56, uint64_t{18});
  bytes.Put(64, int32_t{3}).Put(72, uint64_t{5}).Put(80, uint64_t{4096}).Put(88, uint64_t{0xabc});
  const ClrCall call = DecodeClrCall(ClrForm::kFlat, bytes.at);
  EXPECT_EQ(call.api, 7u);
  EXPECT_EQ(call.thread, 99u);
  EXPECT_EQ(call.start, 10u);
  EXPECT_EQ(call.end, 20u);
  EXPECT_EQ(call.ops, 1u);
  EXPECT_EQ(call.first.kind, 1u);
  EXPECT_EQ(call.first.begin, 12u);
  EXPECT_EQ(call.first.end, 18u);
  EXPECT_EQ(call.first.device, 3u);
  EXPECT_EQ(call.first.queue, 5u);
  EXPECT_EQ(call.first.bytes, 4096u);
  EXPECT_EQ(call.first.name, 0xabcu);
}

TEST(ClrFormat, ReadsTheWideFlatForm) {
  Bytes bytes;
  bytes.Put(0, uint64_t{0x1'01ff}).Put(8, uint64_t{99}).Put(16, uint64_t{10}).Put(24, uint64_t{20});
  bytes.Put(128, uint64_t{0} | uint64_t{2} << 16 | uint64_t{9} << 32);
  bytes.Put(152, uint64_t{0xabc});
  const ClrCall call = DecodeClrCall(ClrForm::kFlatWide, bytes.at);
  EXPECT_EQ(call.api, 0x1ffu);
  EXPECT_EQ(call.ops, 1u);
  EXPECT_EQ(call.start, 10u);
  EXPECT_EQ(call.first.device, 2u);
  EXPECT_EQ(call.first.queue, 9u);
  EXPECT_EQ(call.first.name, 0xabcu);
}

Bytes Extended(bool has_op, uint32_t ops) {
  Bytes bytes;
  bytes.Put(0, uint64_t{0x1000}).Put(8, uint64_t{has_op}).Put(16, uint64_t{42});
  bytes.Put(24, uint64_t{10}).Put(32, uint64_t{20}).Put(72, uint64_t{4096});
  bytes.Put(128, uint64_t{1} | uint64_t{4} << 4 | uint64_t{1} << 16 | uint64_t{3} << 32);
  bytes.Put(128 + 24, uint64_t{512}).Put(128 + 32, ops).Put(128 + 40, uint64_t{0x9000});
  bytes.Put(128 + 48, uint64_t{0x5000}).Put(128 + 56, uint64_t{0xd000});
  return bytes;
}

TEST(ClrFormat, ReadsTheStreamingForm) {
  const ClrCall call = DecodeClrCall(ClrForm::kStreaming, Extended(true, 3).at);
  EXPECT_EQ(call.name, 0x1000u);
  EXPECT_EQ(call.thread, 42u);
  EXPECT_EQ(call.start, 10u);
  EXPECT_EQ(call.end, 20u);
  EXPECT_EQ(call.ops, 3u);
  EXPECT_EQ(call.array, 0u);
  EXPECT_EQ(call.bytes, 4096u);
  EXPECT_EQ(call.first.device, 0u) << "it counts from one";
  EXPECT_EQ(call.first.copy_kind, 4u);
  EXPECT_EQ(call.first.bytes, 512u);
  EXPECT_EQ(call.first.next, 0x9000u);
  EXPECT_EQ(call.first.src, 0x5000u);
  EXPECT_EQ(call.first.dst, 0xd000u);
}

TEST(ClrFormat, ReadsFromTheFlagWhetherThereIsAnOperation) {
  EXPECT_EQ(DecodeClrCall(ClrForm::kStreaming, Extended(false, 3).at).ops, 0u);
  EXPECT_EQ(DecodeClrCall(ClrForm::kStreaming, Extended(true, 0).at).ops, 1u);
}

TEST(ClrFormat, ReadsAnArrayByItsCountInTheOldestChunks) {
  const ClrCall call = DecodeClrCall(ClrForm::kChunks, Extended(false, 3).at);
  EXPECT_EQ(call.ops, 3u);
  EXPECT_EQ(call.array, 0x9000u);
  EXPECT_EQ(DecodeClrOp(ClrForm::kChunks, Extended(false, 3).at + 128).next, 0u);
}

TEST(ClrFormat, DistinguishesNarrowRecordsFromWideOnes) {
  Bytes narrow, wide;
  narrow.Put(16, uint64_t{1}).Put(96 + 16, uint64_t{2});
  wide.Put(16, uint64_t{1}).Put(256 + 16, uint64_t{2});
  EXPECT_EQ(TellFlatForm(narrow.at, 256, 2), ClrForm::kFlat);
  EXPECT_EQ(TellFlatForm(wide.at, 256, 2), ClrForm::kFlatWide);
  // With a single record the words that show its operation decide.
  Bytes one;
  one.Put(0, uint64_t{0x10005});
  EXPECT_EQ(TellFlatForm(one.at, 256, 1), ClrForm::kFlatWide);
  EXPECT_EQ(TellFlatForm(narrow.at, 96, 1), ClrForm::kFlat);
}

}  // namespace
}  // namespace rtl::capture
