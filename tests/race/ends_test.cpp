// SPDX-License-Identifier: MIT
// Seeded schedules of the ways in which tracing ends: forks and shutdowns at any moment, while
// threads launch, queues come and go and markers are set.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "capture/session/session.h"
#include "spool/writer.h"
#include "tests/race/schedule.h"
#include "tests/support/memory_sink.h"
#include "tests/support/temp_dir.h"
#include "trace/collect/collector.h"
#include "trace/schema/store_test_support.h"

namespace rtl::race {
namespace {

using capture::HsaSlot;
using capture::Session;
using support::MemorySink;

constexpr unsigned kHungSeconds = 100;  // a child that takes longer is stuck in a wait
constexpr int kProducers = 3;

// Runs `child` in the child that `fork` made. Returns true in the parent when the child succeeds.
bool ChildIsWell(const std::function<pid_t()>& fork_here, const std::function<bool()>& child) {
  const pid_t pid = fork_here();
  if (pid == 0) {
    (void)alarm(kHungSeconds);  // SIGALRM ends it
    _exit(child() ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_FALSE(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) << "the child hangs";
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The calls that a program may make in a child without exec: everything passes, kernels are
// counted.
bool UseInChild(TracedHsa* t, hsa_queue_t* own, hsa_signal_t in_flight, uint64_t kernels) {
  t->capture.DisarmInChild();
  const uint64_t submitted = t->Submitted();
  const uint64_t lost = t->sink.lost();
  bool well = true;
  for (uint64_t i = 0; i < kernels; ++i) t->hsa.Submit(own, FakeHsa::Kernel(1 + i % 5));
  const hsa_signal_t copied = t->hsa.CreateSignal(1);
  well = well && t->hsa.Copy(t->hsa.Agent(0), t->hsa.CpuAgent(), 64, copied) == HSA_STATUS_SUCCESS;
  t->hsa.Store(copied, 1);
  well = well && t->hsa.DestroySignal(copied) == HSA_STATUS_SUCCESS;
  well = well && t->hsa.DestroySignal(in_flight) == HSA_STATUS_SUCCESS;
  hsa_queue_t* plain = nullptr;
  well = well && t->hsa.TryCreateQueue(64, &plain) == HSA_STATUS_SUCCESS &&
         !FakeHsa::Intercepted(plain);
  well = well && t->hsa.DestroyQueue(own) == HSA_STATUS_SUCCESS;
  t->capture.Stop();
  t->capture.Unload();
  return well && t->Submitted() == submitted + kernels && t->sink.loss(Loss::kForked) == kernels &&
         t->sink.lost() == lost + kernels;
}

[[maybe_unused]] void RunForks(std::mt19937_64 dice) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kThread);
  t.options.app_signals = dice() % 2 == 0 ? AppSignals::kInPlace : AppSignals::kForward;
  t.options.exit_budget_ns = 10'000'000'000;
  ASSERT_TRUE(t.Install().ok());
  Application application;
  std::vector<std::thread> producers;
  for (int i = 0; i < kProducers; ++i) {
    producers.emplace_back(RunProducer, &t.hsa, &application, dice());
  }
  hsa_queue_t* const own = t.hsa.CreateQueue(1024);
  const hsa_signal_t signal = t.hsa.CreateSignal(1);
  for (uint64_t forks = Between(dice, 1, 3); forks != 0; --forks) {
    const uint64_t moment = application.submitted + Between(dice, 0, 20);
    for (int i = 0; i < 100 && application.submitted < moment; ++i) std::this_thread::yield();
    FakeHsa::SetValue(signal, 1);
    t.hsa.Submit(own, FakeHsa::Kernel(1, signal));
    application.submitted.fetch_add(1);
    const uint64_t kernels = Between(dice, 0, 40);
    EXPECT_TRUE(ChildIsWell([&] { return t.hsa.Fork(own); },
                            [&] { return UseInChild(&t, own, signal, kernels); }));
    ASSERT_TRUE(WaitUntil([&] { return FakeHsa::Value(signal) == 0; }));
  }
  for (std::thread& producer : producers) producer.join();
  t.capture.Stop();
  EXPECT_EQ(t.Submitted(), application.submitted);
  EXPECT_EQ(t.sink.loss(Loss::kForked), 0u) << "the child's count is its own here";
  t.capture.Unload();
  CheckCapture(t, application, 0);
}

TEST(Ends, AForkAtAnyMomentNeverHangsAndCountsItsKernels) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the fake runtime allocates in the child, and this sanitizer's allocator does "
                  "not support that";
#else
  ForEachSeed(RunForks, kSeeds / 4);
#endif
}

// A session's output that keeps everything in memory.
class Output final : public capture::TraceOutput {
 public:
  Status Open(const Config&) override { return Status::Ok(); }
  RecordSink* sink() override { return &records; }
  capture::SubmittedSlots submitted_slots() override { return {}; }
  capture::CaptureCounters counters() override { return {}; }
  void Describe(const Facts&) override {}
  void SayRefused(const Config&, const char*) override {}
  void Maintain() override {}
  void Finish() override { ++finishes; }

