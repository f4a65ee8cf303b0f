// SPDX-License-Identifier: MIT
#include "capture/signal/app_signals.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <time.h>

#include <memory>
#include <thread>
#include <vector>

#include "tests/support/fake_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;

class AppSignalTableTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(tables_.Open(hsa_.root_table()).ok());
    table_->Init(&tables_.api());
    queue_ = hsa_.CreateQueue();
  }
  Pending* Entry(hsa_signal_t signal) {
    entries_.push_back(std::make_unique<Pending>());
    entries_.back()->app_signal = signal;
    return entries_.back().get();
  }
  // A kernel with this signal runs and ends.
  void RunKernel(hsa_signal_t signal) {
    hsa_.Submit(queue_, FakeHsa::Kernel(1, signal));
    hsa_.CompleteAll();
  }

  FakeHsa hsa_;
  HsaTables tables_;
  std::unique_ptr<AppSignalTable> table_ = std::make_unique<AppSignalTable>();
  std::vector<std::unique_ptr<Pending>> entries_;
  hsa_queue_t* queue_ = nullptr;
};

TEST_F(AppSignalTableTest, WaitsUntilBothTimesHaveChanged) {
  const hsa_signal_t signal = hsa_.CreateSignal(1);
  Pending* const entry = Entry(signal);
  ASSERT_TRUE(table_->Register(entry));
  EXPECT_EQ(table_->Poll(entry), Outcome::kWaiting);
  StoreTimes(signal, {50, 0});  // the kernel has begun
  EXPECT_EQ(table_->Poll(entry), Outcome::kWaiting);
  StoreTimes(signal, {50, 60});
  EXPECT_EQ(table_->Poll(entry), Outcome::kTimed);
  EXPECT_EQ(entry->times.start, 50u);
  EXPECT_EQ(entry->times.end, 60u);
  EXPECT_EQ(FakeHsa::Value(signal), 1) << "the application's value is unchanged";
}

TEST_F(AppSignalTableTest, ReadsAKernelsTimesBeforeTheNextKernelUsesItsSignal) {
  const hsa_signal_t signal = hsa_.CreateSignal(1);
  Pending* const first = Entry(signal);
  ASSERT_TRUE(table_->Register(first));
  RunKernel(signal);
  const uint64_t end = FakeHsa::EndOf(signal);
  FakeHsa::SetValue(signal, 1);  // the application reuses the signal before it was read
  Pending* const second = Entry(signal);
  ASSERT_TRUE(table_->Register(second));
  RunKernel(signal);
  EXPECT_EQ(table_->Poll(first), Outcome::kTimed);
  EXPECT_EQ(first->times.end, end);
  EXPECT_EQ(table_->Poll(second), Outcome::kTimed);
  EXPECT_EQ(second->times.end, FakeHsa::EndOf(signal));
  EXPECT_NE(second->times.end, end);
}

TEST_F(AppSignalTableTest, RejectsASignalOfAKernelInFlight) {
  const hsa_signal_t signal = hsa_.CreateSignal(1);
  Pending* const first = Entry(signal);
  ASSERT_TRUE(table_->Register(first));
  EXPECT_FALSE(table_->Register(Entry(signal)));
  EXPECT_TRUE(table_->StillInUse(signal));
  RunKernel(signal);
  EXPECT_FALSE(table_->StillInUse(signal));
  EXPECT_EQ(table_->Poll(first), Outcome::kTimed);
}

TEST_F(AppSignalTableTest, RejectsASignalThatCountsSeveralCompletions) {
  EXPECT_FALSE(table_->Register(Entry(hsa_.CreateSignal(2))));
  EXPECT_FALSE(table_->Register(Entry(hsa_.CreateSignal(0))));
}

TEST_F(AppSignalTableTest, RejectsASignalThatIsNotAUserSignal) {
  const hsa_signal_t signal = hsa_.CreateSignal(1);
  SignalMemory(signal)->kind = AMD_SIGNAL_KIND_DOORBELL;
  EXPECT_FALSE(table_->Register(Entry(signal)));
  EXPECT_FALSE(table_->Register(Entry({signal.handle + 8})));
}

TEST_F(AppSignalTableTest, ReportsAKernelThatEndsWithoutTimes) {
  const hsa_signal_t signal = hsa_.CreateSignal(1);
  Pending* const entry = Entry(signal);
  ASSERT_TRUE(table_->Register(entry));
  hsa_.WriteTimes(false);
  RunKernel(signal);
  EXPECT_EQ(table_->Poll(entry), Outcome::kUntimed);
}

TEST_F(AppSignalTableTest, ReadsASignalBeforeItIsDestroyed) {
  const hsa_signal_t done = hsa_.CreateSignal(1);
  Pending* const ended = Entry(done);
  ASSERT_TRUE(table_->Register(ended));
  RunKernel(done);
  table_->BeforeDestroy(done);
  EXPECT_EQ(table_->Poll(ended), Outcome::kTimed);

  const hsa_signal_t early = hsa_.CreateSignal(1);
  Pending* const running = Entry(early);
  ASSERT_TRUE(table_->Register(running));
  table_->BeforeDestroy(early);
  EXPECT_EQ(table_->Poll(running), Outcome::kReused);
}

