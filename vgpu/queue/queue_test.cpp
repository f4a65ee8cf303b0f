// SPDX-License-Identifier: MIT
#include "vgpu/queue/queue.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "vgpu/clock/clock.h"
#include "vgpu/queue/doorbell_page.h"
#include "vgpu/queue/doorbell_watch.h"

namespace vgpu {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;

// A queue that notes every doorbell value it sees.
class Waiting : public ::testing::Test {
 protected:
  Waiting() { queue_.doorbell = &doorbell_; }
  ~Waiting() override { StopQueue(queue_); }

  void Start() {
    g_this = this;
    ASSERT_TRUE(StartQueue(queue_, [](Queue& queue) { g_this->Note(queue); }));
  }
  void Note(Queue& queue) {
    uint64_t seen = 0;
    while (WaitForDoorbell(queue, seen, &seen)) last_.store(seen, std::memory_order_release);
    ended_.store(true, std::memory_order_release);
  }
  void Ring(uint64_t value) { __atomic_store_n(queue_.doorbell, value, __ATOMIC_RELEASE); }
  void Await(uint64_t value) {
    while (last_.load(std::memory_order_acquire) != value) std::this_thread::yield();
  }

  static inline Waiting* g_this = nullptr;
  uint64_t doorbell_ = 0;
  std::atomic<uint64_t> last_{0};
  std::atomic<bool> ended_{false};
  Queue queue_;
};

TEST_F(Waiting, SeesEveryRing) {
  Start();
  for (uint64_t value = 1; value <= 100; ++value) {
    Ring(value);
    Await(value);
  }
}

TEST_F(Waiting, SeesAValueThatGoesDown) {
  Start();
  Ring(5);
  Await(5);
  Ring(4);
  Await(4);
}

TEST_F(Waiting, EndsWhenItIsStopped) {
  Start();
  StopQueue(queue_);
  EXPECT_TRUE(ended_);
}

TEST_F(Waiting, SeesNoRingUntilItIsResumed) {
  queue_.paused = true;
  Ring(1);
  Start();
  EXPECT_EQ(last_, 0u);
  queue_.paused = false;
  WakeQueue(queue_);
  Await(1);
}

TEST_F(Waiting, GivesUpAPollWhenItIsStopped) {
  queue_.stop = true;
  EXPECT_FALSE(PollUntil(queue_, [] { return false; }));
  EXPECT_TRUE(PollUntil(queue_, [] { return true; }));
}

TEST_F(Waiting, ReachesATimeAndNotBefore) {
  const uint64_t until = HostRawNs() + kMillisecond;
  EXPECT_TRUE(WaitUntil(queue_, until));
  EXPECT_GE(HostRawNs(), until);
}

TEST_F(Waiting, GivesUpATimeWhenItIsStopped) {
  queue_.stop = true;
  EXPECT_FALSE(WaitUntil(queue_, HostRawNs() + 3600 * uint64_t{1000} * kMillisecond));
}

TEST(Doorbells, AreReservedOneByOneAndThenRunOut) {
  DoorbellPage page;
  ASSERT_EQ(page.Open(), 0);
  for (uint32_t i = 0; i < DoorbellPage::kSlots; ++i) ASSERT_EQ(page.Reserve(), i);
  EXPECT_EQ(page.Reserve(), std::nullopt);
  page.Release(17);
  EXPECT_EQ(page.Reserve(), 17u);
  page.CloseFile();
}

// A doorbell page as the host sees it, and queues that sleep on it.
class Parking : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(page_.Open(), 0);
    host_ = static_cast<uint64_t*>(mmap(nullptr, kDoorbellPageBytes, PROT_READ | PROT_WRITE,
                                        MAP_SHARED | MAP_POPULATE, page_.fd(), 0));
    ASSERT_NE(host_, MAP_FAILED);
    WatchDoorbells(host_, kDoorbellPageBytes, page_.Slot(0));
    Queue probe;
    probe.doorbell = page_.Slot(1000);
    if (!ParkQueue(probe, ~uint64_t{0})) GTEST_SKIP() << "the kernel offers no doorbell trap";
  }
  void TearDown() override {
    munmap(host_, kDoorbellPageBytes);
    page_.CloseFile();
  }

  DoorbellPage page_;
  uint64_t* host_ = nullptr;
};

