// SPDX-License-Identifier: MIT
// Seeded schedules: threads of the program, the worker, the collector and the thread that stops it
// meet in another order with each seed (base/sched_point.h delays them in the tsan preset), and the
// rules hold in every order. A failure prints its seed; RTL_RACE_SEED=N runs that one alone.
#include "tests/race/schedule.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "spool/writer.h"
#include "tests/support/temp_dir.h"
#include "trace/collect/collector.h"
#include "trace/schema/store_test_support.h"

namespace rtl::race {
namespace {

void RunCapture(std::mt19937_64 dice, AppSignals signals, bool stop_early) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kThread);
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
    EXPECT_EQ(t.Submitted(), application.submitted);
    EXPECT_EQ(t.sink.loss(Loss::kShutdown), 0u);
  }
  t.capture.Unload();
  CheckCapture(t, application, stop_early ? kProducers : 0);
}

TEST(Schedules, MissNothingWhileQueuesComeAndGo) {
  ForEachSeed([](std::mt19937_64 dice) { RunCapture(dice, AppSignals::kInPlace, false); });
}

TEST(Schedules, MissNothingWhenSignalsAreForwarded) {
  ForEachSeed([](std::mt19937_64 dice) { RunCapture(dice, AppSignals::kForward, false); });
}

TEST(Schedules, LeaveNoSignalPendingWhenTracingStops) {
  ForEachSeed([](std::mt19937_64 dice) {
    RunCapture(dice, dice() % 2 == 0 ? AppSignals::kInPlace : AppSignals::kForward, true);
  });
}

// A thread of the program whose markers have its own number and count in their texts.
void WriteMarks(spool::Writer* writer, int thread, uint64_t marks, uint64_t* written) {
  for (uint64_t i = 0; i < marks; ++i) {
    const std::string text =
        std::to_string(thread) + ":" + std::to_string(i) + std::string(500, '.');
    MarkRecord record;
    record.head.type = RecordType::kMark;
    record.head.thread = static_cast<uint32_t>(thread);
    record.time = 1 + i;
    record.text_bytes = static_cast<uint32_t>(text.size());
    writer->CountSubmitted(EventKind::kMarker, 1);
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
  spool_options.limit_bytes = 2 * spool::kSegmentBytes;  // the least: threads reach its end
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
  EXPECT_EQ(marks.submitted, marks.recorded + marks.lost());
  EXPECT_EQ(marks.loss(Loss::kTorn), 0u);
  EXPECT_EQ(marks.recorded, written[0] + written[1] + written[2]);
  // A thread's records arrive once, and in its order.
  EXPECT_EQ(store::Ask(result.output,
                       "SELECT count(*) FROM (SELECT start - lag(start, 1, 0) OVER"
                       " (PARTITION BY tid ORDER BY id) AS step FROM rocpd_op)"
                       " WHERE step < 1"),
            store::Rows{"0"});
}

TEST(Schedules, TheCollectorGetsEachRecordOnceAndInOrder) { ForEachSeed(RunSpool, 8); }

}  // namespace
}  // namespace rtl::race
