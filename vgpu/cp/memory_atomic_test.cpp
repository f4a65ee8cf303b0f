// SPDX-License-Identifier: MIT
#include "vgpu/cp/memory_atomic.h"

#include <gtest/gtest.h>

#include "vgpu/cp/compare.h"

namespace vgpu {
namespace {

uint64_t Apply(AtomicOperation operation, bool wide, uint64_t old, uint64_t operand,
               uint64_t compare = 0) {
  alignas(8) uint64_t memory = old;
  ApplyMemoryAtomic(operation, wide, reinterpret_cast<uint8_t*>(&memory), operand, compare);
  return memory;
}

constexpr uint64_t kMinusOne = ~uint64_t{0};

TEST(MemoryAtomic, Applies64BitOperations) {
  EXPECT_EQ(Apply(AtomicOperation::kSwap, true, 5, 9), 9u);
  EXPECT_EQ(Apply(AtomicOperation::kAdd, true, 1, kMinusOne), 0u);
  EXPECT_EQ(Apply(AtomicOperation::kAdd, true, 0xffffffff, 1), 0x100000000u);
  EXPECT_EQ(Apply(AtomicOperation::kSubtract, true, 3, 5), kMinusOne - 1);
  EXPECT_EQ(Apply(AtomicOperation::kMinSigned, true, 1, kMinusOne), kMinusOne);
  EXPECT_EQ(Apply(AtomicOperation::kMinUnsigned, true, 1, kMinusOne), 1u);
  EXPECT_EQ(Apply(AtomicOperation::kMaxSigned, true, 1, kMinusOne), 1u);
  EXPECT_EQ(Apply(AtomicOperation::kMaxUnsigned, true, 1, kMinusOne), kMinusOne);
  EXPECT_EQ(Apply(AtomicOperation::kAnd, true, 0b1100, 0b1010), 0b1000u);
  EXPECT_EQ(Apply(AtomicOperation::kOr, true, 0b1100, 0b1010), 0b1110u);
  EXPECT_EQ(Apply(AtomicOperation::kXor, true, 0b1100, 0b1010), 0b0110u);
}

TEST(MemoryAtomic, A32BitOperationLeavesTheNextWordAlone) {
  EXPECT_EQ(Apply(AtomicOperation::kAdd, false, 0x7'ffffffff, 1), 0x7'00000000u);
  EXPECT_EQ(Apply(AtomicOperation::kMinSigned, false, 0x7'00000001, 0xffffffff), 0x7'ffffffffu);
}

TEST(MemoryAtomic, IncrementAndDecrementWrapAtTheOperand) {
  EXPECT_EQ(Apply(AtomicOperation::kIncrement, true, 3, 5), 4u);
  EXPECT_EQ(Apply(AtomicOperation::kIncrement, true, 5, 5), 0u);
  EXPECT_EQ(Apply(AtomicOperation::kDecrement, true, 3, 5), 2u);
  EXPECT_EQ(Apply(AtomicOperation::kDecrement, true, 0, 5), 5u);
  EXPECT_EQ(Apply(AtomicOperation::kDecrement, true, 9, 5), 5u);
}

TEST(MemoryAtomic, CompareSwapNeedsTheExpectedValue) {
  alignas(8) uint64_t memory = 5;
  auto* bytes = reinterpret_cast<uint8_t*>(&memory);
  EXPECT_FALSE(ApplyMemoryAtomic(AtomicOperation::kCompareSwap, true, bytes, 9, 4));
  EXPECT_EQ(memory, 5u);
  EXPECT_TRUE(ApplyMemoryAtomic(AtomicOperation::kCompareSwap, true, bytes, 9, 5));
  EXPECT_EQ(memory, 9u);
}

TEST(MemoryAtomic, OperationNumbersCarryWidthAndReturnBits) {
  AtomicOperation operation;
  bool wide = false;
  for (const uint32_t number : {15u, 79u}) {
    ASSERT_TRUE(DecodeMemoryAtomic(number, &operation, &wide));
    EXPECT_EQ(operation, AtomicOperation::kAdd);
    EXPECT_FALSE(wide);
  }
  for (const uint32_t number : {47u, 111u}) {
    ASSERT_TRUE(DecodeMemoryAtomic(number, &operation, &wide));
    EXPECT_EQ(operation, AtomicOperation::kAdd);
    EXPECT_TRUE(wide);
  }
  ASSERT_TRUE(DecodeMemoryAtomic(39, &operation, &wide));
  EXPECT_EQ(operation, AtomicOperation::kSwap);
  ASSERT_TRUE(DecodeMemoryAtomic(40, &operation, &wide));
  EXPECT_EQ(operation, AtomicOperation::kCompareSwap);
}

TEST(MemoryAtomic, FloatingPointAndReservedNumbersAreRefused) {
  AtomicOperation operation;
  bool wide = false;
  for (const uint32_t number : {0u, 1u, 3u, 9u, 14u, 26u, 31u, 32u, 34u, 58u, 64u}) {
    EXPECT_FALSE(DecodeMemoryAtomic(number, &operation, &wide)) << number;
  }
}

TEST(Compare, HoldsAsItsNameSays) {
  // value 4, 5 and 6 against 5
  const struct {
    Compare compare;
    bool less, equal, greater;
  } cases[] = {
      {Compare::kAlways, true, true, true},       {Compare::kLess, true, false, false},
      {Compare::kLessOrEqual, true, true, false}, {Compare::kEqual, false, true, false},
      {Compare::kNotEqual, true, false, true},    {Compare::kGreaterOrEqual, false, true, true},
      {Compare::kGreater, false, false, true},    {Compare::kReserved, false, false, false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Holds(c.compare, 4, 5), c.less) << static_cast<int>(c.compare);
    EXPECT_EQ(Holds(c.compare, 5, 5), c.equal) << static_cast<int>(c.compare);
    EXPECT_EQ(Holds(c.compare, 6, 5), c.greater) << static_cast<int>(c.compare);
  }
}

}  // namespace
}  // namespace vgpu
