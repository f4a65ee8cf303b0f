// SPDX-License-Identifier: MIT
#include "capture/queue/ring_guard.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/support/fake_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;

class RingGuardTest : public ::testing::Test {
 protected:
  void Start(uint32_t ring_size) {
    ASSERT_TRUE(tables_.Open(hsa_.root_table()).ok());
    for (hsa_signal_t& signal : signals_) {
      signal = hsa_.CreateSignal(1);
    }
    queue_ = hsa_.CreateQueue(ring_size);
    guard_.Init(&tables_.api(), ring_size, signals_);
  }
  void Write() {
    AqlPacket checkpoint;
    const AqlPacket packet = FakeHsa::Kernel(1);
    if (guard_.Admit(1, true, &checkpoint)) {
      ++checkpoints_;
      hsa_.SubmitBatch(queue_, {checkpoint, packet});
    } else {
      hsa_.Submit(queue_, packet);
    }
  }

  FakeHsa hsa_{support::kRocm52};
  HsaTables tables_;
  hsa_signal_t signals_[RingGuard::kCheckpoints];
  hsa_queue_t* queue_ = nullptr;
  RingGuard guard_;
  uint64_t checkpoints_ = 0;
};

TEST_F(RingGuardTest, InsertsOneCheckpointForEveryEighthOfTheRing) {
  Start(1024);
  for (int i = 0; i < 800; ++i) {
    Write();
    hsa_.CompleteAll();
  }
  EXPECT_EQ(checkpoints_, 6u);  // at 128, 256 … 768 packets, the checkpoints themselves included
  EXPECT_EQ(hsa_.overflows(), 0u);
}

// The application's next action may be what lets the GPU continue.
TEST_F(RingGuardTest, FillsANewRingExceptOnePacketWithoutWaiting) {
  Start(1024);
  while (hsa_.InFlight(queue_) < 1024 - 1) {
    Write();
  }
  EXPECT_EQ(checkpoints_, RingGuard::kCheckpoints - 1);
  EXPECT_EQ(hsa_.overflows(), 0u);
}

TEST_F(RingGuardTest, FillsAStalledRingExceptOnePacket) {
  Start(1024);
  for (int lap = 0; lap < 700; ++lap) {
    Write();
    hsa_.CompleteAll();
  }
  // Packets up to the margin are written at once, later ones after a while.
  while (hsa_.InFlight(queue_) < 1024 - 128 - 1) {
    Write();
  }
  EXPECT_EQ(hsa_.overflows(), 0u);
}

TEST_F(RingGuardTest, WaitsForTheHardwareWhenTheRingIsFull) {
  Start(64);
  std::atomic<uint64_t> written{0};
  std::thread application([&] {
    for (int i = 0; i < 10'000; ++i) {
      Write();
      ++written;
    }
  });
  while (written < 10'000) {
    (void)hsa_.Complete(queue_, 3);
    std::this_thread::yield();
  }
  application.join();
  EXPECT_EQ(hsa_.overflows(), 0u);
}

TEST_F(RingGuardTest, WorksInTheSmallestRing) {
  Start(RingGuard::kMinRing);
  std::atomic<bool> done{false};
  std::thread application([&] {
    for (int i = 0; i < 2000; ++i) {
      Write();
    }
    done = true;
  });
  while (!done) {
    (void)hsa_.Complete(queue_, 1);
    std::this_thread::yield();
  }
  application.join();
  EXPECT_EQ(hsa_.overflows(), 0u);
}

TEST_F(RingGuardTest, ReturnsItsSignalsWithThoseInFlightLast) {
  Start(64);
  for (int i = 0; i < 20; ++i) {
    Write();
  }
  ASSERT_EQ(checkpoints_, 2u);
  (void)hsa_.Complete(queue_, 9);  // the first checkpoint and the packets before it
  hsa_signal_t signals[RingGuard::kCheckpoints];
  uint32_t done = 0;
  guard_.Close(signals, &done);
  EXPECT_EQ(done, RingGuard::kCheckpoints - 1);
  EXPECT_EQ(signals[RingGuard::kCheckpoints - 1].handle, signals_[1].handle);
  EXPECT_FALSE(guard_.enabled());
}

}  // namespace
}  // namespace rtl::capture
