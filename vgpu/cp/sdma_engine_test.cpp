// SPDX-License-Identifier: MIT
#include "vgpu/cp/sdma_engine.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "vgpu/clock/clock.h"
#include "vgpu/cp/sdma_test_packets.h"
#include "vgpu/cp/test_buffer.h"

namespace vgpu {
namespace {

using namespace sdma_test;
using SdmaCode = PacketOutcome::Code;

constexpr int kCountBits = 30;

std::vector<uint32_t> g_sdma_raised;
void RecordSdmaEvent(uint32_t event_id) { g_sdma_raised.push_back(event_id); }

class SdmaEngineTest : public testing::Test {
 protected:
  SdmaEngineTest() { g_sdma_raised.clear(); }

  PacketOutcome Run(const Words& packet) {
    const SdmaWords words{packet.data()};
    const SdmaDecoded decoded = DecodeSdmaPacket(words, 0, packet.size(), kCountBits);
    EXPECT_EQ(decoded.status, SdmaDecoded::Status::kOk) << decoded.problem;
    return engine_.Execute(decoded.packet, words);
  }
  void RunDone(const Words& packet) {
    const PacketOutcome outcome = Run(packet);
    EXPECT_EQ(outcome.code, SdmaCode::kDone) << outcome.problem << std::hex << outcome.fault_va;
  }
  void ExpectFault(const Words& packet, uint64_t va, bool write) {
    const PacketOutcome outcome = Run(packet);
    EXPECT_EQ(outcome.code, SdmaCode::kPageFault);
    EXPECT_EQ(outcome.fault_va, va);
    EXPECT_EQ(outcome.fault_is_write, write);
  }
  void ExpectBad(const Words& packet, const char* problem) {
    const PacketOutcome outcome = Run(packet);
    EXPECT_EQ(outcome.code, SdmaCode::kBadPacket);
    EXPECT_EQ(outcome.problem, std::string(problem));
  }

  static constexpr uint64_t kHole = 0x900000000;  // nothing is mapped there
  Queue queue_;
  SdmaEngine engine_{queue_, kCountBits, RecordSdmaEvent};
  TestBuffer a_{0x100000000, 4 * TestBuffer::kPage};
  TestBuffer b_{0x200000000, 4 * TestBuffer::kPage};
};

TEST_F(SdmaEngineTest, CopiesBytesAtAnyAlignment) {
  a_.Scramble(1);
  RunDone(CopyLinear(b_.va(3), a_.va(5), 1001));
  EXPECT_EQ(std::memcmp(b_.host() + 3, a_.host() + 5, 1001), 0);
  EXPECT_EQ(b_.host()[2], 0);
  EXPECT_EQ(b_.host()[1004], 0);
}

// More bytes than 22 bits can count.
TEST_F(SdmaEngineTest, CopiesAndFillsMoreThanFourMebibytes) {
  constexpr uint32_t kBytes = (4 << 20) + 3 * TestBuffer::kPage;
  TestBuffer from(0x300000000, kBytes + TestBuffer::kPage);
  TestBuffer to(0x400000000, kBytes + TestBuffer::kPage);
  from.Scramble(3);
  RunDone(CopyLinear(to.va(), from.va(), kBytes + 1));
  EXPECT_EQ(std::memcmp(to.host(), from.host(), kBytes + 1), 0);
  EXPECT_EQ(to.host()[kBytes + 1], 0);
  RunDone(Fill(to.va(), 0x11223344, kBytes - 4, 2));
  EXPECT_EQ(to.host()[kBytes - 1], 0x11);
  EXPECT_EQ(to.host()[kBytes], from.host()[kBytes]);
}

TEST_F(SdmaEngineTest, CopiesAcrossTwoMappingsThatAreNeighboursOnTheGpuOnly) {
  TestBuffer next(b_.va(b_.bytes()), TestBuffer::kPage);
  a_.Scramble(2);
  const uint64_t start = b_.bytes() - 100;
  RunDone(CopyLinear(b_.va(start), a_.va(), 300));
  EXPECT_EQ(std::memcmp(b_.host() + start, a_.host(), 100), 0);
  EXPECT_EQ(std::memcmp(next.host(), a_.host() + 100, 200), 0);
}

TEST_F(SdmaEngineTest, ABroadcastCopyWritesBothDestinations) {
  a_.Scramble(3);
  RunDone(Broadcast(b_.va(), b_.va(8192), a_.va(), 4096));
  EXPECT_EQ(std::memcmp(b_.host(), a_.host(), 4096), 0);
  EXPECT_EQ(std::memcmp(b_.host() + 8192, a_.host(), 4096), 0);
}

//   source 8x4x2 of 4-byte elements        destination 5x3x2
//   . . . . . . . .    . . . . . . . .     . . . . .    . . . . .
//   . . a b c . . .    . . g h i . . .     . a b c .    . g h i .
//   . . d e f . . .    . . j k l . . .     . d e f .    . j k l .
//   . . . . . . . .    . . . . . . . .
TEST_F(SdmaEngineTest, AWindowCopyMovesABoxBetweenTwoPitches) {
  a_.Scramble(4);
  const Window from = {a_.va(), 2, 1, 0, 8, 32};
  const Window to = {b_.va(), 1, 1, 0, 5, 15};
  RunDone(CopyWindow(to, from, {3, 2, 2}, 2));
  for (int z = 0; z < 2; ++z) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 5; ++x) {
        const bool inside = x >= 1 && x < 4 && y >= 1;
        const uint32_t want = inside ? a_.Get<uint32_t>(4 * (z * 32 + y * 8 + x + 1)) : 0;
        EXPECT_EQ(b_.Get<uint32_t>(4 * (z * 15 + y * 5 + x)), want) << x << y << z;
      }
    }
  }
}

