// SPDX-License-Identifier: MIT
// Seeded schedules of asynchronous copies around the limit of pending copies: threads that wait for
// room, one call with more copies than there is room for, and a stop in the middle.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "capture/queue/async_copies.h"
#include "tests/race/schedule.h"

namespace rtl::race {
namespace {

using capture::AsyncCopies;
using capture::CopyOperation;

constexpr EventKind kCopy = EventKind::kCopy;
constexpr int kThreads = 3;
constexpr uint64_t kMostInACall = 900;
constexpr uint64_t kEach = AsyncCopies::kCapacity / kThreads + 200;

CopyOperation ToGpu(FakeHsa* hsa) {
  CopyOperation operation = {};
  operation.completion_signal = hsa->CreateSignal(1);
  operation.dst_agent = hsa->Agent(0);
  operation.src_agent = hsa->CpuAgent();
  operation.size = 64;
  return operation;
}

// One thread's copies, one by one or many in one call.
void MakeCopies(FakeHsa* hsa, std::atomic<uint64_t>* made, uint64_t copies, uint64_t seed) {
  std::mt19937_64 dice(seed);
  while (copies != 0) {
    const uint64_t count =
        std::min<uint64_t>(copies, dice() % 4 == 0 ? Between(dice, 1, kMostInACall) : 1);
    std::vector<CopyOperation> operations;
    for (uint64_t i = 0; i < count; ++i) operations.push_back(ToGpu(hsa));
    EXPECT_EQ(hsa->CopyBatch(operations), HSA_STATUS_SUCCESS);
    made->fetch_add(count);
    copies -= count;
  }
}

void RunCopies(std::mt19937_64 dice, bool stop_early) {
  TracedHsa t(support::kRocm10);
  t.options.exit_budget_ns = stop_early ? 1'000'000 : 60'000'000'000;
  const bool lossless = dice() % 2 == 0;
  if (lossless) t.options.room_wait_ns = 60'000'000'000;
  ASSERT_TRUE(t.Install().ok());
  // Some are in flight from the beginning, so that the limit is reached.
  std::atomic<uint64_t> made{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back(MakeCopies, &t.hsa, &made, kEach, dice());
  }
  std::atomic<bool> making{true};
  const uint64_t first = Between(dice, 0, AsyncCopies::kCapacity);
  std::thread gpu([&] {
    // Threads that wait count nothing as made. So the stop begins when they stand still.
    uint64_t last = 0;
    for (int still = 0; made < first && still < 1000; still = made == last ? still + 1 : 0) {
      last = made;
      std::this_thread::yield();
    }
    while (making) {
      (void)t.hsa.CompleteCopies(1 + made % 50);
      std::this_thread::yield();
    }
  });
  if (stop_early) {
    const uint64_t moment = Between(dice, 1, kEach);
    EXPECT_TRUE(WaitUntil([&] { return made >= moment; }));
    t.capture.Stop();
  }
  for (std::thread& thread : threads) thread.join();
  making = false;
  gpu.join();
  (void)t.hsa.CompleteCopies();
  t.capture.Stop();
  // The reader of the final counters charges a call that is still in progress to kShutdown
  // (trace/collect/accounting.h).
  const uint64_t in_hand = stop_early ? kThreads * kMostInACall : 0;
  EXPECT_TRUE(WaitUntil([&] {
    return t.sink.submitted(kCopy) <= t.sink.recorded(kCopy) + t.sink.lost(kCopy) + in_hand;
  })) << t.sink.submitted(kCopy)
      << " submitted, " << t.sink.recorded(kCopy) << " recorded, " << t.sink.lost(kCopy) << " lost";
  EXPECT_GE(t.sink.submitted(kCopy), t.sink.recorded(kCopy) + t.sink.lost(kCopy));
  EXPECT_EQ(made, kThreads * kEach);
  EXPECT_LE(t.sink.submitted(kCopy), made);
  if (!stop_early) {
    EXPECT_EQ(t.sink.submitted(kCopy), made);
  }
  EXPECT_EQ(t.sink.copy_count(), t.sink.recorded(kCopy));
  std::set<uint64_t> numbers;
  for (const CopyRecord& copy : t.sink.copies()) numbers.insert(copy.copy);
  EXPECT_EQ(numbers.size(), t.sink.recorded(kCopy)) << "one copy has two records";
  EXPECT_EQ(t.hsa.bad_uses(), 0u);
}

TEST(Copies, AreRecordedOrCountedAroundTheLimit) {
  ForEachSeed([](std::mt19937_64 dice) { RunCopies(dice, false); }, 4);
}

TEST(Copies, DoNotHoldTheProgramWhenTracingStops) {
  ForEachSeed([](std::mt19937_64 dice) { RunCopies(dice, true); }, 4);
}

}  // namespace
}  // namespace rtl::race
