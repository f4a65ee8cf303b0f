// SPDX-License-Identifier: MIT
#include "vgpu/cp/sdma_packet.h"

#include <gtest/gtest.h>

#include <string>

#include "vgpu/cp/sdma_test_packets.h"

namespace vgpu {
namespace {

using namespace sdma_test;
using Status = SdmaDecoded::Status;

constexpr int kShortCounts = 22;
constexpr int kLongCounts = 30;

SdmaDecoded Decode(const Words& packet, int count_bits = kShortCounts) {
  return DecodeSdmaPacket(SdmaWords{packet.data()}, 0, packet.size(), count_bits);
}

template <typename T>
T DecodeAs(const Words& packet, int count_bits = kShortCounts) {
  const SdmaDecoded decoded = Decode(packet, count_bits);
  EXPECT_EQ(decoded.status, Status::kOk) << decoded.problem;
  EXPECT_EQ(decoded.words, packet.size());
  const T* typed = std::get_if<T>(&decoded.packet);
  EXPECT_NE(typed, nullptr);
  return typed != nullptr ? *typed : T();
}

TEST(SdmaPacket, ANopCoversItsPayload) { DecodeAs<SdmaNop>(Nop(5)); }

TEST(SdmaPacket, CopyCountsAreOneLessThanTheBytes) {
  const auto copy = DecodeAs<SdmaCopyLinear>(CopyLinear(0x7f0012345678, 0x11aabbccdd, 1 << 22));
  EXPECT_EQ(copy.source, 0x11aabbccddu);
  EXPECT_EQ(copy.destination, 0x7f0012345678u);
  EXPECT_EQ(copy.second_destination, 0u);
  EXPECT_EQ(copy.bytes, uint64_t{1} << 22);
}

TEST(SdmaPacket, ByteCountsHaveTheBitsOfTheEngine) {
  constexpr uint32_t kGibi = 1u << 30;
  EXPECT_EQ(DecodeAs<SdmaCopyLinear>(CopyLinear(0, 0, kGibi), kLongCounts).bytes, kGibi);
  EXPECT_EQ(DecodeAs<SdmaCopyLinear>(CopyLinear(0, 0, kGibi), kShortCounts).bytes, 1u << 22);
  EXPECT_EQ(DecodeAs<SdmaCopyLinear>(CopyLinear(0, 0, (4 << 20) + 1), kLongCounts).bytes,
            (4u << 20) + 1);
  EXPECT_EQ(DecodeAs<SdmaCopyLinear>(Broadcast(0, 1, 2, kGibi - 7), kLongCounts).bytes, kGibi - 7);
  EXPECT_EQ(DecodeAs<SdmaFill>(Fill(0, 1, kGibi - 4, 2), kLongCounts).bytes, kGibi);
  EXPECT_EQ(DecodeAs<SdmaFill>(Fill(0, 1, (64 << 20) - 1, 0), kLongCounts).bytes, 64u << 20);
  EXPECT_EQ(DecodeAs<SdmaFill>(Fill(0, 1, kGibi - 4, 2), kShortCounts).bytes, 1u << 22);
}

TEST(SdmaPacket, ABroadcastCopyHasTwoDestinations) {
  const auto copy = DecodeAs<SdmaCopyLinear>(Broadcast(0x1000, 0x2000, 0x3000, 64));
  EXPECT_EQ(copy.destination, 0x1000u);
  EXPECT_EQ(copy.second_destination, 0x2000u);
  EXPECT_EQ(copy.source, 0x3000u);
}

TEST(SdmaPacket, AWindowCopyGivesPositionsPitchesAndSizes) {
  const Window to = {0x5000, 1, 2, 3, 1 << 19, 1 << 28};
  const Window from = {0x9000, 16383, 16382, 2047, 7, 8};
  const auto copy = DecodeAs<SdmaCopyWindow>(CopyWindow(to, from, {16384, 9, 2048}, 4));
  EXPECT_EQ(copy.destination.address, 0x5000u);
  EXPECT_EQ(copy.destination.x, 1u);
  EXPECT_EQ(copy.destination.y, 2u);
  EXPECT_EQ(copy.destination.z, 3u);
  EXPECT_EQ(copy.destination.pitch, 1u << 19);
  EXPECT_EQ(copy.destination.slice_pitch, 1u << 28);
  EXPECT_EQ(copy.source.x, 16383u);
  EXPECT_EQ(copy.source.y, 16382u);
  EXPECT_EQ(copy.source.z, 2047u);
  EXPECT_EQ(copy.source.pitch, 7u);
  EXPECT_EQ(copy.source.slice_pitch, 8u);
  EXPECT_EQ(copy.width, 16384u);
  EXPECT_EQ(copy.height, 9u);
  EXPECT_EQ(copy.depth, 2048u);
  EXPECT_EQ(copy.element_bytes, 16u);
}

TEST(SdmaPacket, AWriteCarriesItsData) {
  const auto write = DecodeAs<SdmaWrite>(Write(0x4000, {7, 8, 9}));
  EXPECT_EQ(write.destination, 0x4000u);
  EXPECT_EQ(write.position, 4u);
  EXPECT_EQ(write.words, 3u);
}

TEST(SdmaPacket, AnIndirectBufferHasAnAddressAndALength) {
  const auto indirect = DecodeAs<SdmaIndirect>(Indirect(0x6000, 0xfffff));
  EXPECT_EQ(indirect.address, 0x6000u);
  EXPECT_EQ(indirect.words, 0xfffffu);
}

TEST(SdmaPacket, FenceAndTrapCarryOneValue) {
  const auto fence = DecodeAs<SdmaFence>(Fence(0x7000, 0xcafe));
  EXPECT_EQ(fence.address, 0x7000u);
  EXPECT_EQ(fence.value, 0xcafeu);
  EXPECT_EQ(DecodeAs<SdmaTrap>(Trap(0x0abcdef1)).event_id, 0x0abcdef1u);
}

TEST(SdmaPacket, APollOfMemoryHasAComparison) {
  const auto poll = DecodeAs<SdmaPoll>(Poll(0x8000, 5, 3, 0xff));
  EXPECT_TRUE(poll.memory);
  EXPECT_EQ(poll.compare, Compare::kGreaterOrEqual);
  EXPECT_EQ(poll.address, 0x8000u);
  EXPECT_EQ(poll.reference, 3u);
  EXPECT_EQ(poll.mask, 0xffu);
}

TEST(SdmaPacket, TheFlushFormOfAPollNamesNoMemory) {
  EXPECT_FALSE(DecodeAs<SdmaPoll>(HdpFlush()).memory);
  EXPECT_FALSE(DecodeAs<SdmaPoll>({8u | 1u << 26 | 3u << 28, 0, 0, 1, 1, 0}).memory);
}

TEST(SdmaPacket, AConditionalGovernsTheWordsBehindIt) {
  const Words packet = Conditional(0x9000, 1, 2) + Words{0, 0};
  const SdmaDecoded decoded = Decode(packet);
  ASSERT_EQ(decoded.status, Status::kOk);
  EXPECT_EQ(decoded.words, 5u);
  EXPECT_EQ(std::get<SdmaConditional>(decoded.packet).words, 2u);
}

TEST(SdmaPacket, AConditionalIsIncompleteWithoutTheWordsItGoverns) {
  const SdmaDecoded decoded = Decode(Conditional(0x9000, 1, 2));
  EXPECT_EQ(decoded.status, Status::kIncomplete);
  EXPECT_EQ(decoded.words, 7u);
}

TEST(SdmaPacket, AtomicsCarryWidthAndOperation) {
  const auto add = DecodeAs<SdmaAtomic>(Atomic(47, 0xa000, ~uint64_t{0}));
  EXPECT_EQ(add.operation, AtomicOperation::kAdd);
  EXPECT_TRUE(add.wide);
  EXPECT_EQ(add.operand, ~uint64_t{0});
  const auto swap = DecodeAs<SdmaAtomic>(Atomic(72, 0xa000, 5, 6, true));
  EXPECT_EQ(swap.operation, AtomicOperation::kCompareSwap);
  EXPECT_FALSE(swap.wide);
  EXPECT_TRUE(swap.until_swapped);
  EXPECT_EQ(swap.compare, 6u);
}

TEST(SdmaPacket, AFillCountMayLeaveOutOneByteOrOneUnit) {
  EXPECT_EQ(DecodeAs<SdmaFill>(Fill(0xb000, 1, 64 - 1, 2)).bytes, 64u);
  EXPECT_EQ(DecodeAs<SdmaFill>(Fill(0xb000, 1, 64 - 4, 2)).bytes, 64u);
  EXPECT_EQ(DecodeAs<SdmaFill>(Fill(0xb000, 1, 64 - 2, 1)).bytes, 64u);
  EXPECT_EQ(DecodeAs<SdmaFill>(Fill(0xb000, 1, 64 - 1, 0)).bytes, 64u);
}

TEST(SdmaPacket, TimestampsComeInThreeKinds) {
  EXPECT_EQ(DecodeAs<SdmaTimestamp>(Timestamp(0, 9)).kind, SdmaTimestampKind::kSetLocal);
  EXPECT_EQ(DecodeAs<SdmaTimestamp>(Timestamp(1, 8)).kind, SdmaTimestampKind::kGetLocal);
  EXPECT_EQ(DecodeAs<SdmaTimestamp>(Timestamp(2, 8)).kind, SdmaTimestampKind::kGetGlobal);
}

TEST(SdmaPacket, ACutPacketIsIncompleteAtEveryLength) {
  const Words packets[] = {Nop(3),
                           CopyLinear(0, 0, 1),
                           Broadcast(0, 0, 0, 1),
                           CopyWindow({0, 0, 0, 0, 1, 1}, {0, 0, 0, 0, 1, 1}, {1, 1, 1}, 0),
                           Write(0, {1, 2}),
                           Indirect(0, 1),
                           Fence(0, 0),
                           Trap(1),
                           Poll(0, 3, 0, 0),
                           Conditional(0, 0, 0),
                           Atomic(47, 0, 0),
                           Fill(0, 0, 0, 0),
                           Timestamp(2, 0)};
  for (const Words& packet : packets) {
    for (size_t length = 1; length < packet.size(); ++length) {
      const SdmaDecoded decoded =
          DecodeSdmaPacket(SdmaWords{packet.data()}, 0, length, kShortCounts);
      EXPECT_EQ(decoded.status, Status::kIncomplete) << SdmaPacketName(packet[0]) << length;
      EXPECT_GT(decoded.words, length);
    }
  }
}

TEST(SdmaPacket, UnknownPacketsAreInvalidWithAReason) {
  const struct {
    uint32_t header;
    const char* problem;
  } cases[] = {
      {0x0c, "unknown opcode"},  // page table update
      {0xff, "unknown opcode"},
      {1u | 1u << 8, "unknown sub-opcode"},  // tiled copy
      {2u | 1u << 8, "unknown sub-opcode"},  // tiled write
      {8u | 1u << 8, "unknown sub-opcode"},  // register to memory
      {13u | 3u << 8, "unknown sub-opcode"},
      {8u | 3u << 28, "waits for a register"},
      {8u | 7u << 28 | 1u << 31, "reserved comparison"},
      {10u | 1u << 25, "unknown atomic operation"},  // floating point
      {11u | 3u << 30, "reserved fill size"},
      {1u | 4u << 8 | 5u << 29, "element size above 16 bytes"},
  };
  for (const auto& c : cases) {
    Words packet(16, 0);
    packet[0] = c.header;
    const SdmaDecoded decoded = Decode(packet);
    EXPECT_EQ(decoded.status, Status::kInvalid) << std::hex << c.header;
    EXPECT_EQ(decoded.problem, std::string(c.problem));
  }
}

//   ring of 8 words:  [5][6][7] .. .. [1][2][3][4]
TEST(SdmaPacket, APacketMayStraddleTheEndOfTheRing) {
  const Words packet = CopyLinear(0x1122334455, 0x6677889900, 48);
  Words ring(8);
  for (size_t i = 0; i < packet.size(); ++i) ring[(4 + i) % 8] = packet[i];
  const SdmaDecoded decoded =
      DecodeSdmaPacket(SdmaWords{ring.data(), 7}, 8 * 1000 + 4, 7, kShortCounts);
  ASSERT_EQ(decoded.status, Status::kOk);
  EXPECT_EQ(std::get<SdmaCopyLinear>(decoded.packet).source, 0x6677889900u);
  EXPECT_EQ(std::get<SdmaCopyLinear>(decoded.packet).destination, 0x1122334455u);
}

}  // namespace
}  // namespace vgpu