TEST_F(SdmaEngineTest, WritesTheWordsOfThePacket) {
  RunDone(Write(b_.va(16), {0x11, 0x22, 0x33}));
  EXPECT_EQ(b_.Get<uint32_t>(12), 0u);
  EXPECT_EQ(b_.Get<uint32_t>(16), 0x11u);
  EXPECT_EQ(b_.Get<uint32_t>(24), 0x33u);
  EXPECT_EQ(b_.Get<uint32_t>(28), 0u);
}

TEST_F(SdmaEngineTest, FillsInUnitsOfOneTwoAndFourBytes) {
  RunDone(Fill(b_.va(1), 0xa1b2c3d4, 5 - 1, 0));
  EXPECT_EQ(b_.Get<uint64_t>(0), 0x0000d4d4d4d4d400u);
  RunDone(Fill(b_.va(10), 0xa1b2c3d4, 6 - 2, 1));
  EXPECT_EQ(b_.Get<uint64_t>(8), 0xc3d4c3d4c3d40000u);
  RunDone(Fill(b_.va(20), 0xa1b2c3d4, 4 - 4, 2));
  EXPECT_EQ(b_.Get<uint64_t>(16), 0xa1b2c3d400000000u);
  EXPECT_EQ(b_.Get<uint64_t>(24), 0u);
}

TEST_F(SdmaEngineTest, AFillGoesOnIntoTheNextMapping) {
  TestBuffer next(b_.va(b_.bytes()), TestBuffer::kPage);
  RunDone(Fill(b_.va(b_.bytes() - 8), 0x01020304, 16 - 4, 2));
  EXPECT_EQ(b_.Get<uint64_t>(b_.bytes() - 8), 0x0102030401020304u);
  EXPECT_EQ(next.Get<uint64_t>(0), 0x0102030401020304u);
  EXPECT_EQ(next.Get<uint64_t>(8), 0u);
}

TEST_F(SdmaEngineTest, AFenceStoresItsValue) {
  RunDone(Fence(b_.va(8), 0xfe11ce));
  EXPECT_EQ(b_.Get<uint64_t>(8), 0xfe11ceu);
}

TEST_F(SdmaEngineTest, ATrapRaisesItsEvent) {
  RunDone(Trap(42));
  EXPECT_EQ(g_sdma_raised, std::vector<uint32_t>{42});
}

TEST_F(SdmaEngineTest, AnAtomicAddDecrementsASignal) {
  b_.Set<int64_t>(8, 1);
  RunDone(Atomic(47, b_.va(8), ~uint64_t{0}));
  EXPECT_EQ(b_.Get<int64_t>(8), 0);
}

TEST_F(SdmaEngineTest, ACompareSwapWithoutLoopIsTriedOnce) {
  b_.Set<uint64_t>(0, 5);
  RunDone(Atomic(40, b_.va(), 9, 4));
  EXPECT_EQ(b_.Get<uint64_t>(0), 5u);
}

TEST_F(SdmaEngineTest, ALoopingCompareSwapWaitsForItsValue) {
  auto* word = reinterpret_cast<uint64_t*>(b_.host());
  std::thread host([word] { __atomic_store_n(word, 4, __ATOMIC_RELEASE); });
  RunDone(Atomic(40, b_.va(), 9, 4, true));
  host.join();
  EXPECT_EQ(b_.Get<uint64_t>(0), 9u);
}

TEST_F(SdmaEngineTest, APollWaitsUntilTheMaskedWordCompares) {
  auto* word = reinterpret_cast<uint32_t*>(b_.host());
  *word = 0xf0;
  std::thread host([word] { __atomic_store_n(word, 0xf3, __ATOMIC_RELEASE); });
  RunDone(Poll(b_.va(), 3, 3, 0x0f));
  host.join();
}

TEST_F(SdmaEngineTest, TheFlushFormOfAPollDoesNotWait) { RunDone(HdpFlush()); }

TEST_F(SdmaEngineTest, WaitingPacketsEndWhenTheQueueIsToStop) {
  queue_.stop = true;
  EXPECT_EQ(Run(Poll(b_.va(), 3, 1, ~0u)).code, SdmaCode::kStopped);
  EXPECT_EQ(Run(Atomic(40, b_.va(), 9, 4, true)).code, SdmaCode::kStopped);
}

