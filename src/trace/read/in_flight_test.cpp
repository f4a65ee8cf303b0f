// SPDX-License-Identifier: MIT
#include "trace/read/query_test_support.h"

namespace rtl::query {
namespace {

using State = InFlightRow::State;

class InFlightTest : public ::testing::Test {
 protected:
  std::vector<InFlightRow> Read() {
    ExpectOk(builder_.WriteDatabase(path_));
    std::vector<InFlightRow> rows;
    ExpectOk(OpenTrace(path_)->InFlight(&rows));
    return rows;
  }

  // The packets in flight of a process that is killed while packet 4 is in flight, too.
  std::vector<uint64_t> PacketsWhenPacket3IsBeingRecorded(bool recorded) {
    const uint32_t queue = builder_.Queue(builder_.Gpu("gfx906"));
    const uint32_t kernel = builder_.Kernel("k");
    builder_.BeingRecorded(queue, kernel, 3, recorded);
    builder_.InFlight(queue, kernel, 4, {.submitted = 100}).Killed();
    std::vector<uint64_t> packets;
    for (const InFlightRow& row : Read()) packets.push_back(row.packet);
    return packets;
  }

  std::vector<State> States() {
    std::vector<State> states;
    for (const InFlightRow& row : Read()) states.push_back(row.state);
    return states;
  }