TEST_F(AppSignalTableTest, ReadsASignalBeforeOtherUses) {
  const hsa_signal_t signal = hsa_.CreateSignal(1);
  Pending* const entry = Entry(signal);
  ASSERT_TRUE(table_->Register(entry));
  RunKernel(signal);
  const uint64_t end = FakeHsa::EndOf(signal);
  table_->BeforeReuse(signal);
  StoreTimes(signal, {1, 2});  // the times of a copy
  EXPECT_EQ(table_->Poll(entry), Outcome::kTimed);
  EXPECT_EQ(entry->times.end, end);
}

// The reader is preempted while it reads. (It reads the times of a copy, because that is a call.)
TEST_F(AppSignalTableTest, WaitsForTheReaderBeforeASignalIsReused) {
  static std::atomic<bool> inside{false}, released{false};
  HsaApi api = tables_.api();
  api.amd_profiling_get_async_copy_time = [](hsa_signal_t signal,
                                             hsa_amd_profiling_async_copy_time_t* times) {
    inside = true;
    while (!released) sched_yield();
    const SignalTimes now = LoadTimes(signal);
    *times = {now.start, now.end};
    return HSA_STATUS_SUCCESS;
  };
  table_->Init(&api);
  const hsa_signal_t signal = hsa_.CreateSignal(1);
  Pending* const entry = Entry(signal);
  entry->completion = Completion::kCopy;
  ASSERT_EQ(table_->RegisterCopy(entry), AppSignalTable::Watch::kYes);
  StoreTimes(signal, {10, 20});
  FakeHsa::SetValue(signal, 0);
  std::thread reader([&] { (void)table_->Poll(entry); });
  while (!inside) std::this_thread::yield();
  std::thread scheduler([&] {
    const timespec nap = {0, 5'000'000};
    (void)nanosleep(&nap, nullptr);
    released = true;
  });
  table_->BeforeReuse(signal);
  StoreTimes(signal, {1, 2});  // the times of the next use
  reader.join();
  scheduler.join();
  EXPECT_EQ(table_->Poll(entry), Outcome::kTimed);
  EXPECT_EQ(entry->times.end, 20u);
}

TEST_F(AppSignalTableTest, ForgetsAnAbandonedEntry) {
  const hsa_signal_t signal = hsa_.CreateSignal(1);
  Pending* const entry = Entry(signal);
  ASSERT_TRUE(table_->Register(entry));
  table_->Abandon(entry);
  EXPECT_FALSE(table_->StillInUse(signal));
  EXPECT_TRUE(table_->Register(Entry(signal)));
}

TEST_F(AppSignalTableTest, HoldsThousandsOfSignalsAndRejectsWhenABucketIsFull) {
  uint32_t held = 0;
  constexpr uint32_t kSignals = 16'000;
  for (uint32_t i = 0; i < kSignals; ++i) {
    held += table_->Register(Entry(hsa_.CreateSignal(1))) ? 1 : 0;
  }
  EXPECT_GT(held, 6000u);
  EXPECT_LE(held, 8192u);
  for (const auto& entry : entries_) {
    if (entry->outcome.load() == Outcome::kWaiting) table_->Abandon(entry.get());
  }
}

// One thread uses a signal repeatedly while another polls: every use is resolved once, with the
// times of that use.
TEST_F(AppSignalTableTest, NeverMixesTimesWhenTwoThreadsPollAndReuse) {
  const hsa_signal_t signal = hsa_.CreateSignal(1);
  constexpr uint64_t kUses = 20'000;
  std::vector<Pending> entries(kUses);
  std::atomic<uint64_t> published{0};
  std::thread poller([&] {
    for (uint64_t next = 0; next < kUses;) {
      if (next < published.load(std::memory_order_acquire) &&
          table_->Poll(&entries[next]) != Outcome::kWaiting) {
        ++next;
      } else {
        std::this_thread::yield();
      }
    }
  });
  uint64_t refused = 0;
  for (uint64_t i = 0; i < kUses; ++i) {
    FakeHsa::SetValue(signal, 1);
    entries[i].app_signal = signal;
    if (!table_->Register(&entries[i])) {  // the poller holds the slot: a signal of ours is needed
      ++refused;
      entries[i].outcome.store(Outcome::kReused);
    } else {
      StoreTimes(signal, {10 * i + 1, 10 * i + 2});
    }
    FakeHsa::SetValue(signal, 0);
    published.store(i + 1, std::memory_order_release);
  }
  table_->BeforeDestroy(signal);
  poller.join();
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < kUses; ++i) {
    if (entries[i].outcome.load() != Outcome::kTimed) continue;
    wrong += entries[i].times.start != 10 * i + 1 || entries[i].times.end != 10 * i + 2 ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_LT(refused, kUses);
}

}  // namespace
}  // namespace rtl::capture
