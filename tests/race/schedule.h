// SPDX-License-Identifier: MIT
// schedule.h: the parts of seeded schedules: a run per seed, an application of several threads on a
// fake runtime, and the rules that must hold afterwards.
//
// Threads    as each function says
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/sched_point.h"
#include "tests/support/traced_hsa.h"

namespace rtl::race {

using support::FakeHsa;
using support::TracedHsa;
using support::WaitUntil;

#ifdef RTL_SCHED_POINTS
inline constexpr uint64_t kSeeds = 100;
#else
inline constexpr uint64_t kSeeds = 20;  // no thread is delayed: the machine alone decides the order
#endif

template <typename Run>
void ForEachSeed(Run run, uint64_t seeds = kSeeds) {
  const char* only = getenv("RTL_RACE_SEED");
  const uint64_t first = only == nullptr ? 1 : strtoull(only, nullptr, 10);
  const uint64_t last = only == nullptr ? seeds : first;
  for (uint64_t seed = first; seed <= last && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("RTL_RACE_SEED=" + std::to_string(seed));
    SetSchedule(seed);
    run(std::mt19937_64(seed));
    SetSchedule(0);
  }
}

inline uint64_t Between(std::mt19937_64& dice, uint64_t low, uint64_t high) {
  return low + dice() % (high - low + 1);
}

// The counts of a schedule's application.
struct Application {
  std::atomic<uint64_t> submitted{0};
  std::atomic<uint64_t> pending{0};  // its own signals that did not reach zero
};

// One thread of the application: queues that come and go, with and without signals of their own.
inline void RunProducer(FakeHsa* hsa, Application* application, uint64_t seed) {
  std::mt19937_64 dice(seed);
  const uint64_t queues = Between(dice, 1, 3);
  for (uint64_t q = 0; q < queues; ++q) {
    hsa_queue_t* const queue = hsa->CreateQueue(64);
    const uint64_t kernels = Between(dice, 1, 60);
    std::vector<hsa_signal_t> own;
    for (uint64_t i = 0; i < kernels; ++i) {
      hsa_signal_t signal = {};
      if (dice() % 3 == 0) own.push_back(signal = hsa->CreateSignal(1));
      if (dice() % 8 == 0) hsa->Submit(queue, FakeHsa::Barrier());
      hsa->Submit(queue, FakeHsa::Kernel(1 + dice() % 5, signal));
      application->submitted.fetch_add(1);
    }
    for (const hsa_signal_t signal : own) {
      if (!WaitUntil([&] { return FakeHsa::Value(signal) == 0; }))
        application->pending.fetch_add(1);
      (void)hsa->DestroySignal(signal);
    }
    if (dice() % 4 == 0) continue;  // it stays to the end
    EXPECT_EQ(hsa->DestroyQueue(queue), HSA_STATUS_SUCCESS);
  }
}

// `in_hand`: the number of kernels that may have been counted but not yet queued for the worker
// when the exit budget ran out. The reader of the totals charges them to kShutdown
// (trace/collect/accounting.h).
inline void CheckCapture(const TracedHsa& t, const Application& application, uint64_t in_hand) {
  EXPECT_EQ(application.pending, 0u) << "the program waits without end";
  const uint64_t accounted = t.sink.recorded() + t.sink.lost();
  EXPECT_GE(t.Submitted(), accounted);
  EXPECT_LE(t.Submitted(), accounted + in_hand)
      << "recorded " << t.sink.recorded() << ", lost " << t.sink.lost();
  EXPECT_LE(t.Submitted(), application.submitted);
  EXPECT_EQ(t.sink.dispatch_count(), t.sink.recorded());
  std::set<uint64_t> numbers;
  for (const DispatchRecord& record : t.sink.dispatches()) {
    EXPECT_LE(record.start, record.end);
    EXPECT_TRUE(numbers.insert(record.dispatch).second) << "one dispatch has two records";
  }
  EXPECT_EQ(t.hsa.bad_uses(), 0u) << "a signal was used after it had been destroyed";
}

}  // namespace rtl::race
