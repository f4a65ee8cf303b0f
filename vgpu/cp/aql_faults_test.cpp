// SPDX-License-Identifier: MIT
// What is asked for by fault points, and what the device's own log says of it.
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

TEST_F(AqlFaults, RaiseAPageFault) {
  Inject("page-fault:packet=0:address=0x5000");
  Put(Kernel(Signal(0, 1)));
  EXPECT_EQ(Processor().ProcessNext(), Outcome::kHalted);
  EXPECT_EQ(fake_.faults, (std::vector<uint64_t>{0x5000}));
  EXPECT_TRUE(fake_.dispatch_ids.empty());
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

TEST_F(AqlFaults, AreNotNeededForTheLog) {
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

}  // namespace
}  // namespace vgpu::aql_test
