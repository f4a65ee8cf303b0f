// SPDX-License-Identifier: MIT
#include "capture/hip/hip_calls.h"

#include <gtest/gtest.h>
#include <string.h>
#include <sys/resource.h>

#include <latch>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/thread_state.h"
#include "capture/roctx/pause.h"
#include "tests/support/memory_sink.h"

namespace rtl::capture {
namespace {

// A sanitizer needs memory of its own at any time.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryCanBeRefused = false;
#else
constexpr bool kMemoryCanBeRefused = true;
#endif

// kInCells: SetUp makes a first call, which prepares all that a plain call needs
// (HipCalls::IsPlain).
enum class Count : uint8_t { kShared, kInCells };

class HipCallsTest : public ::testing::TestWithParam<Count> {
 protected:
  void SetUp() override {
    const bool cells = GetParam() == Count::kInCells;
    calls_.Record({&sink_, &submitted_, &clock_, true, nullptr, cells ? cells_ : nullptr});
    if (!cells) return;
    for (uint64_t now; !clock_.TryNowNs(&now);) clock_.Update();
    Exit(Enter("hipInit"));
    before_ = 1;
    ASSERT_NE(OpenCall::Calls()->cell, nullptr);
  }
  // Without the call of SetUp.
  std::vector<support::MemorySink::Call> Calls() const {
    auto calls = sink_.calls();
    calls.erase(calls.begin(), calls.begin() + before_);
    return calls;
  }
  uint64_t Submitted() const {
    uint64_t submitted = submitted_ - static_cast<uint64_t>(before_);
    for (const CallCell& cell : cells_) submitted += cell.Counted(EventKind::kHipCall);
    return submitted;
  }

  const CallLayout* Layout(const char* name) { return FindCall(layout_, name); }
  // `depth`: the depth of the wrapper on the stack.
  ThreadCalls* Enter(const char* name, int depth = 0, CallMethod method = CallMethod::kPreload) {
    return calls_.Enter(method, stack_ + sizeof stack_ - 1 - depth, Layout(name)->number,
                        Layout(name));
  }
  void Exit(ThreadCalls* open, int32_t result = 0) {
    calls_.Exit(open, {layout_.steps, data_}, result, true);
  }

  const HipLayout& layout_ = *FindHipLayout(5, 2);
  support::MemorySink sink_;
  std::atomic<uint64_t> submitted_{0};
  CallCell cells_[kCallCells];
  std::ptrdiff_t before_ = 0;
  FastClock clock_;
  HipCalls calls_;
  alignas(8) uint8_t data_[1024] = {};
  const char stack_[64] = {};
};

TEST_P(HipCallsTest, CountsACallOfAFunctionThatIsNotDescribed) {
  calls_.CountUndescribed();
  ThreadCalls* const open = Enter("hipInit");
  calls_.CountUndescribed();  // HIP makes this call itself, inside hipInit
  Exit(open);
  EXPECT_EQ(Submitted(), 2u);
  EXPECT_EQ(Calls().size(), 1u);
  EXPECT_EQ(sink_.loss(Loss::kUndescribed, EventKind::kHipCall), 1u);
  calls_.Disarm();
  calls_.CountUndescribed();
  EXPECT_EQ(Submitted(), 2u);
}

TEST_P(HipCallsTest, OpensTheTraceAtTheFirstCallAndCountsInTheChildOfAFork) {
  HipCalls later;
  static HipCalls* opened;
  static HipCalls::Trace trace;
  static int opens;
  opened = &later;
  trace = {&sink_, &submitted_, nullptr};
  opens = 0;
  const auto open = [](void*) {
    ++opens;
    opened->Record(trace);
  };
  later.Await({open, nullptr, true, false});
  EXPECT_TRUE(later.Records(Layout("hipInit")));
  EXPECT_EQ(submitted_, 0u);
  const auto call = [&] {
    ThreadCalls* const calls =
        later.Enter(CallMethod::kTable, stack_, Layout("hipInit")->number, Layout("hipInit"));
    if (calls != nullptr) later.Exit(calls, {layout_.steps, data_}, 0, true);
  };
  call();
  call();
  EXPECT_EQ(opens, 1);
  EXPECT_EQ(submitted_, 2u);
  EXPECT_EQ(Calls().size(), 2u);
  later.CountForked();
  call();
  EXPECT_EQ(submitted_, 3u);
  EXPECT_EQ(sink_.loss(Loss::kForked, EventKind::kHipCall), 1u);
  EXPECT_EQ(Calls().size(), 2u);
  later.ForgetTrace();
  call();
  EXPECT_EQ(submitted_, 3u);
}

TEST_P(HipCallsTest, RecordsACallWithItsTimesAndArguments) {
  const int device = 3;
  memcpy(data_ + 16, &device, sizeof device);
  const uint64_t before = BootTimeNs();
  ThreadCalls* const open = Enter("hipSetDevice");
  ASSERT_NE(open, nullptr);
  EXPECT_EQ(OpenCall::Recorded(), before_ + 1u);
  Exit(open, 101);
  EXPECT_EQ(OpenCall::Recorded(), 0u);
  const auto calls = Calls();
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].record.api, Layout("hipSetDevice")->number);
  EXPECT_EQ(calls[0].record.correlation, before_ + 1u);
  EXPECT_EQ(calls[0].record.result, 101);
  EXPECT_EQ(calls[0].record.head.thread, ThreadId::Current());
  EXPECT_GE(calls[0].record.start, before);
  EXPECT_GE(calls[0].record.end, calls[0].record.start);
  EXPECT_LE(calls[0].record.end, BootTimeNs());
  ASSERT_EQ(calls[0].payload.size(), 8u);
  EXPECT_EQ(calls[0].payload[0], 3);
  EXPECT_EQ(Submitted(), 1u);
}