TEST_F(SdmaEngineTest, LongWorkEndsWhenTheQueueIsToStop) {
  queue_.stop = true;
  EXPECT_EQ(Run(CopyLinear(b_.va(), a_.va(), 4096)).code, SdmaCode::kStopped);
  EXPECT_EQ(Run(Fill(b_.va(), 1, 4096 - 4, 2)).code, SdmaCode::kStopped);
  EXPECT_EQ(Run(Indirect(a_.va(), 4)).code, SdmaCode::kStopped);
}

TEST_F(SdmaEngineTest, AConditionalSkipsUnlessTheWordMatches) {
  b_.Set<uint32_t>(0, 7);
  EXPECT_EQ(Run(Conditional(b_.va(), 7, 3) + Nop(2)).skip, 0u);
  EXPECT_EQ(Run(Conditional(b_.va(), 8, 3) + Nop(2)).skip, 3u);
}

TEST_F(SdmaEngineTest, GlobalTimeIsTheGpuCounter) {
  const uint64_t before = GpuTicks();
  RunDone(Timestamp(2, b_.va()));
  EXPECT_GE(b_.Get<uint64_t>(0), before);
  EXPECT_LE(b_.Get<uint64_t>(0), GpuTicks());
}

TEST_F(SdmaEngineTest, LocalTimeCountsFromTheValueThatWasSet) {
  const uint64_t before = GpuTicks();
  RunDone(Timestamp(0, 1000));
  RunDone(Timestamp(1, b_.va()));
  EXPECT_GE(b_.Get<uint64_t>(0), 1000u);
  EXPECT_LE(b_.Get<uint64_t>(0), 1000 + (GpuTicks() - before));
}

TEST_F(SdmaEngineTest, AnIndirectBufferRunsItsPackets) {
  const Words buffer = Fence(b_.va(), 1) + Nop(2) + Write(b_.va(8), {5, 6});
  std::memcpy(a_.host(), buffer.data(), buffer.size() * 4);
  RunDone(Indirect(a_.va(), buffer.size()));
  EXPECT_EQ(b_.Get<uint32_t>(0), 1u);
  EXPECT_EQ(b_.Get<uint32_t>(12), 6u);
}

TEST_F(SdmaEngineTest, AConditionalInAnIndirectBufferSkipsInsideIt) {
  const Words buffer = Conditional(b_.va(64), 1, 4) + Fence(b_.va(), 1) + Fence(b_.va(8), 2);
  std::memcpy(a_.host(), buffer.data(), buffer.size() * 4);
  RunDone(Indirect(a_.va(), buffer.size()));
  EXPECT_EQ(b_.Get<uint32_t>(0), 0u);
  EXPECT_EQ(b_.Get<uint32_t>(8), 2u);
}

TEST_F(SdmaEngineTest, BadIndirectBuffersAreRefused) {
  const Words nested = Indirect(a_.va(), 6);
  std::memcpy(a_.host(), nested.data(), nested.size() * 4);
  ExpectBad(nested, "indirect buffer inside an indirect buffer");
  ExpectBad(Indirect(a_.va(), 3), "indirect buffer ends inside a packet");
  a_.Set<uint32_t>(0, 0xee);
  ExpectBad(Indirect(a_.va(), 3), "unknown opcode");
  // The engine works again afterwards.
  a_.Set<uint32_t>(0, 0);
  RunDone(Indirect(a_.va(), 1));
}

TEST_F(SdmaEngineTest, EveryPacketFaultsOnAnUnmappedAddress) {
  ExpectFault(CopyLinear(b_.va(), kHole, 64), kHole, false);
  ExpectFault(CopyLinear(kHole, a_.va(), 64), kHole, true);
  ExpectFault(Broadcast(b_.va(), kHole, a_.va(), 64), kHole, true);
  ExpectFault(Write(kHole, {1}), kHole, true);
  ExpectFault(Fence(kHole, 1), kHole, true);
  ExpectFault(Poll(kHole, 3, 1, 1), kHole, false);
  ExpectFault(Conditional(kHole, 1, 0), kHole, false);
  ExpectFault(Atomic(47, kHole, 1), kHole, true);
  ExpectFault(Fill(kHole, 1, 0, 0), kHole, true);
  ExpectFault(Timestamp(2, kHole), kHole, true);
  ExpectFault(Indirect(kHole, 1), kHole, false);
}

TEST_F(SdmaEngineTest, ACopyThatRunsOffItsMappingFaultsAtTheFirstBadByte) {
  const uint64_t end = b_.va(b_.bytes());
  ExpectFault(CopyLinear(end - 16, a_.va(), 64), end, true);
  ExpectFault(Fill(end - 16, 1, 64 - 4, 2), end, true);
  ExpectFault(Write(end - 4, {1, 2}), end, true);
}

TEST_F(SdmaEngineTest, MisalignedWordsAreRefused) {
  ExpectBad(Fence(b_.va(2), 1), "misaligned address");
  ExpectBad(Atomic(47, b_.va(4), 1), "misaligned address");
  ExpectBad(Fill(b_.va(2), 1, 0, 2), "misaligned fill");
}

}  // namespace
}  // namespace vgpu
