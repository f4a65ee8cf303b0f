// SPDX-License-Identifier: MIT
#include <thread>

#include "vgpu/cp/aql_test_support.h"

namespace vgpu::aql_test {
namespace {

// Runs the processor as the queue's thread does.
class RunningAql : public Aql {
 protected:
  ~RunningAql() override { Stop(); }

  void Start() {
    thread_ = std::thread([this] { AqlProcessor(queue_, device_).Run(); });
  }
  void Stop() {
    queue_.stop = true;
    if (thread_.joinable()) thread_.join();
  }
  void AwaitReadIndex(uint64_t index) {
    while (ReadIndex() != index) std::this_thread::yield();
  }
  void AwaitEnd() { thread_.join(); }

  std::thread thread_;
};

TEST_F(RunningAql, StartsNoPacketBeforeTheDoorbellRings) {
  Put(Kernel(Signal(0, 1)));
  Put(Kernel(Signal(1, 1)));
  __atomic_store_n(&memory_->doorbell, 0, __ATOMIC_RELEASE);  // announces the first one only
  Start();
  AwaitReadIndex(1);
  Stop();
  EXPECT_EQ(ReadIndex(), 1u);
  EXPECT_EQ(ValueOf(1), 1);
}

TEST_F(RunningAql, StartsAPacketWhoseRingAnEarlierOneOverwrote) {
  for (int i = 0; i < 3; ++i) Put(Kernel());
  RingDoorbell();
  __atomic_store_n(&memory_->doorbell, 0, __ATOMIC_RELEASE);  // a late producer, before a look
  Start();
  AwaitReadIndex(3);
}

// Its producer is between the packet and the doorbell, and other layers may still change the
// packet.
TEST_F(RunningAql, StartsAPacketWrittenAfterTheLastRingOnlyWhenItsDoorbellRings) {
  Put(Kernel());
  RingDoorbell();
  Start();
  while (g_fake->doorbell_waits != 2) std::this_thread::yield();  // the second: for another ring
  Put(Kernel());
  EXPECT_EQ(ReadIndex(), 1u);
  RingDoorbell();
  AwaitReadIndex(2);
}

TEST_F(RunningAql, WaitsForAPacketThatIsAnnouncedButNotWritten) {
  Signal(0, 3);
  const hsa_signal_t done{Address(&memory_->signals[0])};
  Put(Kernel(done));
  Put(Kernel(done));
  Put(Kernel(done));
  SetHeader(1, HSA_PACKET_TYPE_INVALID);  // its producer is slow
  RingDoorbell();
  Start();
  AwaitReadIndex(1);
  SetHeader(1, HSA_PACKET_TYPE_KERNEL_DISPATCH);
  AwaitReadIndex(3);
  while (ValueOf(0) != 0) std::this_thread::yield();  // the last kernel ends after the index moves
}

TEST_F(RunningAql, TakesDoorbellsThatRingOutOfOrder) {
  for (int i = 0; i < 3; ++i) Put(Kernel());
  RingDoorbell();
  Start();
  AwaitReadIndex(3);
  __atomic_store_n(&memory_->doorbell, 1, __ATOMIC_RELEASE);  // a late producer
  Put(Kernel());
  RingDoorbell();
  AwaitReadIndex(4);
}

TEST_F(RunningAql, StartsNoPacketWhileItIsPaused) {
  fake_.kernel = [&](const DispatchRequest& request) {
    if (request.dispatch_id == 0) queue_.paused = true;
    return DispatchResult{};
  };
  Put(Kernel());
  Put(Kernel(Signal(0, 1)));
  RingDoorbell();
  Start();
  AwaitReadIndex(1);
  EXPECT_EQ(ValueOf(0), 1);
  queue_.paused = false;
  AwaitReadIndex(2);
}

TEST_F(RunningAql, StaysHaltedAfterAnError) {
  hsa_kernel_dispatch_packet_t packet = Kernel();
  packet.kernel_object = 0;
  Put(packet);
  Put(Kernel(Signal(0, 1)));
  RingDoorbell();
  Start();
  AwaitEnd();
  EXPECT_EQ(ReadIndex(), 0u);
  EXPECT_EQ(ValueOf(0), 1);
}

TEST_F(RunningAql, StopsInABarrierThatNeverOpens) {
  Put(Barrier(HSA_PACKET_TYPE_BARRIER_AND, {Signal(1, 1)}));
  RingDoorbell();
  Start();
  Stop();
  EXPECT_EQ(ReadIndex(), 0u);
}

}  // namespace
}  // namespace vgpu::aql_test
