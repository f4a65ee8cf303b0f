// SPDX-License-Identifier: MIT
#include "vgpu/cp/aql_test_support.h"

namespace vgpu::aql_test {
namespace {

TEST_F(Aql, WaitsForAHeader) {
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kNotWritten);
  EXPECT_EQ(ReadIndex(), 0u);
}

TEST_F(Aql, CompletesAKernel) {
  Put(Kernel(Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
  EXPECT_EQ(fake_.dispatch_ids, std::vector<uint64_t>{0});
  EXPECT_EQ(ValueOf(0), 0);
  EXPECT_EQ(ReadIndex(), 1u);
  EXPECT_EQ(HeaderAt(0), HSA_PACKET_TYPE_INVALID);
  EXPECT_EQ(queue_.packets, 1u);
  EXPECT_EQ(queue_.dispatches, 1u);
  EXPECT_TRUE(fake_.events.empty());  // a signal without an event raises no interrupt
}

TEST_F(Aql, CompletesAKernelWithoutASignal) {
  Put(Kernel());
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
  EXPECT_EQ(ReadIndex(), 1u);
}

TEST_F(Aql, GivesTheKernelItsPacketAndItsQueue) {
  fake_.kernel = [&](const DispatchRequest& request) {
    EXPECT_EQ(request.packet->kernel_object, 0x1000u);
    EXPECT_EQ(request.amd_queue, &memory_->queue);
    EXPECT_EQ(request.gpu, kGpu);
    EXPECT_EQ(request.stop, &queue_.stop);
    EXPECT_EQ(ReadIndex(), 0u);  // the slot is not free while the kernel runs
    EXPECT_NE(HeaderAt(0), HSA_PACKET_TYPE_INVALID);
    return DispatchResult{};
  };
  Put(Kernel());
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
}

TEST_F(Aql, DecrementsTheSignalBeforeItInterrupts) {
  Put(Kernel(Signal(0, 3, 42)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
  EXPECT_EQ(ValueOf(0), 2);
  EXPECT_EQ(memory_->mailboxes[0], 42u);
  EXPECT_EQ(fake_.events, std::vector<uint32_t>{42});
}

TEST_F(Aql, TimesKernelsOnlyWhileProfilingIsOn) {
  fake_.kernel = [&](const DispatchRequest&) {
    fake_.now += 500;
    return DispatchResult{};
  };
  Put(Kernel(Signal(0, 1)));
  Put(Kernel(Signal(1, 1)));
  AqlProcessor processor = Processor();
  EXPECT_EQ(processor.ProcessNext(), Outcome::kDone);
  EXPECT_EQ(memory_->signals[0].start_ts, 0u);
  EXPECT_EQ(memory_->signals[0].end_ts, 0u);
  memory_->queue.queue_properties = AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
  EXPECT_EQ(processor.ProcessNext(), Outcome::kDone);
  EXPECT_EQ(memory_->signals[1].start_ts, 150u);
  EXPECT_EQ(memory_->signals[1].end_ts, 200u);
}

TEST_F(Aql, LetsAKernelTakeItsLeastTime) {
  device_.dispatch_ns = 5000;
  memory_->queue.queue_properties = AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
  Put(Kernel(Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
  EXPECT_EQ(memory_->signals[0].start_ts, 100u);
  EXPECT_EQ(memory_->signals[0].end_ts, 600u);
  EXPECT_EQ(fake_.now, 6000u);
}

struct AqlBackToBack : Aql {
  AqlBackToBack() {
    device_.dispatch_ns = 5000;
    memory_->queue.queue_properties = AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
    Put(Kernel(Signal(0, 1)));
    RingDoorbell();
  }
  void PutSecond() {
    Put(Kernel(Signal(1, 1)));
    RingDoorbell();
  }
  // The processor needs `between` nanoseconds of its own between the two packets.
  void ProcessBoth(uint64_t between, bool second_comes_late = false) {
    AqlProcessor processor = Processor();
    EXPECT_EQ(processor.ProcessNext(), Outcome::kDone);
    fake_.now += between;
    if (second_comes_late) PutSecond();
    EXPECT_EQ(processor.ProcessNext(), Outcome::kDone);
    EXPECT_EQ(memory_->signals[0].end_ts, 600u);
  }
};

TEST_F(AqlBackToBack, LeavesTheProcessorsOwnTimeOutOfKernelTimes) {
  PutSecond();
  ProcessBoth(300);
  EXPECT_EQ(memory_->signals[1].start_ts, 600u);
  EXPECT_EQ(memory_->signals[1].end_ts, 1100u);
  EXPECT_EQ(fake_.now, 11'000u);
}

TEST_F(AqlBackToBack, StartsALateKernelWhenItComes) {
  ProcessBoth(300, true);
  EXPECT_EQ(memory_->signals[1].start_ts, 630u);
  EXPECT_EQ(memory_->signals[1].end_ts, 1130u);
}

TEST_F(AqlBackToBack, StartsAKernelNowWhenTheProcessorWasTooSlow) {
  PutSecond();
  ProcessBoth(5000);
  EXPECT_EQ(memory_->signals[1].start_ts, 1100u);
}

TEST_F(Aql, StopsInAKernelsLeastTime) {
  device_.dispatch_ns = 5000;
  fake_.stop_in_wait = true;
  Put(Kernel(Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kStopped);
  EXPECT_EQ(ValueOf(0), 1);
  EXPECT_EQ(ReadIndex(), 0u);
}

TEST_F(Aql, RunsNoKernelWhenExecutionIsOff) {
  device_.run_kernels = false;
  Put(Kernel(Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
  EXPECT_TRUE(fake_.dispatch_ids.empty());
  EXPECT_EQ(ValueOf(0), 0);
}

TEST_F(Aql, LeavesAStoppedKernelIncomplete) {
  fake_.kernel = [](const DispatchRequest&) {
    DispatchResult result;
    result.code = DispatchResult::Code::kStopped;
    return result;
  };
  Put(Kernel(Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kStopped);
  EXPECT_EQ(ValueOf(0), 1);
  EXPECT_EQ(InactiveValue(), 0);
}

// A bad packet, and the bit that the firmware sets for it.
struct BadPacket {
  const char* name;
  QueueError error;
  void (*spoil)(hsa_kernel_dispatch_packet_t* packet);
};

class BadKernel : public Aql, public ::testing::WithParamInterface<BadPacket> {};

TEST_P(BadKernel, IsReportedInTheInactiveSignal) {
  hsa_kernel_dispatch_packet_t packet = Kernel(Signal(0, 1));
  GetParam().spoil(&packet);
  Put(packet);
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kHalted);
  EXPECT_EQ(InactiveValue(), static_cast<int64_t>(GetParam().error));
  EXPECT_EQ(fake_.events, std::vector<uint32_t>{107});
  EXPECT_EQ(memory_->mailboxes[7], 107u);
  EXPECT_TRUE(fake_.dispatch_ids.empty());
  EXPECT_EQ(ValueOf(0), 1);
  EXPECT_EQ(ReadIndex(), 0u);
}

using KernelPacket = hsa_kernel_dispatch_packet_t;
const BadPacket kBadPackets[] = {
    {"NoWorkgroupX", QueueError::kDimensions, [](KernelPacket* p) { p->workgroup_size_x = 0; }},
    {"NoWorkgroupY", QueueError::kDimensions, [](KernelPacket* p) { p->workgroup_size_y = 0; }},
    {"NoWorkgroupZ", QueueError::kDimensions, [](KernelPacket* p) { p->workgroup_size_z = 0; }},
    {"NoDimensions", QueueError::kDimensions, [](KernelPacket* p) { p->setup = 0; }},
    {"NoGridX", QueueError::kDimensions, [](KernelPacket* p) { p->grid_size_x = 0; }},
    {"NoGridY", QueueError::kDimensions,
     [](KernelPacket* p) {
       p->setup = 2;
       p->grid_size_y = 0;
     }},
    {"NoGridZ", QueueError::kDimensions,
     [](KernelPacket* p) {
       p->setup = 3;
       p->grid_size_z = 0;
     }},
    {"TooMuchGroupMemory", QueueError::kGroupMemory,
     [](KernelPacket* p) { p->group_segment_size = 65537; }},
    {"NoCode", QueueError::kCodeObject, [](KernelPacket* p) { p->kernel_object = 0; }},
    {"TooBigAWorkgroup", QueueError::kWorkgroupSize,
     [](KernelPacket* p) { p->workgroup_size_x = 1025; }},
    {"TooBigAWorkgroupInAll", QueueError::kWorkgroupSize,
     [](KernelPacket* p) { p->workgroup_size_y = 17; }},
    {"UnknownType", QueueError::kPacket, [](KernelPacket* p) { p->header = 7; }},
};
INSTANTIATE_TEST_SUITE_P(Aql, BadKernel, ::testing::ValuesIn(kBadPackets),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_F(Aql, IgnoresGridSizesOfDimensionsThatAreNotUsed) {
  hsa_kernel_dispatch_packet_t packet = Kernel(Signal(0, 1));
  packet.grid_size_y = 0;
  packet.grid_size_z = 0;
  Put(packet);
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
}

struct KernelFault {
  const char* name;
  DispatchResult::Code code;
  QueueError error;
};

class FaultingKernel : public Aql, public ::testing::WithParamInterface<KernelFault> {};

TEST_P(FaultingKernel, IsReportedInTheInactiveSignal) {
  fake_.kernel = [](const DispatchRequest&) {
    return DispatchResult{.code = GetParam().code, .message = "a fault"};
  };
  Put(Kernel(Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kHalted);
  EXPECT_EQ(InactiveValue(), static_cast<int64_t>(GetParam().error));
  EXPECT_EQ(ValueOf(0), 1);
}

INSTANTIATE_TEST_SUITE_P(
    Aql, FaultingKernel,
    ::testing::Values(KernelFault{"Aperture", DispatchResult::Code::kApertureViolation,
                                  QueueError::kApertureViolation},
                      KernelFault{"Instruction", DispatchResult::Code::kIllegalInstruction,
                                  QueueError::kIllegalInstruction},
                      KernelFault{"Trap", DispatchResult::Code::kTrap, QueueError::kTrap}),
    [](const auto& parameter) { return parameter.param.name; });

TEST_F(Aql, ReportsAPageFaultOfAKernelAsAMemoryException) {
  fake_.kernel = [](const DispatchRequest&) {
    return DispatchResult{
        .code = DispatchResult::Code::kMemoryFault, .fault_va = 0xdead000, .message = "a fault"};
  };
  Put(Kernel(Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kHalted);
  EXPECT_EQ(fake_.faults, std::vector<uint64_t>{0xdead000});
  EXPECT_EQ(InactiveValue(), 0);
  EXPECT_EQ(ValueOf(0), 1);
}

TEST_F(Aql, ReportsASignalThatIsNotMappedAsAMemoryException) {
  Put(Kernel({kUnmapped}));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kHalted);
  EXPECT_EQ(fake_.faults, std::vector<uint64_t>{kUnmapped});
  EXPECT_EQ(ReadIndex(), 0u);
}

TEST_F(Aql, HaltsSilentlyWithoutAnInactiveSignal) {
  memory_->queue.queue_inactive_signal = {0};
  hsa_kernel_dispatch_packet_t packet = Kernel();
  packet.kernel_object = 0;
  Put(packet);
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kHalted);
  EXPECT_TRUE(fake_.events.empty());
}

TEST_F(Aql, WaitsForScratchMemoryAndThenRunsTheKernel) {
  hsa_kernel_dispatch_packet_t packet = Kernel(Signal(0, 1));
  packet.private_segment_size = 256;
  Put(packet);
  const Outcome outcome = ProcessWhile([&] {
    while (InactiveValue() != static_cast<int64_t>(QueueError::kScratch)) {
      std::this_thread::yield();
    }
    EXPECT_EQ(ValueOf(0), 1);
    memory_->queue.scratch_wave64_lane_byte_size = 256;
    SetValue(7, 0);
  });
  EXPECT_EQ(outcome, Outcome::kDone);
  EXPECT_EQ(fake_.dispatch_ids.size(), 1u);
  EXPECT_EQ(ValueOf(0), 0);
}

TEST_F(Aql, AsksForScratchAgainWhenItGotTooLittle) {
  hsa_kernel_dispatch_packet_t packet = Kernel(Signal(0, 1));
  packet.private_segment_size = 256;
  Put(packet);
  const Outcome outcome = ProcessWhile([&] {
    for (const uint32_t bytes : {128, 256}) {
      while (InactiveValue() == 0) std::this_thread::yield();
      memory_->queue.scratch_wave64_lane_byte_size = bytes;
      SetValue(7, 0);
    }
  });
  EXPECT_EQ(outcome, Outcome::kDone);
  EXPECT_EQ(fake_.events.size(), 2u);
}

TEST_F(Aql, HandsScratchBackThatWasLentForOneDispatch) {
  hsa_kernel_dispatch_packet_t packet = Kernel(Signal(0, 1));
  packet.private_segment_size = 256;
  Put(packet);
  const auto wait_for = [&](QueueError error) {
    while (InactiveValue() != static_cast<int64_t>(error)) std::this_thread::yield();
  };
  const Outcome outcome = ProcessWhile([&] {
    wait_for(QueueError::kScratch);
    memory_->queue.scratch_wave64_lane_byte_size = 256;
    memory_->queue.queue_properties = AMD_QUEUE_PROPERTIES_USE_SCRATCH_ONCE;
    SetValue(7, 0);
    wait_for(QueueError::kScratchIsFree);
    EXPECT_EQ(ValueOf(0), 0);  // the kernel is complete before the runtime answers
    memory_->queue.scratch_wave64_lane_byte_size = 0;
    memory_->queue.queue_properties = 0;
    SetValue(7, 0);
  });
  EXPECT_EQ(outcome, Outcome::kDone);
  EXPECT_EQ(ReadIndex(), 1u);
}

TEST_F(Aql, KeepsLentScratchForKernelsThatUseNone) {
  memory_->queue.queue_properties = AMD_QUEUE_PROPERTIES_USE_SCRATCH_ONCE;
  Put(Kernel(Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
  EXPECT_EQ(InactiveValue(), 0);
}

TEST_F(Aql, StopsWhileItWaitsForScratch) {
  hsa_kernel_dispatch_packet_t packet = Kernel();
  packet.private_segment_size = 256;
  Put(packet);
  const Outcome outcome = ProcessWhile([&] {
    while (InactiveValue() == 0) std::this_thread::yield();
    queue_.stop = true;
  });
  EXPECT_EQ(outcome, Outcome::kStopped);
}

TEST_F(Aql, HoldsABarrierAndUntilAllAreZero) {
  Put(Barrier(HSA_PACKET_TYPE_BARRIER_AND, {Signal(1, 1), Signal(2, 0), Signal(3, 1)},
              Signal(0, 1)));
  const Outcome outcome = ProcessWhile([&] {
    SetValue(3, 0);
    EXPECT_EQ(ValueOf(0), 1);
    SetValue(1, 0);
  });
  EXPECT_EQ(outcome, Outcome::kDone);
  EXPECT_EQ(ValueOf(0), 0);
}

TEST_F(Aql, HoldsABarrierAndForANegativeValue) {
  Put(Barrier(HSA_PACKET_TYPE_BARRIER_AND, {Signal(1, -1)}, Signal(0, 1)));
  EXPECT_EQ(ProcessWhile([&] { queue_.stop = true; }), Outcome::kStopped);
  EXPECT_EQ(ValueOf(0), 1);
}

TEST_F(Aql, PassesABarrierAndWithoutDependencies) {
  Put(Barrier(HSA_PACKET_TYPE_BARRIER_AND, {}, Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
  EXPECT_EQ(ValueOf(0), 0);
}

TEST_F(Aql, HoldsABarrierOrUntilOneIsZero) {
  Put(Barrier(HSA_PACKET_TYPE_BARRIER_OR, {Signal(1, 1), Signal(2, 1)}, Signal(0, 1)));
  EXPECT_EQ(ProcessWhile([&] { SetValue(2, 0); }), Outcome::kDone);
  EXPECT_EQ(ValueOf(1), 1);
  EXPECT_EQ(ValueOf(0), 0);
}

TEST_F(Aql, PassesABarrierOrWithoutDependencies) {
  Put(Barrier(HSA_PACKET_TYPE_BARRIER_OR, {}, Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
}

TEST_F(Aql, ReportsADependencyThatIsNotMapped) {
  for (const uint16_t type : {HSA_PACKET_TYPE_BARRIER_AND, HSA_PACKET_TYPE_BARRIER_OR}) {
    memory_->queue.write_dispatch_id = 0;
    Put(Barrier(type, {{kUnmapped}}));
    EXPECT_EQ(Processor().ProcessNext(), Outcome::kHalted);
  }
  EXPECT_EQ(fake_.faults.size(), 2u);
}

struct ValueCase {
  uint32_t condition;
  int64_t value;
  bool passes;
};

class BarrierOnValue : public Aql, public ::testing::WithParamInterface<ValueCase> {};

TEST_P(BarrierOnValue, ComparesTheMaskedSignalWithTheValue) {
  Put(BarrierValue(Signal(1, 0x105), GetParam().condition, GetParam().value, 0xff));
  if (!GetParam().passes) queue_.stop = true;  // it would never end
  EXPECT_EQ(Processor().ProcessNext(), GetParam().passes ? Outcome::kDone : Outcome::kStopped);
}

INSTANTIATE_TEST_SUITE_P(Aql, BarrierOnValue,
                         ::testing::Values(ValueCase{HSA_SIGNAL_CONDITION_EQ, 5, true},
                                           ValueCase{HSA_SIGNAL_CONDITION_EQ, 4, false},
                                           ValueCase{HSA_SIGNAL_CONDITION_NE, 4, true},
                                           ValueCase{HSA_SIGNAL_CONDITION_NE, 5, false},
                                           ValueCase{HSA_SIGNAL_CONDITION_LT, 6, true},
                                           ValueCase{HSA_SIGNAL_CONDITION_LT, 5, false},
                                           ValueCase{HSA_SIGNAL_CONDITION_GTE, 5, true},
                                           ValueCase{HSA_SIGNAL_CONDITION_GTE, 6, false}));

TEST_F(Aql, HoldsABarrierValueUntilTheSignalChanges) {
  Put(BarrierValue(Signal(1, 1), HSA_SIGNAL_CONDITION_EQ, 9));
  EXPECT_EQ(ProcessWhile([&] { SetValue(1, 9); }), Outcome::kDone);
}

TEST_F(Aql, PassesABarrierValueWithoutASignal) {
  Put(BarrierValue({0}, HSA_SIGNAL_CONDITION_EQ, 9));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
}

struct IndirectBuffer {
  uint16_t header = HSA_PACKET_TYPE_VENDOR_SPECIFIC;
  uint16_t format = 1;
  uint32_t pm4[4] = {0xc0023f00, 2, 3, 4};
  uint32_t dwords_left = 0xa;
  uint32_t reserved[8] = {};
  hsa_signal_t done = {0};
};

TEST_F(Aql, ExecutesAnIndirectBuffer) {
  Put(IndirectBuffer{.done = Signal(0, 1)});
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
  EXPECT_EQ(fake_.pm4, (std::vector<std::vector<uint32_t>>{{0xc0023f00, 2, 3, 4}}));
  EXPECT_EQ(ValueOf(0), 0);
}

TEST_F(Aql, ReportsAnIndirectBufferThatCannotBeExecuted) {
  fake_.pm4_result = false;
  Put(IndirectBuffer{.done = Signal(0, 1)});
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kHalted);
  EXPECT_EQ(InactiveValue(), static_cast<int64_t>(QueueError::kPacket));
  EXPECT_EQ(ValueOf(0), 1);
}

TEST_F(Aql, ReportsAVendorPacketOfAnUnknownFormat) {
  Put(IndirectBuffer{.format = 99});
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kHalted);
  EXPECT_EQ(InactiveValue(), static_cast<int64_t>(QueueError::kPacket));
}

TEST_F(Aql, GoesRoundTheRing) {
  memory_->queue.read_dispatch_id = kSlots - 2;
  memory_->queue.write_dispatch_id = kSlots - 2;
  Signal(0, 4);
  for (int i = 0; i < 4; ++i) Put(Kernel({Address(&memory_->signals[0])}));
  AqlProcessor processor = Processor();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(processor.ProcessNext(), Outcome::kDone);
  EXPECT_EQ(processor.ProcessNext(), Outcome::kNotWritten);
  EXPECT_EQ(ReadIndex(), kSlots + 2);
  EXPECT_EQ(ValueOf(0), 0);
  EXPECT_EQ(fake_.dispatch_ids, (std::vector<uint64_t>{6, 7, 8, 9}));
}

}  // namespace
}  // namespace vgpu::aql_test