TEST_P(HipCallsTest, RecordsACallOnceThatTwoMethodsSee) {
  ThreadCalls* const outer = Enter("hipMalloc");
  ASSERT_NE(outer, nullptr);
  EXPECT_EQ(Enter("hipMalloc", 0, CallMethod::kTracer), nullptr);
  EXPECT_EQ(Enter("hipSetDevice", 5), nullptr) << "HIP's own call";
  Exit(outer);
  EXPECT_EQ(Calls().size(), 1u);
  EXPECT_EQ(Submitted(), 1u);
}

// A longjmp out of a callback abandons a call: the next call is no deeper than the open one.
TEST_P(HipCallsTest, CountsAnAbandonedCallAndRecordsTheNext) {
  ASSERT_NE(Enter("hipMalloc", 5), nullptr);
  EXPECT_EQ(Enter("hipSetDevice", 6), nullptr);
  ThreadCalls* const same_place = Enter("hipMalloc", 5);
  ASSERT_NE(same_place, nullptr);
  ThreadCalls* const further_out = Enter("hipSetDevice", 2);
  ASSERT_NE(further_out, nullptr);
  Exit(further_out);
  EXPECT_EQ(Calls().size(), 1u);
  EXPECT_EQ(Submitted(), 3u);
  EXPECT_EQ(sink_.loss(Loss::kAbandoned, EventKind::kHipCall), 2u);
}

TEST_P(HipCallsTest, KnowsALaunchUntilItsPacketIsReserved) {
  for (const char* const name :
       {"hipModuleLaunchKernel", "hipLaunchKernel", "hipExtLaunchKernel"}) {
    ThreadCalls* open = Enter(name);
    EXPECT_TRUE(OpenCall::Launching()) << name;
    OpenCall::NoteReserved(1);
    EXPECT_FALSE(OpenCall::Launching()) << name;
    OpenCall::NoteBarrier(open->recorded + 1);
    EXPECT_FALSE(OpenCall::Launching()) << name << ": another call's barrier";
    OpenCall::NoteBarrier(open->recorded);
    EXPECT_TRUE(OpenCall::Launching()) << name;
    OpenCall::NoteReserved(1);
    EXPECT_FALSE(OpenCall::Launching()) << name;
    Exit(open);
    open = Enter(name);
    Exit(open);  // the launch has failed
    EXPECT_FALSE(OpenCall::Launching()) << name;
  }
  for (const char* const name : {"hipStreamSynchronize", "hipGraphLaunch", "hipMemcpyAsync"}) {
    ThreadCalls* const open = Enter(name);
    EXPECT_FALSE(OpenCall::Launching()) << name;
    Exit(open);
  }
}

TEST_P(HipCallsTest, IgnoresTheTracersOwnCalls) {
  const ReentryGuard guard;
  EXPECT_EQ(Enter("hipMalloc"), nullptr);
  EXPECT_EQ(Submitted(), 0u);
}

TEST_P(HipCallsTest, FinishesOpenCallsAndBeginsNoneAfterDisarm) {
  ThreadCalls* const open = Enter("hipMalloc");
  calls_.Disarm();
  Exit(open);
  EXPECT_EQ(Calls().size(), 1u);
  EXPECT_EQ(Enter("hipMalloc"), nullptr);
  EXPECT_EQ(Submitted(), 1u);
}

// Open calls read where their records go.
TEST_P(HipCallsTest, ASecondTraceDoesNotReplaceTheFirst) {
  support::MemorySink other;
  std::atomic<uint64_t> other_submitted{0};
  ThreadCalls* const open = Enter("hipMalloc");
  calls_.Record({&other, &other_submitted, &clock_});
  Exit(open);
  Exit(Enter("hipMalloc"));
  EXPECT_EQ(Calls().size(), 2u);
  EXPECT_EQ(Submitted(), 2u);
  EXPECT_EQ(other.calls().size(), 0u);
  EXPECT_EQ(other_submitted, 0u);
}

TEST_P(HipCallsTest, CountsRefusedRecords) {
  sink_.SetFull(true);
  Exit(Enter("hipMalloc"));
  EXPECT_EQ(sink_.loss(Loss::kSpoolFull, EventKind::kHipCall), 1u);
  EXPECT_EQ(Submitted(), 1u);
}