  test::TempDir dir_;
  const std::string path_ = dir_.File("t.db");
  test::TraceBuilder builder_;
};

TEST_F(InFlightTest, IsEmptyWhenEveryKernelHasEnded) {
  builder_ = test::TraceBuilder::ThreeKernelsOnTwoQueues();
  EXPECT_TRUE(Read().empty());
}

TEST_F(InFlightTest, NamesTheKernelItsCallStreamAndRange) {
  const uint32_t queue = builder_.Queue(builder_.Gpu("gfx906"));
  const uint32_t kernel = builder_.Kernel("_Z4gemmPfS_S_i");
  builder_.Push(101, 10, "outer").Push(101, 20, "closed").Pop(101, 30).Push(101, 100, "step");
  builder_.Push(102, 10, "another thread's");
  const auto launch = test::TraceBuilder::CallNumber("hipLaunchKernel");
  builder_.Call(launch, {0xf, 8, 1, 64, 1, 0, 0, 0x50},
                {.start = 110, .end = 130, .correlation = 5});
  builder_.InFlight(
      queue, kernel, 4,
      {.submitted = 120, .correlation = 5, .grid = {512, 2, 1}, .workgroup = {64, 2, 1}});
  builder_.Killed();
  const auto rows = Read();
  ASSERT_EQ(rows.size(), 1u);
  const InFlightRow& row = rows.front();
  EXPECT_EQ(row.name, "gemm(float*, float*, float*, int)");
  EXPECT_EQ(row.call, "hipLaunchKernel");
  EXPECT_EQ(row.range, "step");
  EXPECT_EQ(row.queue, queue);
  EXPECT_EQ(row.packet, 4u);
  EXPECT_EQ(row.submitted, 120u);
  EXPECT_EQ(row.until, 130u) << "the last that is known of the process";
  EXPECT_EQ(row.tid, 101u);
  EXPECT_EQ(row.grid[1], 2u);
  EXPECT_EQ(row.workgroup[0], 64u);
  EXPECT_EQ(row.state, State::kFirst);
}

TEST_F(InFlightTest, APacketWithTheBarrierBitWaitsAndSoDoTheLaterPackets) {
  const uint32_t queue = builder_.Queue(builder_.Gpu("gfx906"));
  const uint32_t kernel = builder_.Kernel("k");
  const uint16_t flags[] = {kDispatchFlagBarrierBit, 0, kDispatchFlagBarrierBit, 0};
  for (uint64_t packet = 0; packet < 4; ++packet) {
    builder_.InFlight(queue, kernel, packet, {.submitted = 100, .flags = flags[packet]});
  }
  builder_.Looked(101).Killed();
  EXPECT_EQ(States(), (std::vector{State::kFirst, State::kFirst, State::kWaits, State::kWaits}));
}

// The packets before the last one may have ended since the tracer last looked.
TEST_F(InFlightTest, NothingIsKnownOfAPacketBehindOthersThatCameAfterTheLastLook) {
  const uint32_t queue = builder_.Queue(builder_.Gpu("gfx906"));
  const uint32_t kernel = builder_.Kernel("k");
  for (uint64_t packet = 0; packet < 3; ++packet) {
    builder_.InFlight(queue, kernel, packet,
                      {.submitted = 100 + 10 * packet, .flags = kDispatchFlagBarrierBit});
  }
  builder_.Looked(115).Killed();
  EXPECT_EQ(States(), (std::vector{State::kFirst, State::kWaits, State::kUnknown}));
}

TEST_F(InFlightTest, NothingIsKnownWithoutALook) {
  const uint32_t queue = builder_.Queue(builder_.Gpu("gfx906"));
  const uint32_t kernel = builder_.Kernel("k");
  for (const uint64_t packet : {1, 2})
    builder_.InFlight(queue, kernel, packet, {.submitted = 100, .flags = kDispatchFlagBarrierBit});
  builder_.Killed();
  EXPECT_EQ(States(), (std::vector{State::kFirst, State::kUnknown}));
}

TEST_F(InFlightTest, OfKernelsBeingRecordedNamesThoseWithoutARow) {
  EXPECT_EQ(PacketsWhenPacket3IsBeingRecorded(/*recorded=*/false), (std::vector<uint64_t>{3, 4}));
}

TEST_F(InFlightTest, OfKernelsBeingRecordedLeavesOutThoseWithARow) {
  EXPECT_EQ(PacketsWhenPacket3IsBeingRecorded(/*recorded=*/true), (std::vector<uint64_t>{4}));
}

TEST_F(InFlightTest, LeavesOutAKernelThatWasJustToBeSubmitted) {
  const uint32_t queue = builder_.Queue(builder_.Gpu("gfx906"));
  const uint32_t kernel = builder_.Kernel("k");
  builder_.InFlight(queue, kernel, 1, {.submitted = 100});
  builder_.InFlight(queue, kernel, 2, {.submitted = 110});
  builder_.BeingSubmitted(queue, kernel, 3, 120).Killed();
  std::vector<uint64_t> packets;
  for (const InFlightRow& row : Read()) packets.push_back(row.packet);
  EXPECT_EQ(packets, (std::vector<uint64_t>{1, 2}));
}

TEST_F(InFlightTest, LeavesOutARowOfAnUnknownQueue) {
  builder_.InFlight(7, builder_.Kernel("k"), 1, {.submitted = 100}).Killed();
  EXPECT_TRUE(Read().empty());
}

TEST_F(InFlightTest, NamesTheBarrierThatMayHoldUpAKernel) {
  const uint32_t queue = builder_.Queue(builder_.Gpu("gfx906"));
  const uint32_t kernel = builder_.Kernel("k");
  builder_.HasEnded(queue, 3).InFlight(queue, kernel, 5, {.submitted = 100});
  builder_.InFlight(queue, kernel, 7, {.submitted = 100});
  builder_.WaitsFor(2, 0x1000).WaitsFor(6, 0x2000).Killed();
  std::vector<std::string> behind;
  std::vector<State> states;
  for (const InFlightRow& row : Read()) {
    behind.push_back(row.behind);
    states.push_back(row.state);
  }
  EXPECT_EQ(behind, (std::vector<std::string>{"",
                                              "barrier packet 6 may wait for signal 0x2000 (the "
                                              "process has ended: no value)"}))
      << "packet 2 was passed: packet 3 has ended";
  EXPECT_EQ(states, (std::vector{State::kFirst, State::kUnknown}));
}

TEST_F(InFlightTest, ATraceOfAnEarlierVersionHasNoBarriers) {
  builder_.InFlight(builder_.Queue(builder_.Gpu("gfx906")), builder_.Kernel("k"), 1,
                    {.submitted = 100});
  builder_.Killed();
  ASSERT_EQ(Read().size(), 1u);
  ExecuteSql(path_, "ALTER TABLE rtl_in_flight DROP COLUMN behind");
  std::vector<InFlightRow> rows;
  ExpectOk(OpenTrace(path_)->InFlight(&rows));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows.front().behind, "");
}

class FaultsTest : public InFlightTest {
 protected:
  FaultRow ReadOne() {
    ExpectOk(builder_.WriteDatabase(path_));
    std::vector<FaultRow> faults;
    ExpectOk(OpenTrace(path_)->tables().Faults(&faults));
    EXPECT_EQ(faults.size(), 1u);
    return faults.empty() ? FaultRow() : faults.front();
  }
  void Malloc(uint64_t time, uint64_t address, uint64_t bytes) {
    builder_.Call(test::TraceBuilder::CallNumber("hipMalloc"), {0x7000, address, bytes},
                  {.start = time, .end = time + 1, .correlation = ++calls_});
  }
  void Free(uint64_t time, uint64_t address) {
    builder_.Call(test::TraceBuilder::CallNumber("hipFree"), {address},
                  {.start = time, .end = time + 1, .correlation = ++calls_});
  }
  uint64_t calls_ = 0;
};

TEST_F(FaultsTest, ATraceWithoutFaultsHasNone) {
  builder_ = test::TraceBuilder::ThreeKernelsOnTwoQueues();
  ExpectOk(builder_.WriteDatabase(path_));
  std::vector<FaultRow> faults;
  ExpectOk(OpenTrace(path_)->tables().Faults(&faults));
  EXPECT_TRUE(faults.empty());
}

TEST_F(FaultsTest, ReadsBackGpuAndAddressAndInventsNoAllocation) {
  builder_.Gpu("gfx906");
  const uint32_t second = builder_.Gpu("gfx906");
  builder_.Fault(second, 500, 0x123456000, 3).Killed();
  const FaultRow fault = ReadOne();
  EXPECT_EQ(fault.gpu, 1);
  EXPECT_EQ(fault.time, 500u);
  EXPECT_EQ(fault.address, 0x123456000u);
  EXPECT_EQ(fault.reason, 3u);
  EXPECT_EQ(fault.near, 0u);
}

TEST_F(FaultsTest, FindsTheNearestAllocationOfHip) {
  Malloc(100, 0x10000, 0x100);
  Malloc(110, 0x20000, 0x100);
  Malloc(600, 0x20100, 0x100);  // after the fault
  builder_.Fault(builder_.Gpu("gfx906"), 500, 0x20104, 1).Killed();
  const FaultRow fault = ReadOne();
  EXPECT_EQ(fault.near, 0x20000u);
  EXPECT_EQ(fault.near_bytes, 0x100u);
  EXPECT_FALSE(fault.near_freed);
}

TEST_F(FaultsTest, ReportsFreedMemoryUnlessItWasAllocatedAgain) {
  Malloc(100, 0x10000, 0x100);
  Free(200, 0x10000);
  builder_.Fault(builder_.Gpu("gfx906"), 500, 0x10010, 1).Killed();
  EXPECT_TRUE(ReadOne().near_freed);
  Malloc(300, 0x10000, 0x200);
  const FaultRow fault = ReadOne();
  EXPECT_FALSE(fault.near_freed);
  EXPECT_EQ(fault.near_bytes, 0x200u);
}

TEST_F(FaultsTest, FindsAllocationsOfHsaToo) {
  const uint32_t gpu = builder_.Gpu("gfx906");
  AllocationValues values = {};
  values.agent = gpu;
  values.bytes = 0x1000;
  values.address = 0x50000;
  builder_.Event(EventKind::kAllocation, 0, values, {.start = 100, .end = 110});
  builder_.Fault(gpu, 500, 0x4fff0, 1).Killed();
  const FaultRow fault = ReadOne();
  EXPECT_EQ(fault.near, 0x50000u);
  EXPECT_EQ(fault.near_bytes, 0x1000u);
}

}  // namespace
}  // namespace rtl::query
