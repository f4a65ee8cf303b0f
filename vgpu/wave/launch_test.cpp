// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "vgpu/counters/hw_counters.h"
#include "vgpu/mem/address_space.h"
#include "vgpu/queue/device_thread_test_support.h"
#include "vgpu/wave/isa.h"
#include "vgpu/wave/launch_test_support.h"
#include "vgpu/wave/translation.h"
#include "vgpu/wave/wave_test_support.h"

namespace vgpu {

namespace {
std::atomic<uint64_t> g_next_va{0x7c0000000000};
}  // namespace

DeviceBuffer::DeviceBuffer(uint32_t bytes)
    : bytes_(bytes), va_(g_next_va.fetch_add((bytes + 0xfffff) & ~0xfffffu)) {
  EXPECT_TRUE(MapRange(0, va_, bytes, bytes_.data()));
}

DeviceBuffer::~DeviceBuffer() { EXPECT_TRUE(UnmapRange(0, va_, bytes_.size())); }

TestDispatch::TestDispatch(const char* kernel, uint32_t groups, uint32_t group_size,
                           uint32_t output_bytes)
    : output(output_bytes), kernarg(256), descriptor(64), entry_(SnippetAddress(kernel)) {
  kernarg.Put<uint64_t>(0, output.va());
  packet.setup = 3;
  packet.workgroup_size_x = static_cast<uint16_t>(group_size);
  packet.workgroup_size_y = 1;
  packet.workgroup_size_z = 1;
  packet.grid_size_x = groups * group_size;
  packet.grid_size_y = 1;
  packet.grid_size_z = 1;
  packet.kernel_object = descriptor.va();
  packet.kernarg_address = reinterpret_cast<void*>(kernarg.va());
}

DispatchResult TestDispatch::Run(const std::atomic<bool>* stop) {
  descriptor.Put<uint64_t>(16, entry_ - descriptor.va());
  descriptor.Put<uint32_t>(48, rsrc1);
  descriptor.Put<uint32_t>(52, rsrc2);
  descriptor.Put<uint16_t>(56, properties);
  DispatchRequest request;
  request.packet = &packet;
  request.amd_queue = &queue;
  request.dispatch_id = dispatch_id;
  request.stop = stop;
  return ExecuteDispatch(request);
}

namespace {

using Code = DispatchResult::Code;

#ifdef __SANITIZE_THREAD__
constexpr bool kThreadSanitizer = true;
#else
constexpr bool kThreadSanitizer = false;
#endif

constexpr auto kPatience = std::chrono::seconds(60);

// Waits, with a limit, until another thread has made the condition true.
template <class P>
bool Eventually(P pred) {
  const auto limit = std::chrono::steady_clock::now() + kPatience;
  while (!pred()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::yield();
  }
  return true;
}

TEST(Launch, GivesEveryWorkItemItsIdsAlsoInPartialWorkgroups) {
  constexpr uint32_t kGrid[] = {21, 10, 5};
  constexpr uint32_t kGroup[] = {8, 4, 3};
  TestDispatch dispatch("kernel_ids", 1, 1, 21 * 10 * 5 * 4);
  dispatch.rsrc2 |= TestDispatch::kGroupIdY | TestDispatch::kGroupIdZ | TestDispatch::kItemIdsXyz;
  dispatch.packet.workgroup_size_x = kGroup[0];
  dispatch.packet.workgroup_size_y = kGroup[1];
  dispatch.packet.workgroup_size_z = kGroup[2];
  dispatch.packet.grid_size_x = kGrid[0];
  dispatch.packet.grid_size_y = kGrid[1];
  dispatch.packet.grid_size_z = kGrid[2];
  for (uint32_t i = 0; i < 3; ++i) dispatch.kernarg.Put<uint32_t>(8 + 4 * i, kGroup[i]);
  dispatch.kernarg.Put<uint32_t>(20, kGrid[0]);
  dispatch.kernarg.Put<uint32_t>(24, kGrid[1]);
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  uint32_t index = 0;
  for (uint32_t z = 0; z < kGrid[2]; ++z) {
    for (uint32_t y = 0; y < kGrid[1]; ++y) {
      for (uint32_t x = 0; x < kGrid[0]; ++x) {
        ASSERT_EQ(dispatch.Out(index++), x | y << 10 | z << 20) << x << " " << y << " " << z;
      }
    }
  }
}

TEST(Launch, ExecutesAGridAloneWhenTheSystemGivesNoThreads) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto run = [] {
    constexpr uint32_t kGroups = 100;  // enough for helpers
    TestDispatch dispatch("kernel_ids", kGroups, 64, kGroups * 64 * 4);
    dispatch.rsrc2 |= TestDispatch::kGroupIdY | TestDispatch::kGroupIdZ | TestDispatch::kItemIdsXyz;
    dispatch.kernarg.Put<uint32_t>(8, 64);
    dispatch.kernarg.Put<uint32_t>(12, 1);
    dispatch.kernarg.Put<uint32_t>(16, 1);
    dispatch.kernarg.Put<uint32_t>(20, kGroups * 64);
    dispatch.kernarg.Put<uint32_t>(24, 1);
    bool right = RefuseThreads() && dispatch.Run().code == Code::kOk;
    for (uint32_t i = 0; i < kGroups * 64; ++i) right = right && dispatch.Out(i) == i;
    _exit(right ? 7 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(7), "");  // one processor has no helpers
}

TEST(Launch, Gfx90aHasTheIdsOfAWorkItemInOneRegister) {
  const ScopedIsa isa(0x90a);
  TestDispatch dispatch("kernel_packed_ids", 1, 64, 64 * 4);
  dispatch.packet.workgroup_size_x = 4;
  dispatch.packet.workgroup_size_y = 8;
  dispatch.packet.workgroup_size_z = 2;
  dispatch.packet.grid_size_x = 4;
  dispatch.packet.grid_size_y = 8;
  dispatch.packet.grid_size_z = 2;
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  for (uint32_t i = 0; i < 64; ++i) {
    ASSERT_EQ(dispatch.Out(i), i % 4 | i / 4 % 8 << 10 | i / 32 << 20) << i;
  }
}

TEST(Launch, IgnoresDimensionsThatThePacketDoesNotHave) {
  TestDispatch dispatch("kernel_count", 1, 64, 4);
  dispatch.packet.setup = 1;
  dispatch.packet.grid_size_y = 77;
  dispatch.packet.grid_size_z = 0;
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  EXPECT_EQ(dispatch.Out(0), 64u);
}

TEST(Launch, SetsTheRegistersThatTheDescriptorAsksFor) {
  constexpr uint32_t kItems = 128;
  TestDispatch dispatch("kernel_registers", 1, kItems, 92);
  dispatch.properties = 0x7f;
  dispatch.SetUserSgprs(15);
  dispatch.rsrc2 |= TestDispatch::kGroupIdY | TestDispatch::kGroupIdZ | TestDispatch::kGroupInfo |
                    TestDispatch::kScratchOffset | TestDispatch::kItemIdsXyz;
  const uint32_t descriptor[] = {0x11112222, 0x80003333, 0x44445555, 0x66667777};
  std::memcpy(dispatch.queue.scratch_resource_descriptor, descriptor, sizeof descriptor);
  dispatch.queue.compute_tmpring_size = 32 | 3 << 12;  // 32 waves of 3 KB
  dispatch.packet.private_segment_size = 40;
  dispatch.dispatch_id = 0x123456789;
  dispatch.packet.workgroup_size_x = 64;
  dispatch.packet.workgroup_size_y = 2;
  dispatch.packet.grid_size_x = 64;
  dispatch.packet.grid_size_y = 2;
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  const auto out64 = [&](uint32_t i) {
    return dispatch.Out(i) | static_cast<uint64_t>(dispatch.Out(i + 1)) << 32;
  };
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(dispatch.Out(i), descriptor[i]);
  EXPECT_EQ(out64(4), reinterpret_cast<uint64_t>(&dispatch.packet));
  EXPECT_EQ(out64(6), reinterpret_cast<uint64_t>(&dispatch.queue));
  EXPECT_EQ(out64(8), dispatch.kernarg.va());
  EXPECT_EQ(out64(10), 0x123456789u);
  EXPECT_EQ(out64(12), 0x333311112222u);
  EXPECT_EQ(dispatch.Out(14), 40u);
  for (uint32_t i = 15; i < 18; ++i) EXPECT_EQ(dispatch.Out(i), 0u) << "workgroup id";
  // The second wave stored last.
  EXPECT_EQ(dispatch.Out(18), 2u) << "waves in the workgroup, not the first one";
  EXPECT_EQ(dispatch.Out(19), 3u * 1024) << "scratch offset of wave 1";
  EXPECT_EQ(dispatch.Out(20), 63u);
  EXPECT_EQ(dispatch.Out(21), 1u);
  EXPECT_EQ(dispatch.Out(22), 0u);
}

TEST(Launch, PutsSystemRegistersBehindAllUserRegisters) {
  // The properties ask for s0 and s1. With 4 user SGPRs claimed the workgroup id is s4, and s2,
  // where this kernel looks for the id of the workgroup that is to fault, stays 0.
  TestDispatch dispatch("kernel_illegal", 4, 64, 4);
  dispatch.SetUserSgprs(4);
  EXPECT_EQ(dispatch.Run().code, Code::kOk);
  dispatch.SetUserSgprs(2);
  EXPECT_EQ(dispatch.Run().code, Code::kIllegalInstruction);
}

TEST(Launch, WavesMeetAtBarriersAndShareLocalMemory) {
  constexpr uint32_t kGroups = 5;
  TestDispatch dispatch("kernel_barrier", kGroups, 256, kGroups * 1024);
  dispatch.packet.group_segment_size = 1024;
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  for (uint32_t group = 0; group < kGroups; ++group) {
    for (uint32_t i = 0; i < 256; ++i) {
      ASSERT_EQ(dispatch.Out(group * 256 + i), 3 * (255 - i) + group);
    }
  }
}

TEST(Launch, LocalMemoryBehindTheAllocationReadsZero) {
  TestDispatch dispatch("kernel_barrier", 1, 256, 1024);
  dispatch.packet.group_segment_size = 500;  // rounded up to 512
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  for (uint32_t i = 0; i < 256; ++i) {
    EXPECT_EQ(dispatch.Out(i), 255 - i < 128 ? 3 * (255 - i) : 0u);
  }
}

// Programs rely on the waves of a workgroup to advance together (workgroup.cpp).
void ExpectOrderOfWaves() {
  constexpr uint32_t kItems = 1024;
  for (const char* kernel : {"kernel_read_then_replace", "kernel_read_then_replace_at_once"}) {
    TestDispatch dispatch(kernel, 1, kItems, 4 * kItems);
    dispatch.packet.group_segment_size = 512;
    ASSERT_EQ(dispatch.Run().code, Code::kOk);
    for (uint32_t i = 0; i < kItems; ++i) ASSERT_EQ(dispatch.Out(i), 16u) << kernel << " " << i;
  }
  TestDispatch dispatch("kernel_store_then_read", 1, kItems, 4 * kItems);
  dispatch.packet.group_segment_size = 4 * kItems;
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  for (uint32_t i = 0; i < kItems; ++i) ASSERT_EQ(dispatch.Out(i), (i + 64) % kItems);
}

TEST(Launch, AllWavesReadBeforeOneReplacesAndStoreBeforeOneReads) { ExpectOrderOfWaves(); }

TEST(Launch, AllWavesOfTranslatedCodeReadBeforeOneReplacesAndStoreBeforeOneReads) {
  if (!CanTranslate()) GTEST_SKIP() << "libvgpu_jit.so was not built";
  const ScopedJit jit(JitMode::kOn);
  ExpectOrderOfWaves();
}

TEST(Launch, ABarrierDoesNotWaitForWavesThatEnded) {
  TestDispatch dispatch("kernel_early_end", 3, 256, 4);
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  EXPECT_EQ(dispatch.Out(0), 3u * 2);
}

TEST(Launch, EveryWaveUnderWayHasScratchMemoryOfItsOwn) {
  constexpr uint32_t kGroups = 8;
  constexpr uint32_t kWaves = kGroups * 2;
  constexpr uint32_t kWaveBytes = 1024;
  TestDispatch dispatch("kernel_scratch", kGroups, 128, 1024);
  DeviceBuffer scratch(kWaves * kWaveBytes);
  dispatch.rsrc2 |= TestDispatch::kScratchOffset;
  dispatch.packet.private_segment_size = 16;
  dispatch.queue.compute_tmpring_size = kWaves | 1 << 12;
  // Swizzled, 4-byte elements, 64 lanes side by side.
  dispatch.kernarg.Put<uint64_t>(16, scratch.va() | uint64_t{1} << 63);
  dispatch.kernarg.Put<uint32_t>(24, 0xffffffff);
  dispatch.kernarg.Put<uint32_t>(28, 1u << 19 | 3u << 21 | 1u << 23);
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  std::set<uint32_t> offsets;
  for (uint32_t i = 0; i < kWaves; ++i) offsets.insert(dispatch.Out(i));
  EXPECT_EQ(offsets.size(), kWaves);
  EXPECT_EQ(*offsets.rbegin(), (kWaves - 1) * kWaveBytes);
  EXPECT_EQ(dispatch.Out(64), 0u) << "work-items loaded other data than they had stored";
}

TEST(Launch, Gfx942SetsFlatScratchUp) {
  const ScopedIsa isa(0x942);
  constexpr uint64_t kBase = 0x7e1234500000;
  TestDispatch dispatch("kernel_flat_scratch", 1, 64, 8);
  dispatch.rsrc2 |= TestDispatch::kScratchOffset;
  dispatch.packet.private_segment_size = 16;
  dispatch.queue.compute_tmpring_size = 4 | 2 << 12;
  dispatch.queue.scratch_resource_descriptor[0] = static_cast<uint32_t>(kBase);
  dispatch.queue.scratch_resource_descriptor[1] = static_cast<uint32_t>(kBase >> 32) | 0x80000000;
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  EXPECT_EQ(dispatch.Out(0) | static_cast<uint64_t>(dispatch.Out(1)) << 32, kBase);
}

TEST(Launch, RefusesAWorkgroupThatTheScratchMemoryCannotHold) {
  TestDispatch dispatch("kernel_count", 1, 128, 4);
  dispatch.packet.private_segment_size = 16;
  dispatch.queue.compute_tmpring_size = 1 | 1 << 12;
  const DispatchResult result = dispatch.Run();
  EXPECT_EQ(result.code, Code::kApertureViolation);
  EXPECT_EQ(result.message, "the queue's scratch memory cannot hold one workgroup");
  EXPECT_EQ(dispatch.Out(0), 0u);
}

TEST(Launch, ReportsAMissingDescriptorAndMissingCode) {
  TestDispatch dispatch("kernel_count", 1, 64, 4);
  dispatch.packet.kernel_object = TestMachine::kUnmappedVa;
  const DispatchResult result = dispatch.Run();
  EXPECT_EQ(result.code, Code::kMemoryFault);
  EXPECT_EQ(result.fault_va, TestMachine::kUnmappedVa);

  DeviceBuffer descriptor(64);
  descriptor.Put<uint64_t>(16, TestMachine::kUnmappedVa - descriptor.va());
  dispatch.packet.kernel_object = descriptor.va();
  const DispatchResult no_code = dispatch.Run();
  EXPECT_EQ(no_code.code, Code::kMemoryFault);
  EXPECT_EQ(no_code.fault_va, TestMachine::kUnmappedVa);
  EXPECT_EQ(no_code.message, "instruction fetch from an unmapped page in workgroup 0,0,0 wave 0");
}

TEST(Launch, NamesTheFaultAndWhereItHappened) {
  const auto run = [](const char* kernel) { return TestDispatch(kernel, 4, 64, 4).Run(); };
  const DispatchResult illegal = run("kernel_illegal");
  EXPECT_EQ(illegal.code, Code::kIllegalInstruction);
  EXPECT_EQ(illegal.message.find("s_sethalt (SOPP opcode 0xd, code bf8d0001 00000000 at 0x"), 0u)
      << illegal.message;
  EXPECT_NE(illegal.message.find("not implemented in workgroup 2,0,0 wave 0"), std::string::npos);

  const DispatchResult trap = run("kernel_trap");
  EXPECT_EQ(trap.code, Code::kTrap);
  EXPECT_EQ(trap.message.find("s_trap 2 at 0x"), 0u);

  const DispatchResult address = run("kernel_bad_address");
  EXPECT_EQ(address.code, Code::kMemoryFault);
  EXPECT_EQ(address.fault_va, 0u);
  EXPECT_FALSE(address.fault_is_write);
  EXPECT_EQ(address.message, "no page at 0x0 (4 bytes) in workgroup 2,0,0 wave 0");

  const DispatchResult aperture = run("kernel_bad_aperture");
  EXPECT_EQ(aperture.code, Code::kApertureViolation);
  EXPECT_EQ(aperture.fault_va, 0x1234000000000000u);
}

TEST(Launch, CountsWhatTheShaderEnginesDid) {
  const auto read = [] {
    std::map<SqEvent, uint64_t> sums;
    for (const SqEvent event :
         {SqEvent::kWaves, SqEvent::kWavesEq64, SqEvent::kWavesLt64, SqEvent::kItems,
          SqEvent::kInsts, SqEvent::kInstsValu, SqEvent::kInstsSalu, SqEvent::kInstsSmem,
          SqEvent::kInstsLds, SqEvent::kInstsVmemRead, SqEvent::kInstsVmemWrite,
          SqEvent::kInstsVmem, SqEvent::kInstsFlat}) {
      for (int engine = 0; engine < kShaderEngines; ++engine) {
        sums[event] += HwCountersOf(0).Get(engine, static_cast<uint32_t>(event));
      }
    }
    return sums;
  };
  const auto before = read();
  TestDispatch dispatch("kernel_counted", 1, 1, 4);
  dispatch.packet.workgroup_size_x = 96;  // a whole wave and a partial one
  dispatch.packet.grid_size_x = 960;
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  auto after = read();
  const std::map<SqEvent, uint64_t> expected = {
      {SqEvent::kWaves, 20},         {SqEvent::kWavesEq64, 10},      {SqEvent::kWavesLt64, 10},
      {SqEvent::kItems, 960},        {SqEvent::kInsts, 20 * 11},     {SqEvent::kInstsValu, 20 * 2},
      {SqEvent::kInstsSalu, 20 * 3}, {SqEvent::kInstsSmem, 20},      {SqEvent::kInstsLds, 60},
      {SqEvent::kInstsVmemRead, 20}, {SqEvent::kInstsVmemWrite, 40}, {SqEvent::kInstsVmem, 60},
      {SqEvent::kInstsFlat, 60}};  // global_*, too
  for (const auto& [event, count] : expected) {
    EXPECT_EQ(after[event] - before.at(event), count) << "event " << static_cast<int>(event);
  }
}

TEST(Launch, RunsCodeAsItIsNowWhenItWasRewritten) {
  TestDispatch dispatch("kernel_constant", 1, 64, 4);
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  EXPECT_EQ(dispatch.Out(0), 0x11111111u);
  uint8_t* code = SnippetCode("kernel_constant");
  const uint8_t* end = SnippetCode("kernel_constant_end");
  for (; code != end; code += 4) {
    uint32_t word;
    std::memcpy(&word, code, sizeof word);
    if (word == 0x11111111) break;
  }
  ASSERT_NE(code, end);
  const uint32_t changed = 0x22222222;
  std::memcpy(code, &changed, sizeof changed);
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  EXPECT_EQ(dispatch.Out(0), 0x22222222u);
}

TEST(Grid, WorkgroupsMayWaitForEachOther) {
  constexpr uint32_t kGroups = 100;
  TestDispatch dispatch("kernel_grid_barrier", kGroups, 64, 8);
  dispatch.kernarg.Put<uint32_t>(8, kGroups);
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  EXPECT_EQ(dispatch.Out(0), kGroups);
  EXPECT_EQ(dispatch.Out(1), kGroups);
}

TEST(Grid, ExecutesEveryWorkgroupOnceWithHelpers) {
  constexpr uint32_t kGroups = 4000;
  TestDispatch dispatch("kernel_count", kGroups, 256, 4);
  ASSERT_EQ(dispatch.Run().code, Code::kOk);
  EXPECT_EQ(dispatch.Out(0), kGroups * 256);
}

TEST(Grid, StopsAnEndlessKernelOnRequest) {
  TestDispatch dispatch("kernel_endless", 3, 64, 8);
  std::atomic<bool> stop{false};
  DispatchResult result;
  std::thread queue([&] { result = dispatch.Run(&stop); });
  EXPECT_TRUE(Eventually([&] { return dispatch.Out(1) == 1; }));
  stop = true;
  queue.join();
  EXPECT_EQ(result.code, Code::kStopped);
  EXPECT_EQ(result.message, "");
}

TEST(Grid, AKernelMayWaitForAKernelOfAnotherQueue) {
  // There are fewer workers than waiting queues, and than workgroups in each of them.
  constexpr int kQueues = 6;
  std::vector<std::unique_ptr<TestDispatch>> waiting;
  TestDispatch set("kernel_set_flag", 1, 64, 4);
  for (int i = 0; i < kQueues; ++i) {
    auto dispatch = std::make_unique<TestDispatch>("kernel_wait_for_flag", 200, 64, 8);
    dispatch->kernarg.Put<uint64_t>(0, dispatch->output.va());
    waiting.push_back(std::move(dispatch));
  }
  std::atomic<int> finished{0};
  std::vector<std::thread> queues;
  for (auto& dispatch : waiting) {
    queues.emplace_back([&] {
      EXPECT_EQ(dispatch->Run().code, Code::kOk);
      ++finished;
    });
  }
  EXPECT_EQ(finished.load(), 0);
  // Another queue's kernel sets the flag of each waiting kernel in turn.
  for (auto& dispatch : waiting) {
    EXPECT_EQ(dispatch->Out(1), 0u);
    set.kernarg.Put<uint64_t>(0, dispatch->output.va());
    EXPECT_EQ(set.Run().code, Code::kOk);
    EXPECT_TRUE(Eventually([&] { return dispatch->Out(1) == 1; }));
  }
  for (std::thread& queue : queues) queue.join();
  EXPECT_EQ(finished.load(), kQueues);
}

TEST(Grid, OtherQueuesProgressWhileOneRunsForEver) {
  TestDispatch endless("kernel_endless", 1000, 64, 8);
  std::atomic<bool> stop{false};
  std::thread queue([&] { EXPECT_EQ(endless.Run(&stop).code, Code::kStopped); });
  EXPECT_TRUE(Eventually([&] { return endless.Out(1) == 1; }));
  for (int i = 0; i < 5; ++i) {
    TestDispatch dispatch("kernel_count", 300, 64, 4);
    EXPECT_EQ(dispatch.Run().code, Code::kOk);
    EXPECT_EQ(dispatch.Out(0), 300u * 64);
  }
  stop = true;
  queue.join();
}

TEST(Grid, AForkedChildExecutesGridsOfItsOwn) {
  if (kThreadSanitizer) GTEST_SKIP() << "ThreadSanitizer refuses new threads in a forked child";
  TestDispatch before("kernel_count", 1000, 64, 4);
  EXPECT_EQ(before.Run().code, Code::kOk);  // there are helpers now
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ForgetDispatches();
    TestDispatch dispatch("kernel_count", 1000, 64, 4);
    const bool good = dispatch.Run().code == Code::kOk && dispatch.Out(0) == 64000;
    _exit(good ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Grid, AFaultEndsTheGridWhileOthersStillRun) {
  // 1000 workgroups; number 2 faults at once.
  const DispatchResult result = TestDispatch("kernel_illegal", 1000, 64, 4).Run();
  EXPECT_EQ(result.code, Code::kIllegalInstruction);
  // The next dispatch is not affected.
  TestDispatch next("kernel_count", 10, 64, 4);
  EXPECT_EQ(next.Run().code, Code::kOk);
  EXPECT_EQ(next.Out(0), 640u);
}

}  // namespace
}  // namespace vgpu