TEST_P(HipCallsTest, RecordsACallWithAnUnknownNumber) {
  calls_.Exit(calls_.Enter(CallMethod::kTracer, stack_, kFirstUnknownApi + 9, nullptr),
              {layout_.steps, data_}, 0, false);
  const auto calls = Calls();
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].record.api, kFirstUnknownApi + 9);
  EXPECT_EQ(calls[0].record.flags, kApiFlagNoResult);
  EXPECT_TRUE(calls[0].payload.empty());
}

TEST_P(HipCallsTest, GivesEveryCallOfEveryThreadItsOwnId) {
  constexpr int kThreads = 40;  // threads that run one after the other share blocks
  constexpr int kCalls = 100;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kCalls; ++i) Exit(Enter("hipSetDevice"));
    });
    if (t % 4 == 3) threads[static_cast<size_t>(t)].join();
  }
  for (std::thread& thread : threads) {
    if (thread.joinable()) thread.join();
  }
  std::set<uint64_t> ids;
  std::set<uint32_t> tids;
  for (const auto& call : Calls()) {
    ids.insert(call.record.correlation);
    tids.insert(call.record.head.thread);
  }
  EXPECT_EQ(ids.size(), size_t{kThreads * kCalls});
  EXPECT_EQ(Submitted(), uint64_t{kThreads * kCalls});
  if (GetParam() == Count::kShared) {
    EXPECT_EQ(*ids.rbegin(), uint64_t{kThreads * kCalls});
  }
  EXPECT_GE(tids.size(), 4u);
}

TEST_P(HipCallsTest, NamesACallWithoutMemory) {
  if (!kMemoryCanBeRefused) GTEST_SKIP() << "not under a sanitizer";
  constexpr int kThreads = 64;  // more than the remaining blocks of one mapping
  std::latch ready(kThreads), begin(1), entered(kThreads), leave(1);
  std::atomic<uint64_t> refused{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      ready.count_down();
      begin.wait();
      if (Enter("hipSetDevice") == nullptr) ++refused;
      entered.count_down();
      leave.wait();
    });
  }
  ready.wait();
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit none = {0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &none), 0);
  begin.count_down();
  entered.wait();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  leave.count_down();
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(refused, 0u);
  EXPECT_EQ(sink_.loss(Loss::kNoMemory, EventKind::kHipCall), refused);
  EXPECT_EQ(Submitted(), uint64_t{kThreads}) << "submitted, recorded or not";
}

TEST_P(HipCallsTest, CountsACallThatBeginsInAPauseOnceAndDoesNotRecordIt) {
  ASSERT_TRUE(Pause::Begin(Pause::kAllThreads));
  ThreadCalls* const open = Enter("hipMalloc");
  ASSERT_NE(open, nullptr);
  EXPECT_EQ(Enter("hipGetDevice", 8), nullptr) << "a call that HIP makes";
  Pause::End(Pause::kAllThreads);
  Exit(open);
  Exit(Enter("hipFree"));
  EXPECT_EQ(Calls().size(), 1u);
  EXPECT_EQ(Submitted(), 2u);
  EXPECT_EQ(sink_.loss(Loss::kPaused, EventKind::kHipCall), 1u);
}

// Threads with a cell take several ids at once.
TEST_P(HipCallsTest, GivesAThreadIdsInTheOrderOfItsCalls) {
  for (int i = 0; i < 300; ++i) Exit(Enter("hipFree"));
  const auto calls = Calls();
  ASSERT_EQ(calls.size(), 300u);
  for (size_t i = 1; i < calls.size(); ++i)
    EXPECT_LT(calls[i - 1].record.correlation, calls[i].record.correlation);
  EXPECT_EQ(Submitted(), 300u);
  EXPECT_EQ(submitted_, GetParam() == Count::kShared ? 300u : 0u);
}

// A stopped trace gets no further call.
TEST_P(HipCallsTest, EndsPlainCallsWithTheTrace) {
  Exit(Enter("hipFree"));
  calls_.StopRecording();
  EXPECT_EQ(Enter("hipFree"), nullptr);
  EXPECT_EQ(Calls().size(), 1u);
  EXPECT_EQ(Submitted(), 1u);
}

TEST_P(HipCallsTest, CountsInTheCellsOfTheTraceThatFollows) {
  Exit(Enter("hipFree"));
  calls_.StopRecording();
  support::MemorySink other;
  std::atomic<uint64_t> other_submitted{0};
  CallCell other_cells[kCallCells];
  calls_.Record({&other, &other_submitted, &clock_, true, nullptr, other_cells});
  for (int i = 0; i < 3; ++i) Exit(Enter("hipFree"));
  EXPECT_EQ(Submitted(), 1u);
  EXPECT_EQ(other.calls().size(), 3u);
  EXPECT_EQ(other_cells[OpenCall::Calls()->index].Counted(EventKind::kHipCall), 3u);
  EXPECT_EQ(other_submitted, 0u);
}

INSTANTIATE_TEST_SUITE_P(Counts, HipCallsTest, ::testing::Values(Count::kShared, Count::kInCells),
                         [](const auto& count) {
                           return count.param == Count::kShared ? "Shared" : "InCells";
                         });

}  // namespace
}  // namespace rtl::capture
