// SPDX-License-Identifier: MIT
#include "vgpu/cp/pm4_engine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "vgpu/clock/clock.h"
#include "vgpu/counters/hw_counters.h"
#include "vgpu/counters/perfmon.h"
#include "vgpu/cp/test_buffer.h"

namespace vgpu {
namespace {

using Code = PacketOutcome::Code;
using Words = std::vector<uint32_t>;

std::vector<uint32_t> g_raised;
void RecordEvent(uint32_t event_id) { g_raised.push_back(event_id); }

uint32_t Low(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t High(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

Words Packet(uint32_t opcode, const Words& body) {
  Words packet = {3u << 30 | static_cast<uint32_t>(body.size() - 1) << 16 | opcode << 8};
  packet.insert(packet.end(), body.begin(), body.end());
  return packet;
}
Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// Selects of WRITE_DATA and COPY_DATA.
constexpr uint32_t kToMemory = 5u << 8;
constexpr uint32_t kToRegister = 0;
constexpr uint32_t kWide = 1u << 16;

Words WriteMemory(uint64_t va, const Words& data) {
  return Packet(0x37, Words{kToMemory, Low(va), High(va)} + data);
}
Words CopyToMemory(uint32_t from, uint32_t wide, uint64_t source, uint64_t va) {
  return Packet(0x40, {from | kToMemory | wide, Low(source), High(source), Low(va), High(va)});
}
Words SetUconfig(uint32_t number, uint32_t value) { return Packet(0x79, {number - 0xc000, value}); }
Words WaitForMemory(uint64_t va, uint32_t function, uint32_t reference, uint32_t mask) {
  return Packet(0x3c, {function | 1u << 4, Low(va), High(va), reference, mask, 10});
}

class Pm4EngineTest : public testing::Test {
 protected:
  Pm4EngineTest() { g_raised.clear(); }

  PacketOutcome Run(const Words& words) { return engine_.Execute(words.data(), words.size()); }
  void RunDone(const Words& words) {
    const PacketOutcome outcome = Run(words);
    EXPECT_EQ(outcome.code, Code::kDone) << outcome.problem << std::hex << outcome.fault_va;
  }
  void ExpectFault(const Words& words, uint64_t va, bool write) {
    const PacketOutcome outcome = Run(words);
    EXPECT_EQ(outcome.code, Code::kPageFault);
    EXPECT_EQ(outcome.fault_va, va);
    EXPECT_EQ(outcome.fault_is_write, write);
  }
  void ExpectBad(const Words& words, const char* problem) {
    const PacketOutcome outcome = Run(words);
    EXPECT_EQ(outcome.code, Code::kBadPacket);
    EXPECT_EQ(outcome.problem, std::string(problem));
  }

  static constexpr uint64_t kHole = 0x900000000;  // nothing is mapped there
  static constexpr uint32_t kSomeRegister = 0xc777;
  Queue queue_;
  Pm4Engine engine_{queue_, RecordEvent};
  TestBuffer memory_{0x400000000, 2 * TestBuffer::kPage};
};

TEST_F(Pm4EngineTest, FillersAndNopsDoNothing) {
  const Words lone_nop = {3u << 30 | 0x3fffu << 16 | 0x10u << 8};
  const Words filler = {2u << 30};
  RunDone(filler + lone_nop + Packet(0x10, {1, 2, 3}) + WriteMemory(memory_.va(), {7}));
  EXPECT_EQ(memory_.Get<uint32_t>(0), 7u);
}

TEST_F(Pm4EngineTest, CacheControlPacketsAreAccepted) {
  RunDone(Packet(0x46, {7 | 4 << 8}) + Packet(0x58, {0, 0xffffffff, 0xff, 0, 0, 10}));
}

TEST_F(Pm4EngineTest, WriteDataStoresWordsInOrder) {
  RunDone(WriteMemory(memory_.va(8), {1, 2, 3}));
  EXPECT_EQ(memory_.Get<uint32_t>(8), 1u);
  EXPECT_EQ(memory_.Get<uint32_t>(16), 3u);
}

TEST_F(Pm4EngineTest, WriteDataToOneAddressKeepsTheLastWord) {
  RunDone(Packet(0x37, {kToMemory | 1u << 16, Low(memory_.va()), High(memory_.va()), 1, 2, 3}));
  EXPECT_EQ(memory_.Get<uint32_t>(0), 3u);
  EXPECT_EQ(memory_.Get<uint32_t>(4), 0u);
}

TEST_F(Pm4EngineTest, RegistersCanBeSetAndCopiedToMemory) {
  RunDone(SetUconfig(kSomeRegister, 0xabc) + Packet(0x76, {4, 0x111, 0x222}));
  RunDone(CopyToMemory(0, 0, kSomeRegister, memory_.va()));
  RunDone(CopyToMemory(0, kWide, 0x2c04, memory_.va(8)));
  EXPECT_EQ(memory_.Get<uint64_t>(0), 0xabcu);
  EXPECT_EQ(memory_.Get<uint64_t>(8), 0x222'00000111u);
}

TEST_F(Pm4EngineTest, CopyDataTakesMemoryAndImmediates) {
  memory_.Set<uint64_t>(0, 0x1122334455667788);
  RunDone(CopyToMemory(2, kWide, memory_.va(), memory_.va(8)));
  RunDone(CopyToMemory(1, 0, memory_.va(), memory_.va(16)));
  RunDone(CopyToMemory(5, kWide, 0x99aabbccddeeff00, memory_.va(28)));
  EXPECT_EQ(memory_.Get<uint64_t>(8), 0x1122334455667788u);
  EXPECT_EQ(memory_.Get<uint64_t>(16), 0x55667788u);
  EXPECT_EQ(memory_.Get<uint64_t>(28), 0x99aabbccddeeff00u);
}

TEST_F(Pm4EngineTest, CopyDataIntoARegister) {
  RunDone(Packet(0x40, {5 | kToRegister | kWide, 0x12, 0x34, kSomeRegister, 0}));
  RunDone(CopyToMemory(0, kWide, kSomeRegister, memory_.va()));
  EXPECT_EQ(memory_.Get<uint64_t>(0), 0x34'00000012u);
}

TEST_F(Pm4EngineTest, CopyDataReadsTheGpuClock) {
  const uint64_t before = GpuTicks();
  RunDone(CopyToMemory(9, kWide, 0, memory_.va()));
  EXPECT_GE(memory_.Get<uint64_t>(0), before);
  EXPECT_LE(memory_.Get<uint64_t>(0), GpuTicks());
}

TEST_F(Pm4EngineTest, ReleaseMemStoresTheSelectedData) {
  const auto release = [](uint64_t va, uint32_t data) {
    return Packet(0x49, {0, data << 29, Low(va), High(va), 0x11, 0x22, 0});
  };
  memory_.Set<uint64_t>(0, ~uint64_t{0});
  RunDone(release(memory_.va(0), 0) + release(memory_.va(8), 1) + release(memory_.va(16), 2));
  EXPECT_EQ(memory_.Get<uint64_t>(0), ~uint64_t{0});
  EXPECT_EQ(memory_.Get<uint64_t>(8), 0x11u);
  EXPECT_EQ(memory_.Get<uint64_t>(16), 0x22'00000011u);
  const uint64_t before = GpuTicks();
  RunDone(release(memory_.va(24), 3));
  EXPECT_GE(memory_.Get<uint64_t>(24), before);
}

TEST_F(Pm4EngineTest, ReleaseMemRaisesItsInterrupt) {
  RunDone(Packet(0x49, {0, 2u << 24, 0, 0, 0, 0, 17}));
  EXPECT_EQ(g_raised, std::vector<uint32_t>{17});
}

TEST_F(Pm4EngineTest, AWaitForMemoryEndsWhenItCompares) {
  auto* word = reinterpret_cast<uint32_t*>(memory_.host());
  std::thread host([word] { __atomic_store_n(word, 0x15, __ATOMIC_RELEASE); });
  RunDone(WaitForMemory(memory_.va(), 3, 5, 0x0f));
  host.join();
}

TEST_F(Pm4EngineTest, AWaitEndsWhenTheQueueIsToStop) {
  queue_.stop = true;
  EXPECT_EQ(Run(WaitForMemory(memory_.va(), 3, 5, 0x0f)).code, Code::kStopped);
}

TEST_F(Pm4EngineTest, AWaitForARegisterHoldsAtOnceOrNever) {
  RunDone(SetUconfig(kSomeRegister, 4) + Packet(0x3c, {3, kSomeRegister, 0, 4, ~0u, 10}));
  ExpectBad(Packet(0x3c, {3, kSomeRegister, 0, 5, ~0u, 10}),
            "waits for a register that nothing changes");
}

TEST_F(Pm4EngineTest, AWaitMayWriteARequestFirst) {
  constexpr uint32_t kRequestFlush = 0xe26;
  constexpr uint32_t kFlushDone = 0xe27;
  constexpr uint32_t kWriteFirst = 1u << 6;
  RunDone(Packet(0x3c, {3 | kWriteFirst, kRequestFlush, kFlushDone, 0x200, 0x200, 32}));
  RunDone(Packet(0x3c, {5 | kWriteFirst, kRequestFlush, kFlushDone, ~0u, ~0u, 4}));
  RunDone(Packet(0x3c, {3, kRequestFlush, 0, ~0u, ~0u, 10}));
  ExpectBad(Packet(0x3c, {3 | kWriteFirst, kSomeRegister, kSomeRegister + 1, 5, ~0u, 10}),
            "waits for a register that nothing changes");
  ExpectBad(Packet(0x3c, {3 | 2u << 6, kSomeRegister, 0, 5, ~0u, 10}),
            "unknown operation of a wait");
}

TEST_F(Pm4EngineTest, AtomicMemChangesMemory) {
  const uint64_t va = memory_.va();
  memory_.Set<uint64_t>(0, 10);
  RunDone(Packet(0x1e, {47, Low(va), High(va), 5, 0, 0, 0, 0}));
  EXPECT_EQ(memory_.Get<uint64_t>(0), 15u);
  RunDone(Packet(0x1e, {40, Low(va), High(va), 99, 0, 15, 0, 0}));
  EXPECT_EQ(memory_.Get<uint64_t>(0), 99u);
}

TEST_F(Pm4EngineTest, AnAtomicsOldValueCanBeCopied) {
  memory_.Set<uint64_t>(0, 10);
  const uint64_t va = memory_.va();
  RunDone(Packet(0x1e, {39, Low(va), High(va), 99, 7, 0, 0, 0}) +
          CopyToMemory(6, kWide, 0, memory_.va(64)));
  EXPECT_EQ(memory_.Get<uint64_t>(0), 7ull << 32 | 99);
  EXPECT_EQ(memory_.Get<uint64_t>(64), 10u);
}

TEST_F(Pm4EngineTest, DmaDataCopiesMemory) {
  constexpr uint32_t kThroughCache = 3u << 20 | 3u << 29;
  for (uint32_t i = 0; i < 8; ++i) memory_.Set<uint8_t>(i, static_cast<uint8_t>(i + 1));
  const uint64_t from = memory_.va(1);
  const uint64_t to = memory_.va(101);
  RunDone(Packet(0x50, {kThroughCache, Low(from), High(from), Low(to), High(to), 5}));
  for (uint32_t i = 0; i < 5; ++i) EXPECT_EQ(memory_.Get<uint8_t>(101 + i), i + 2);
  EXPECT_EQ(memory_.Get<uint8_t>(106), 0u);
  ExpectBad(Packet(0x50, {2u << 29, Low(from), High(from), Low(to), High(to), 5}),
            "copies other than memory");
}

TEST_F(Pm4EngineTest, IndirectBuffersNestAFewLevels) {
  const Words inner = WriteMemory(memory_.va(0), {5});
  const uint64_t va = memory_.va(1024);
  std::memcpy(memory_.host() + 1024, inner.data(), inner.size() * 4);
  RunDone(Packet(0x3f, {Low(va), High(va), Low(inner.size())}));
  EXPECT_EQ(memory_.Get<uint32_t>(0), 5u);
  // A buffer that calls itself.
  const Words endless = Packet(0x3f, {Low(va), High(va), 4});
  std::memcpy(memory_.host() + 1024, endless.data(), endless.size() * 4);
  ExpectBad(endless, "too many nested buffers");
}

TEST_F(Pm4EngineTest, CountsShaderEventsBetweenStartAndStop) {
  HwCounters& counters = HwCountersOf(queue_.gpu);
  const Words select =
      SetUconfig(kRegSqCounter0Select + 1, 26) + SetUconfig(kRegGrbmGfxIndex, 2u << 16);
  RunDone(select + SetUconfig(kRegCpPerfmonControl, 0) + SetUconfig(kRegCpPerfmonControl, 1));
  counters.Add(2, SqEvent::kInstsValu, 240);
  RunDone(SetUconfig(kRegCpPerfmonControl, 2 | 1u << 10));
  counters.Add(2, SqEvent::kInstsValu, 1);
  RunDone(CopyToMemory(4, kWide, kRegSqCounter0Low + 2, memory_.va()));
  EXPECT_EQ(memory_.Get<uint64_t>(0), 240u);
}

class ChipletsTest : public Pm4EngineTest {
 protected:
  // The packets go to the chiplets of the mask alone.
  static Words Only(uint32_t mask, const Words& packets) {
    return Packet(0x23, {mask << 24 | static_cast<uint32_t>(packets.size())}) + packets;
  }
  void RunDone(const Words& words) {
    EXPECT_EQ(engine_.Execute(words.data(), words.size()).code, Code::kDone);
  }
  Pm4Engine engine_{queue_, RecordEvent, 8};
};

TEST_F(ChipletsTest, EachHasItsOwnRegisters) {
  RunDone(SetUconfig(kSomeRegister, 1) + Only(0x24, SetUconfig(kSomeRegister, 2)) +
          Only(0x20, SetUconfig(kSomeRegister, 3) + SetUconfig(kSomeRegister + 1, 4)));
  for (const uint32_t chiplet : {0, 2, 5, 7}) {
    const uint64_t va = memory_.va(8 * chiplet);
    RunDone(Only(1u << chiplet, CopyToMemory(0, 0, kSomeRegister, va)));
  }
  EXPECT_EQ(memory_.Get<uint32_t>(0), 1u);
  EXPECT_EQ(memory_.Get<uint32_t>(16), 2u);
  EXPECT_EQ(memory_.Get<uint32_t>(40), 3u);
  EXPECT_EQ(memory_.Get<uint32_t>(56), 1u);
  EXPECT_EQ(RegistersOf(queue_.gpu, 2).Read(kSomeRegister + 1), 0u);
  EXPECT_EQ(RegistersOf(queue_.gpu, 5).Read(kSomeRegister + 1), 4u);
}

TEST_F(ChipletsTest, PacketsOfAChipletThatIsNotThereAreSkipped) {
  Pm4Engine two(queue_, RecordEvent, 2);
  const Words words = Only(0x80, WriteMemory(memory_.va(), {1})) + WriteMemory(memory_.va(4), {2});
  EXPECT_EQ(two.Execute(words.data(), words.size()).code, Code::kDone);
  EXPECT_EQ(memory_.Get<uint64_t>(0), 0x2'00000000u);
}

TEST_F(ChipletsTest, AnIndirectBufferIsThatOfItsChiplets) {
  const Words inner = SetUconfig(kSomeRegister + 2, 7);
  std::memcpy(memory_.host() + 1024, inner.data(), inner.size() * 4);
  const uint64_t va = memory_.va(1024);
  RunDone(Only(0x40, Packet(0x3f, {Low(va), High(va), Low(inner.size())})));
  EXPECT_EQ(RegistersOf(queue_.gpu, 6).Read(kSomeRegister + 2), 7u);
  EXPECT_EQ(RegistersOf(queue_.gpu, 0).Read(kSomeRegister + 2), 0u);
}

TEST_F(ChipletsTest, EachCountsItsOwnEvents) {
  RunDone(SetUconfig(kRegSqCounter0Select + 1, 26) + SetUconfig(kRegGrbmGfxIndex, 2u << 16) +
          SetUconfig(kRegCpPerfmonControl, 0) + SetUconfig(kRegCpPerfmonControl, 1));
  HwCountersOf(queue_.gpu, 3).Add(2, SqEvent::kInstsValu, 30);
  HwCountersOf(queue_.gpu, 4).Add(2, SqEvent::kInstsValu, 40);
  RunDone(SetUconfig(kRegCpPerfmonControl, 2 | 1u << 10) +
          Only(8, CopyToMemory(0, kWide, kRegSqCounter0Low + 2, memory_.va(0))) +
          Only(16, CopyToMemory(0, kWide, kRegSqCounter0Low + 2, memory_.va(8))));
  EXPECT_EQ(memory_.Get<uint64_t>(0), 30u);
  EXPECT_EQ(memory_.Get<uint64_t>(8), 40u);
}

TEST_F(Pm4EngineTest, EveryPacketFaultsOnAnUnmappedAddress) {
  ExpectFault(WriteMemory(kHole, {1}), kHole, true);
  ExpectFault(CopyToMemory(5, 0, 1, kHole), kHole, true);
  ExpectFault(CopyToMemory(2, 0, kHole, memory_.va()), kHole, false);
  ExpectFault(Packet(0x49, {0, 1u << 29, Low(kHole), High(kHole), 1, 0, 0}), kHole, true);
  ExpectFault(WaitForMemory(kHole, 3, 1, 1), kHole, false);
  ExpectFault(Packet(0x1e, {15, Low(kHole), High(kHole), 1, 0, 0, 0, 0}), kHole, true);
  ExpectFault(Packet(0x50, {0, Low(kHole), High(kHole), Low(memory_.va()), High(memory_.va()), 4}),
              kHole, false);
  ExpectFault(Packet(0x50, {0, Low(memory_.va()), High(memory_.va()), Low(kHole), High(kHole), 4}),
              kHole, true);
  ExpectFault(Packet(0x3f, {Low(kHole), High(kHole), 1}), kHole, false);
}

TEST_F(Pm4EngineTest, BadPacketsAreRefusedWithAReason) {
  ExpectBad({0}, "no type 3 packet");
  ExpectBad({1u << 30}, "no type 3 packet");
  ExpectBad({3u << 30 | 2u << 16 | 0x37u << 8, 0}, "the buffer ends inside the packet");
  ExpectBad(Packet(0x15, {1, 1, 1, 0}), "not modelled");
  ExpectBad(Packet(0xff, {0}), "not modelled");
  ExpectBad(Packet(0x40, {0}), "too short");
  ExpectBad(Packet(0x40, {7 | kToMemory, 0, 0, Low(memory_.va()), High(memory_.va())}),
            "unknown source");
  ExpectBad(Packet(0x37, {9u << 8, 0, 0, 1}), "unknown destination");
  ExpectBad(Packet(0x49, {0, 5u << 29, 0, 0, 0, 0, 0}), "unknown data to release");
  ExpectBad(Packet(0x1e, {1, 0, 0, 0, 0, 0, 0, 0}), "unknown atomic operation");
  ExpectBad(WriteMemory(memory_.va(2), {1}), "misaligned address");
}

TEST_F(Pm4EngineTest, PacketsBehindABadOneAreNotExecuted) {
  const Words bad = Packet(0x15, {1, 1, 1, 0});
  const PacketOutcome outcome = Run(bad + WriteMemory(memory_.va(), {1}));
  EXPECT_EQ(outcome.header, bad[0]);
  EXPECT_EQ(memory_.Get<uint32_t>(0), 0u);
}

TEST_F(Pm4EngineTest, ExecutePm4NamesAPacketItCannotExecute) {
  const Words words = Packet(0x15, {1, 1, 1, 0});
  testing::internal::CaptureStderr();
  EXPECT_FALSE(ExecutePm4(queue_, words.data(), words.size()));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("PM4 packet DISPATCH_DIRECT"), std::string::npos) << said;
}

TEST_F(Pm4EngineTest, ExecutePm4RunsAWholeBuffer) {
  const Words words = WriteMemory(memory_.va(), {1}) + WriteMemory(memory_.va(4), {2});
  EXPECT_TRUE(ExecutePm4(queue_, words.data(), words.size()));
  EXPECT_EQ(memory_.Get<uint64_t>(0), 0x2'00000001u);
}

}  // namespace
}  // namespace vgpu