TEST_F(Parking, ReturnsAtOnceWhenTheDoorbellHasRung) {
  Queue queue;
  queue.doorbell = page_.Slot(0);
  host_[0] = 1;
  EXPECT_TRUE(ParkQueue(queue, 0));
}

TEST_F(Parking, EndsWhenTheHostRings) {
  Queue queue;
  queue.doorbell = page_.Slot(0);
  for (uint64_t round = 0; round < 200; ++round) {
    std::thread sleeper([&] {
      while (__atomic_load_n(queue.doorbell, __ATOMIC_ACQUIRE) == round) {
        ASSERT_TRUE(ParkQueue(queue, round));
      }
    });
    __atomic_store_n(&host_[0], round + 1, __ATOMIC_RELEASE);
    sleeper.join();
  }
}

TEST_F(Parking, EndsForEachOfManyQueues) {
  constexpr uint64_t kQueues = 6;
  constexpr uint64_t kRings = 50;
  std::vector<Queue> queues(kQueues);
  std::vector<std::thread> sleepers;
  std::atomic<uint64_t> heard{0};
  for (uint64_t i = 0; i < kQueues; ++i) {
    queues[i].doorbell = page_.Slot(static_cast<uint32_t>(i));
    sleepers.emplace_back([&, i] {
      for (uint64_t seen = 0; seen != kRings; ++heard) {
        while (__atomic_load_n(queues[i].doorbell, __ATOMIC_ACQUIRE) == seen) {
          ASSERT_TRUE(ParkQueue(queues[i], seen));
        }
        ++seen;
      }
    });
  }
  for (uint64_t value = 1; value <= kRings; ++value) {
    for (uint64_t i = 0; i < kQueues; ++i) {
      __atomic_store_n(&host_[i], value, __ATOMIC_RELEASE);
      while (heard < (value - 1) * kQueues + i + 1) std::this_thread::yield();
    }
  }
  for (std::thread& sleeper : sleepers) sleeper.join();
}

// This ring faults in no page, as one that comes while the pages are open.
TEST_F(Parking, EndsWhenAnotherQueueLooks) {
  Queue queue;
  queue.doorbell = page_.Slot(3);
  std::atomic<bool> ended{false};
  std::thread sleeper([&] {
    while (__atomic_load_n(queue.doorbell, __ATOMIC_ACQUIRE) == 0) {
      ASSERT_TRUE(ParkQueue(queue, 0));
    }
    ended = true;
  });
  __atomic_store_n(page_.Slot(3), uint64_t{1}, __ATOMIC_RELEASE);
  while (!ended) {
    LookForSleepers();
    std::this_thread::yield();
  }
  sleeper.join();
}

TEST_F(Parking, EndsWhenTheQueueIsStopped) {
  Queue queue;
  queue.doorbell = page_.Slot(0);
  std::thread sleeper([&] { EXPECT_TRUE(ParkQueue(queue, 0)); });
  queue.stop = true;
  WakeQueue(queue);
  sleeper.join();
}

TEST_F(Parking, EndsForAPausedQueueWhenItIsResumedNotWhenItIsRung) {
  Queue queue;
  queue.doorbell = page_.Slot(0);
  queue.paused = true;
  std::atomic<bool> resumed{false};
  std::thread sleeper([&] {
    while (queue.paused) EXPECT_TRUE(ParkQueue(queue, 0));
    EXPECT_TRUE(resumed);
  });
  host_[0] = 1;
  resumed = true;
  queue.paused = false;
  WakeQueue(queue);
  sleeper.join();
}

TEST_F(Parking, ForgetsAPageThatTheHostUnmapped) {
  auto* second = static_cast<uint64_t*>(mmap(nullptr, kDoorbellPageBytes, PROT_READ | PROT_WRITE,
                                             MAP_SHARED | MAP_POPULATE, page_.fd(), 0));
  ASSERT_NE(second, MAP_FAILED);
  WatchDoorbells(second, kDoorbellPageBytes, page_.Slot(0));
  munmap(second, kDoorbellPageBytes);
  Queue queue;
  queue.doorbell = page_.Slot(0);
  std::thread sleeper([&] {
    while (__atomic_load_n(queue.doorbell, __ATOMIC_ACQUIRE) == 0) {
      ASSERT_TRUE(ParkQueue(queue, 0));
    }
  });
  __atomic_store_n(&host_[0], 1, __ATOMIC_RELEASE);
  sleeper.join();
}

}  // namespace
}  // namespace vgpu
