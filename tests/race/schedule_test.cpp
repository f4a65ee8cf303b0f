// SPDX-License-Identifier: MIT
// Seeded schedules: threads of the program, the worker, the collector and whoever stops it meet in
// other orders with each seed (base/sched_point.h holds them up where the tsan preset is built), and
// the rules hold whatever the order. A failure names its seed; RTL_RACE_SEED=N runs that one alone.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/sched_point.h"
#include "spool/writer.h"
#include "store/collector.h"
#include "store/store_test_support.h"
#include "tests/support/temp_dir.h"
#include "tests/support/traced_hsa.h"

namespace rtl {
namespace {

using testing::FakeHsa;
using testing::TracedHsa;
using testing::WaitUntil;

#ifdef RTL_SCHED_POINTS
constexpr uint64_t kSeeds = 100;
#else
constexpr uint64_t kSeeds = 20;  // nobody is held up: what the machine does by itself
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

uint64_t Between(std::mt19937_64& dice, uint64_t low, uint64_t high) {
  return low + dice() % (high - low + 1);
}

// What the application of a schedule counts on.
struct Application {
  std::atomic<uint64_t> submitted{0};
  std::atomic<uint64_t> unpaid{0};  // its own signals that did not get to zero
};

// One thread of it: queues that come and go, with and without signals of its own.
void RunProducer(FakeHsa* hsa, Application* application, uint64_t seed) {
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
      if (!WaitUntil([&] { return FakeHsa::Value(signal) == 0; })) application->unpaid.fetch_add(1);
      (void)hsa->DestroySignal(signal);
    }
    if (dice() % 4 == 0) continue;  // it stays to the end
    EXPECT_EQ(hsa->DestroyQueue(queue), HSA_STATUS_SUCCESS);
  }
}

// `in_hand`: how many kernels may have been between being counted and being handed to the worker when
// the exit budget ran out. Whoever reads the totals charges them to kShutdown (store/accounting.h).
void CheckCapture(const TracedHsa& t, const Application& application, uint64_t in_hand) {
  EXPECT_EQ(application.unpaid, 0u) << "the program waits for ever";
  const uint64_t accounted = t.sink.recorded() + t.sink.lost();
  EXPECT_GE(t.Seen(), accounted);
  EXPECT_LE(t.Seen(), accounted + in_hand)
      << "recorded " << t.sink.recorded() << ", lost " << t.sink.lost();
  EXPECT_LE(t.Seen(), application.submitted);
  EXPECT_EQ(t.sink.dispatch_count(), t.sink.recorded());
  std::set<uint64_t> numbers;
  for (const DispatchRecord& record : t.sink.dispatches()) {
    EXPECT_LE(record.start, record.end);
    EXPECT_TRUE(numbers.insert(record.dispatch).second) << "two records of one dispatch";
  }
  EXPECT_EQ(t.hsa.bad_uses(), 0u) << "a signal was used after it had been destroyed";
}

void RunCapture(std::mt19937_64 dice, AppSignals signals, bool stop_early) {
  TracedHsa t(testing::kRocm61, FakeHsa::Gpu::kThread);
  t.options.app_signals = signals;
  t.options.exit_budget_ns = stop_early ? Between(dice, 1, 20) * 1'000'000 : 10'000'000'000;
  ASSERT_TRUE(t.Install().ok());
  Application application;
  std::vector<std::thread> producers;
  constexpr int kProducers = 3;
  for (int i = 0; i < kProducers; ++i) {
    producers.emplace_back(RunProducer, &t.hsa, &application, dice());
  }
  if (stop_early) {
    const uint64_t moment = Between(dice, 0, 100);
    (void)WaitUntil([&] { return application.submitted >= moment; });
    t.capture.Stop();
  }
  for (std::thread& producer : producers) producer.join();
  t.capture.Stop();
  if (!stop_early) {
    EXPECT_EQ(t.Seen(), application.submitted);
    EXPECT_EQ(t.sink.loss(Loss::kShutdown), 0u);
  }
  t.capture.Unload();
  CheckCapture(t, application, stop_early ? kProducers : 0);
}

