// SPDX-License-Identifier: MIT
// Faults that fault points request, and what the device's own log records of them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "vgpu/cp/aql_test_support.h"

namespace vgpu::aql_test {
namespace {

class AqlFaults : public Aql {
 protected:
  void Inject(const char* text) {
    std::vector<FaultPoint> plan;
    std::string why;
    ASSERT_TRUE(ParseFaultPlan(text, &plan, &why)) << why;
    injector_ = std::make_unique<FaultInjector>(plan);
    device_.faults = injector_.get();
  }

  std::unique_ptr<FaultInjector> injector_;
};

TEST_F(AqlFaults, AnswerOnePacketWithAnError) {
  Inject("queue-error:packet=1:bits=64");
  Put(Kernel(Signal(0, 1)));
  Put(Kernel(Signal(1, 1)));
  AqlProcessor processor = Processor();
  EXPECT_EQ(processor.ProcessNext(), Outcome::kDone);
  EXPECT_EQ(processor.ProcessNext(), Outcome::kHalted);
  EXPECT_EQ(InactiveValue(), 64);
  EXPECT_EQ(ValueOf(0), 0);
  EXPECT_EQ(ValueOf(1), 1);
}

TEST_F(AqlFaults, ReachARuntimeThatTakesExceptions) {
  fake_.takes_exceptions = true;
  Inject("queue-error:packet=1:bits=64");
  Put(Kernel(Signal(0, 1)));
  Put(Kernel(Signal(1, 1)));
  AqlProcessor processor = Processor();
  EXPECT_EQ(processor.ProcessNext(), Outcome::kDone);
  EXPECT_EQ(processor.ProcessNext(), Outcome::kHalted);
  EXPECT_EQ(fake_.exceptions, (std::vector<uint32_t>{21}));
  EXPECT_EQ(InactiveValue(), 64);  // the firmware's word is there as before
}

TEST_F(AqlFaults, FromWavesReachTheRuntimeThroughTheDriverOnly) {
  fake_.takes_exceptions = true;
  fake_.kernel = [](const DispatchRequest&) {
    DispatchResult result;
    result.code = DispatchResult::Code::kIllegalInstruction;
    return result;
  };
  Put(Kernel(Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kHalted);
  EXPECT_EQ(fake_.exceptions, (std::vector<uint32_t>{4}));
  EXPECT_EQ(InactiveValue(), 0);
}

TEST_F(AqlFaults, RaiseAPageFault) {
  Inject("page-fault:packet=0:address=0x5000");
  Put(Kernel(Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kHalted);
  EXPECT_EQ(fake_.faults, (std::vector<uint64_t>{0x5000}));
  EXPECT_TRUE(fake_.dispatch_ids.empty());
}

TEST_F(AqlFaults, MakeTheTimesOfOnePacketLate) {
  Inject("clock:packet=1:us=1");
  memory_->queue.queue_properties = AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
  Put(Kernel(Signal(0, 1)));
  Put(Kernel(Signal(1, 1)));
  AqlProcessor processor = Processor();
  EXPECT_EQ(processor.ProcessNext(), Outcome::kDone);
  EXPECT_EQ(processor.ProcessNext(), Outcome::kDone);
  EXPECT_GE(memory_->signals[1].start_ts, memory_->signals[0].start_ts + 100);
  EXPECT_EQ(injector_->count(FaultKind::kClock), 1u);
}

TEST_F(AqlFaults, LoseACompletionOrItsTimes) {
  Inject("lost:packet=0,untimed:packet=1");
  memory_->queue.queue_properties = AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
  Put(Kernel(Signal(0, 1)));
  Put(Kernel(Signal(1, 1)));
  AqlProcessor processor = Processor();
  EXPECT_EQ(processor.ProcessNext(), Outcome::kDone);
  EXPECT_EQ(processor.ProcessNext(), Outcome::kDone);
  EXPECT_EQ(ValueOf(0), 1);  // it ran, and nothing says so
  EXPECT_EQ(ValueOf(1), 0);
  EXPECT_EQ(memory_->signals[1].end_ts, 0u);
  EXPECT_EQ(fake_.dispatch_ids.size(), 2u);
}

TEST_F(AqlFaults, CompleteLateWithTheTimesOfTheKernel) {
  Inject("delay:us=2000");
  memory_->queue.queue_properties = AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
  device_.dispatch_ns = 100;
  Put(Kernel(Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
  EXPECT_EQ(memory_->signals[0].start_ts, 100u);  // the fake clock: ten nanoseconds a tick
  EXPECT_EQ(memory_->signals[0].end_ts, 110u);
  EXPECT_EQ(injector_->count(FaultKind::kDelay), 1u);
}

TEST_F(AqlFaults, StopWhileAPacketIsHeld) {
  Inject("stall:us=60000000");
  Put(Kernel(Signal(0, 1)));
  queue_.stop = true;
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kStopped);
  EXPECT_EQ(ValueOf(0), 1);
}

TEST_F(AqlFaults, DoNotHaveToBePlannedForTheLogToRecordPackets) {
  const std::string path = ::testing::TempDir() + "aql_log." + std::to_string(getpid());
  CompletionLog log;
  ASSERT_EQ(log.Open(path, 1, 4), 0);
  device_.completions = &log;
  device_.dispatch_ns = 100;
  Put(Kernel(Signal(0, 1)));
  Put(Kernel());
  AqlProcessor processor = Processor();
  EXPECT_EQ(processor.ProcessNext(), Outcome::kDone);
  EXPECT_EQ(processor.ProcessNext(), Outcome::kDone);
  std::ifstream file(path, std::ios::binary);
  CompletionHeader header{};
  CompletionEntry entries[2]{};
  file.read(reinterpret_cast<char*>(&header), sizeof(header));
  file.read(reinterpret_cast<char*>(entries), sizeof(entries));
  std::remove(path.c_str());
  EXPECT_EQ(header.count, 2u);
  EXPECT_EQ(entries[0].signal, Address(&memory_->signals[0]));
  EXPECT_EQ(entries[0].packet_type, HSA_PACKET_TYPE_KERNEL_DISPATCH);
  EXPECT_EQ(entries[0].start_ticks, 100u);
  EXPECT_EQ(entries[0].end_ticks, 110u);
  EXPECT_EQ(entries[0].completed_ns, 1100u);
  EXPECT_EQ(entries[1].packet, 1u);
  EXPECT_EQ(entries[1].signal, 0u);
}

// For a device whose clock is a function without data.
struct LogCheck {
  std::string path;
  const amd_signal_t* signal = nullptr;
  int looks = 0;  // after the signal's decrement
  int missing = 0;
};
LogCheck* g_check = nullptr;

// The process may die between any two steps of the device. A reader that learns from the signal
// that the packet has ended must find the packet in the log.
TEST_F(AqlFaults, FindEachPacketInTheLogBeforeItsSignalChanges) {
  LogCheck check;
  check.path = ::testing::TempDir() + "aql_check." + std::to_string(getpid());
  const hsa_signal_t signal = Signal(0, 1);
  check.signal = &memory_->signals[0];
  g_check = &check;
  CompletionLog log;
  ASSERT_EQ(log.Open(check.path, 1, 4), 0);
  device_.completions = &log;
  device_.now = [] {
    if (__atomic_load_n(&g_check->signal->value, __ATOMIC_ACQUIRE) == 0) {
      CompletionHeader header{};
      CompletionEntry entry{};
      std::ifstream file(g_check->path, std::ios::binary);
      file.read(reinterpret_cast<char*>(&header), sizeof(header));
      file.read(reinterpret_cast<char*>(&entry), sizeof(entry));
      ++g_check->looks;
      g_check->missing += header.count != 1 || entry.number != 1 || entry.completed_ns != 0;
    }
    return g_fake->now;
  };
  Put(Kernel(signal));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kDone);
  std::remove(check.path.c_str());
  EXPECT_EQ(check.looks, 1);
  EXPECT_EQ(check.missing, 0);
}

}  // namespace
}  // namespace vgpu::aql_test