  MemorySink records;
  std::atomic<int> finishes{0};
};

Status InPlace(Config* config) {
  *config = {};
  config->app_signals = AppSignals::kInPlace;
  config->exit_budget_ns = 5'000'000;
  return Status::Ok();
}

std::vector<void*> SlotsOf(const FakeHsa& hsa) {
  std::vector<void*> slots;
  for (size_t i = 0; i < capture::kHsaSlotCount; ++i) {
    slots.push_back(hsa.Slot(static_cast<HsaSlot>(i)));
  }
  return slots;
}

// Whichever thread holds the session's lock in the parent, the child never waits for it.
bool EndInChild(Session* session, Output* output, FakeHsa* hsa) {
  const int finishes = output->finishes;
  session->OnForkInChild();
  const bool off = session->sink() != &output->records && !session->OnLoad(hsa->root_table());
  session->Settle();
  session->OnUnload();
  session->Finish();
  return off && output->finishes == finishes;
}

// Exit handlers, the last hsa_shut_down and the library's destructor on threads of their own, while
// others launch, set markers and fork.
void RunEnds(std::mt19937_64 dice) {
  FakeHsa hsa(support::kRocm61, FakeHsa::Gpu::kThread);
  const std::vector<void*> before = SlotsOf(hsa);
  Output output;
  Session session(&output, InPlace);
  ASSERT_TRUE(session.OnLoad(hsa.root_table()));
  Application application;
  std::atomic<bool> marking{true};
  std::vector<std::thread> threads;
  for (int i = 0; i < kProducers; ++i) {
    threads.emplace_back(RunProducer, &hsa, &application, dice());
  }
  std::thread marker([&] {
    for (uint64_t i = 0; marking; ++i) {
      if (RecordSink* const sink = session.sink()) session.markers().Mark(sink, "here");
      std::this_thread::yield();
    }
  });
  hsa_queue_t* const own = hsa.CreateQueue(64);
  const uint64_t moment = Between(dice, 0, 60);
  (void)WaitUntil([&] { return application.submitted >= moment; });
  for (uint64_t callers = Between(dice, 1, 3); callers != 0; --callers) {
    threads.emplace_back([&] { session.Settle(); });
  }
  const bool unloads = dice() % 2 == 0;
  if (unloads) threads.emplace_back([&] { session.OnUnload(); });
  const bool finishes = dice() % 2 == 0;
  if (finishes) threads.emplace_back([&] { session.Finish(); });
  if (dice() % 2 == 0) {
    EXPECT_TRUE(ChildIsWell([&] { return hsa.Fork(own); },
                            [&] { return EndInChild(&session, &output, &hsa); }));
  }
  for (std::thread& thread : threads) thread.join();
  marking = false;
  marker.join();
  session.Finish();
  session.OnUnload();
  EXPECT_EQ(output.finishes, 1);
  EXPECT_EQ(SlotsOf(hsa), before);
  EXPECT_EQ(session.sink(), nullptr);
  EXPECT_EQ(application.pending, 0u) << "the program waits without end";
  EXPECT_EQ(hsa.bad_uses(), 0u) << "a signal was used after it had been destroyed";
  const MemorySink& records = output.records;
  const uint64_t accounted = records.recorded() + records.lost();
  EXPECT_GE(records.submitted(), accounted);
  EXPECT_LE(records.submitted(), accounted + kProducers);  // CheckCapture says why
  EXPECT_EQ(records.dispatch_count(), records.recorded());
  EXPECT_EQ(records.submitted(EventKind::kMarker),
            records.recorded(EventKind::kMarker) + records.lost(EventKind::kMarker));
}

TEST(Ends, ATraceEndsOnceWhicheverThreadEndsItFirst) { ForEachSeed(RunEnds, kSeeds / 2); }

MarkRecord Mark() {
  MarkRecord record;
  record.head.type = RecordType::kMark;
  record.head.thread = 1;
  record.time = 1;
  return record;
}

bool Write(spool::Writer* writer) {
  const MarkRecord record = Mark();
  writer->CountSubmitted(EventKind::kMarker, 1);
  const bool written = writer->Write(&record, sizeof record, nullptr, 0);
  if (written) {
    writer->CountRecorded(EventKind::kMarker, 1);
  } else {
    writer->CountLoss(EventKind::kMarker, Loss::kSpoolFull, 1);
  }
  return written;
}

// The child shares the spool's pages with the parent. It counts, and writes nothing into them.
bool WriteInChild(spool::Writer* writer) {
  const MarkRecord record = Mark();
  bool refused = true;
  for (int i = 0; i < 100; ++i) {
    refused = refused && !writer->Write(&record, sizeof record, nullptr, 0);
  }
  writer->CountSubmitted(EventKind::kMarker, 1);
  writer->CountLoss(EventKind::kMarker, Loss::kForked, 1);
  writer->Maintain();
  writer->Finish();
  return refused;
}

void RunForksOfASpool(std::mt19937_64 dice) {
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
  ASSERT_TRUE(writer->Open(spool_options).ok());
  store::Collector collector;
  ASSERT_TRUE(collector.Start(options).ok());

  std::atomic<uint64_t> written{0};
  std::atomic<bool> producing{true};
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    while (producing) {
      writer->Maintain();
      std::this_thread::yield();
    }
  });
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (; producing; std::this_thread::yield()) written += Write(writer.get()) ? 1 : 0;
    });
  }
  const uint64_t forks = Between(dice, 1, 4);
  for (uint64_t i = 0; i < forks; ++i) {
    const uint64_t moment = written + Between(dice, 1, 500);
    ASSERT_TRUE(WaitUntil([&] { return written >= moment; }));
    EXPECT_TRUE(ChildIsWell([] { return fork(); }, [&] { return WriteInChild(writer.get()); }));
  }
  producing = false;
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(Write(writer.get())) << "the parent goes on";
  ++written;
  writer->Finish();
  store::CollectResult result;
  ASSERT_TRUE(collector.Stop({}, &result).ok());

  const store::KindTotals& marks = result.kind(EventKind::kMarker);
  EXPECT_EQ(marks.submitted, marks.recorded + marks.lost());
  EXPECT_EQ(marks.recorded, written);
  EXPECT_EQ(marks.loss(Loss::kForked), forks);
  EXPECT_EQ(marks.loss(Loss::kTorn), 0u);
  EXPECT_EQ(store::Ask(result.output, "SELECT count(*) FROM rocpd_op"),
            store::Rows{std::to_string(written)});
}

TEST(Ends, AForkedChildWritesNothingIntoItsParentsSpool) { ForEachSeed(RunForksOfASpool, 8); }

}  // namespace
}  // namespace rtl::race