TEST(Schedules, NothingIsMissedWhileQueuesComeAndGo) {
  ForEachSeed([](std::mt19937_64 dice) { RunCapture(dice, AppSignals::kInPlace, false); });
}

TEST(Schedules, NothingIsMissedWhenSignalsAreForwarded) {
  ForEachSeed([](std::mt19937_64 dice) { RunCapture(dice, AppSignals::kForward, false); });
}

TEST(Schedules, StoppingInTheMiddleOwesNobodyAnything) {
  ForEachSeed([](std::mt19937_64 dice) {
    RunCapture(dice, dice() % 2 == 0 ? AppSignals::kInPlace : AppSignals::kForward, true);
  });
}

// A thread of the program with a marker of its own number and count in each text.
void WriteMarks(spool::Writer* writer, int thread, uint64_t marks, uint64_t* written) {
  for (uint64_t i = 0; i < marks; ++i) {
    const std::string text = std::to_string(thread) + ":" + std::to_string(i) + std::string(500, '.');
    MarkRecord record;
    record.head.type = RecordType::kMark;
    record.head.thread = static_cast<uint32_t>(thread);
    record.time = 1 + i;
    record.text_bytes = static_cast<uint32_t>(text.size());
    writer->CountSeen(EventKind::kMarker, 1);
    if (writer->Write(&record, sizeof record, text.data(), text.size())) {
      writer->CountRecorded(EventKind::kMarker, 1);
      ++*written;
    } else {
      writer->CountLoss(EventKind::kMarker, Loss::kSpoolFull, 1);
    }
  }
}

void RunSpool(std::mt19937_64 dice) {
  constexpr int kThreads = 3;
  test::TempDir dir;
  store::CollectOptions options;
  options.spool = dir.File("spool");
  options.output = dir.File("trace.db");
  options.processor_to_spare = [] { return true; };
  std::filesystem::create_directory(options.spool);
  std::filesystem::permissions(options.spool, std::filesystem::perms::owner_all);
  auto writer = std::make_unique<spool::Writer>();
  spool::WriterOptions spool_options;
  spool_options.directory = options.spool.c_str();
  spool_options.limit_bytes = 2 * spool::kSegmentBytes;  // the least: threads meet its end
  ASSERT_TRUE(writer->Open(spool_options).ok());
  store::Collector collector;
  ASSERT_TRUE(collector.Start(options).ok());

  uint64_t written[kThreads] = {};
  std::atomic<bool> producing{true};
  std::thread maintenance([&] {
    while (producing) {
      writer->Maintain();
      std::this_thread::yield();
    }
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back(WriteMarks, writer.get(), i, Between(dice, 1, 6000), &written[i]);
  }
  for (std::thread& thread : threads) thread.join();
  producing = false;
  maintenance.join();
  writer->Finish();
  store::CollectResult result;
  ASSERT_TRUE(collector.Stop({}, &result).ok());

  const store::KindTotals& marks = result.kind(EventKind::kMarker);
  EXPECT_EQ(marks.seen, marks.recorded + marks.lost());
  EXPECT_EQ(marks.loss(Loss::kTorn), 0u);
  EXPECT_EQ(marks.recorded, written[0] + written[1] + written[2]);
  // What a thread wrote comes once, and in its order.
  EXPECT_EQ(store::Ask(result.output, "SELECT count(*) FROM (SELECT start - lag(start, 1, 0) OVER"
                                      " (PARTITION BY tid ORDER BY id) AS step FROM rocpd_op)"
                                      " WHERE step < 1"),
            store::Rows{"0"});
}

TEST(Schedules, TheCollectorGetsWhatWasWrittenOnceAndInOrder) { ForEachSeed(RunSpool, 8); }

}  // namespace
}  // namespace rtl
