// SPDX-License-Identifier: MIT
#include "capture/session/session.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "tests/support/fake_hsa.h"
#include "tests/support/session_parties.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using rtl::support::FakeHsa;
using State = Lifecycle::State;

Config next_config;
std::string config_problem;

Status ReadConfig(Config* out) {
  *out = next_config;
  return config_problem.empty() ? Status::Ok() : Status::Error("%s", config_problem.c_str());
}

Session* session_while_opening = nullptr;

class SessionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    next_config = {};
    config_problem.clear();
  }
  void TearDown() override {
    session_.OnUnload();
    session_.Finish();
  }

  // Acts as the application: one kernel on one queue, from creation to destruction.
  void RunAKernel() {
    hsa_queue_t* queue = hsa_.CreateQueue();
    hsa_.Submit(queue, FakeHsa::Kernel(0x1000));
    EXPECT_EQ(hsa_.Complete(queue, 1), 1u);
    EXPECT_EQ(hsa_.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  }
  std::vector<void*> Slots() const {
    std::vector<void*> slots;
    for (size_t i = 0; i < kHsaSlotCount; ++i) slots.push_back(hsa_.Slot(static_cast<HsaSlot>(i)));
    return slots;
  }

  FakeHsa hsa_;
  MemoryOutput output_;
  Session session_{&output_, ReadConfig};
};

TEST_F(SessionTest, OpensTheTraceAtTheFirstMarker) {
  EXPECT_EQ(output_.opens, 0);
  EXPECT_EQ(session_.sink(), &output_.records);
  EXPECT_EQ(session_.state(), State::kOpen);
  EXPECT_EQ(session_.sink(), &output_.records);
  EXPECT_EQ(output_.opens, 1);
}

TEST_F(SessionTest, OpensTheTraceOnceForConcurrentThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { EXPECT_EQ(session_.sink(), &output_.records); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(output_.opens, 1);
}

TEST_F(SessionTest, IgnoresAMarkerFromInsideTheOpening) {
  session_while_opening = &session_;
  output_.while_opening = [] { EXPECT_EQ(session_while_opening->sink(), nullptr); };
  EXPECT_EQ(session_.sink(), &output_.records);
}

TEST_F(SessionTest, StaysOffWhenDisabled) {
  next_config.disabled = true;
  ::testing::internal::CaptureStderr();
  const std::vector<void*> before = Slots();
  EXPECT_EQ(session_.sink(), nullptr);
  EXPECT_FALSE(session_.OnLoad(hsa_.root_table()));
  EXPECT_EQ(Slots(), before);
  EXPECT_EQ(output_.opens, 0);
  EXPECT_EQ(session_.state(), State::kOff);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(SessionTest, RejectsAModeThatWouldBreakTheRuntime) {
  next_config.mode = Mode::kFull;
  next_config.queue_method = QueueMethod::kIntercept;
  FakeHsa hsa(support::kRocm72);
  void* const create = hsa.Slot(HsaSlot::queue_create);
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(session_.OnLoad(hsa.root_table()));
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(
      said.find("rtl: GPU kernels are not traced in process " + std::to_string(getpid()) +
                ": full mode is refused with RTL_QUEUE_METHOD=intercept: this HSA runtime's "),
      0u)
      << said;
  EXPECT_NE(said.find("RTL_FORCE_FULL=1\n"), std::string::npos) << said;
  EXPECT_EQ(hsa.Slot(HsaSlot::queue_create), create);
  EXPECT_EQ(session_.state(), State::kOpen);
}

TEST_F(SessionTest, RecordsThatSuchAModeWasForced) {
  next_config.mode = Mode::kFull;
  next_config.queue_method = QueueMethod::kIntercept;
  next_config.force_full = true;
  FakeHsa hsa(rtl::support::kRocm72);
  EXPECT_TRUE(session_.OnLoad(hsa.root_table()));
  EXPECT_EQ(output_.mode, "full");
  EXPECT_EQ(output_.mode_reason.find("forced: "), 0u) << output_.mode_reason;
  hsa_queue_t* const queue = hsa.CreateQueue();
  EXPECT_TRUE(FakeHsa::Intercepted(queue));
  hsa.SubmitBatch(queue, {FakeHsa::Kernel(1), FakeHsa::Kernel(2), FakeHsa::Kernel(3)});
  EXPECT_EQ(hsa.Complete(queue, 3), 3u);
  EXPECT_EQ(hsa.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  session_.OnUnload();
  EXPECT_EQ(output_.records.recorded(), 3u);
}

TEST_F(SessionTest, TracesARuntimeOnceThatRegistersBothWays) {
  EXPECT_TRUE(session_.OnLoad(hsa_.root_table(), Session::LoadedBy::kRegister));
  const std::vector<void*> hooked = Slots();
  EXPECT_TRUE(session_.OnLoad(hsa_.root_table(), Session::LoadedBy::kToolsLib));
  EXPECT_EQ(Slots(), hooked);
  EXPECT_EQ(output_.loaded_by, "rocprofiler-register");
  EXPECT_EQ(output_.records.warnings(), std::vector<std::string>{});
}

TEST_F(SessionTest, ReleasesARegisteredRuntimeAtItsLastShutDownAndHooksItAgain) {
  const std::vector<void*> before = Slots();
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(session_.OnLoad(hsa_.root_table(), Session::LoadedBy::kRegister));
    EXPECT_EQ(hsa_.Init(), HSA_STATUS_SUCCESS);
    EXPECT_EQ(hsa_.ShutDown(), HSA_STATUS_SUCCESS);
    EXPECT_EQ(session_.state(), State::kTracing);
    EXPECT_EQ(hsa_.ShutDown(), HSA_STATUS_SUCCESS);
    EXPECT_EQ(session_.state(), State::kOpen);
    EXPECT_EQ(Slots(), before);
    EXPECT_EQ(hsa_.Init(), HSA_STATUS_SUCCESS);  // as the runtime does before it registers
  }
}

TEST_F(SessionTest, ReportsAConfigurationProblemInOneLineAndInTheTrace) {
  config_problem = "RTL_X=y is not understood; ignored";
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(session_.sink(), &output_.records);
  EXPECT_EQ(session_.sink(), &output_.records);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "rtl: " + config_problem + "\n");
  EXPECT_EQ(output_.records.warnings(), std::vector<std::string>{config_problem});
}

TEST_F(SessionTest, DoesNotPrintAProblemTwiceUnderALauncher) {
  config_problem = "RTL_X=y is not understood; ignored";
  snprintf(next_config.spool, sizeof next_config.spool, "/spool");
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(session_.sink(), &output_.records);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(output_.records.warnings(), std::vector<std::string>{config_problem});
}

TEST_F(SessionTest, PrintsAProblemThatTheTraceHasNoRoomForUnderALauncher) {
  config_problem = "RTL_X=y is not understood; ignored";
  snprintf(next_config.spool, sizeof next_config.spool, "/spool");
  output_.records.SetFull(true);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(session_.sink(), &output_.records);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "rtl: " + config_problem + "\n");
}

TEST_F(SessionTest, ReportsAnUnusableOutputInOneLineAndTracesNothing) {
  output_.refuse = true;
  ::testing::internal::CaptureStderr();
  const std::vector<void*> before = Slots();
  EXPECT_FALSE(session_.OnLoad(hsa_.root_table()));
  EXPECT_EQ(session_.sink(), nullptr);
  EXPECT_EQ(Slots(), before);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "rtl: tracing is off in process " + std::to_string(getpid()) + ": no space\n");
  EXPECT_EQ(output_.opens, 1);
}

TEST_F(SessionTest, RecordsFromOnLoadToOnUnload) {
  ::testing::internal::CaptureStderr();
  const std::vector<void*> before = Slots();
  EXPECT_TRUE(session_.OnLoad(hsa_.root_table()));
  EXPECT_EQ(session_.state(), State::kTracing);
  EXPECT_EQ(output_.loaded_by, "HSA_TOOLS_LIB");
  EXPECT_NE(output_.runtime.find("tables 3.0"), std::string::npos) << output_.runtime;
  EXPECT_EQ(output_.mode, "full");
  EXPECT_EQ(output_.mode_reason, "this runtime hands over one packet at a time");
  RunAKernel();
  EXPECT_TRUE(support::WaitUntil([&] { return output_.upkeeps > 0; }));
  session_.OnUnload();
  EXPECT_EQ(session_.state(), State::kOpen);
  EXPECT_EQ(Slots(), before);
  EXPECT_EQ(output_.records.submitted(), 1u);
  EXPECT_EQ(output_.records.recorded(), 1u);
  EXPECT_EQ(output_.records.dispatch_count(), 1u);
  EXPECT_EQ(hsa_.live_signals(), 0u);
  session_.Finish();
  EXPECT_EQ(output_.finishes, 1);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(SessionTest, KeepsTheApplicationsSignalsAsConfigured) {
  for (const AppSignals how : {AppSignals::kInPlace, AppSignals::kForward}) {
    next_config.app_signals = how;
    FakeHsa hsa;
    hsa.KeepHistory(true);
    MemoryOutput output;
    Session session(&output, ReadConfig);
    ASSERT_TRUE(session.OnLoad(hsa.root_table()));
    hsa_queue_t* const queue = hsa.CreateQueue();
    const hsa_signal_t own = hsa.CreateSignal(1);
    hsa.Submit(queue, FakeHsa::Kernel(1, own));
    EXPECT_EQ(hsa.History(queue).at(0).dispatch.completion_signal.handle == own.handle,
              how == AppSignals::kInPlace);
    EXPECT_EQ(hsa.Complete(queue, 1), 1u);
    session.OnUnload();
    EXPECT_EQ(output.records.recorded(), 1u);
    session.Finish();
  }
}

TEST_F(SessionTest, WaitsForKernelsInFlightAsLongAsConfigured) {
  next_config.exit_budget_ns = 600'000'000'000;
  ASSERT_TRUE(session_.OnLoad(hsa_.root_table()));
  hsa_queue_t* const queue = hsa_.CreateQueue();
  hsa_.Submit(queue, FakeHsa::Kernel(1));
  std::atomic<bool> stopped{false};
  std::thread stopping([&] {
    session_.Settle();
    stopped = true;
  });
  // Three times the default budget.
  const uint64_t until = BootTimeNs() + 3 * Config().exit_budget_ns;
  while (BootTimeNs() < until && !stopped) std::this_thread::yield();
  EXPECT_FALSE(stopped);
  EXPECT_EQ(hsa_.Complete(queue, 1), 1u);
  stopping.join();
  session_.OnUnload();
  EXPECT_EQ(output_.records.recorded(), 1u);
  EXPECT_EQ(output_.records.lost(), 0u);
}

TEST_F(SessionTest, HooksARuntimeThatIsLoadedSeveralTimes) {
  for (uint64_t cycle = 1; cycle <= 3; ++cycle) {
    EXPECT_TRUE(session_.OnLoad(hsa_.root_table()));
    RunAKernel();
    session_.OnUnload();
    EXPECT_EQ(output_.records.recorded(), cycle);
  }
  EXPECT_EQ(output_.opens, 1);
  EXPECT_EQ(output_.records.submitted(), output_.records.recorded() + output_.records.lost());
}

TEST_F(SessionTest, RecordsAfterItsExitHandler) {
  EXPECT_TRUE(session_.OnLoad(hsa_.root_table()));
  RunAKernel();
  session_.Settle();
  session_.Settle();
  EXPECT_EQ(session_.state(), State::kTracing);
  RunAKernel();
  session_.OnUnload();
  session_.OnUnload();
  EXPECT_EQ(output_.records.recorded(), 2u);
  EXPECT_EQ(output_.records.lost(), 0u);
  session_.Finish();
  session_.Finish();
  EXPECT_EQ(output_.finishes, 1);
}

TEST_F(SessionTest, CountsKernelsWithoutRoomForRecords) {
  output_.counts_only = true;
  output_.records.SetFull(true);
  EXPECT_TRUE(session_.OnLoad(hsa_.root_table()));
  RunAKernel();
  session_.OnUnload();
  EXPECT_EQ(output_.records.submitted(), 1u);
  EXPECT_EQ(output_.records.loss(Loss::kSpoolFull), 1u);
}

TEST_F(SessionTest, CountsKernelsAfterTheEnd) {
  output_.takes_more = true;
  EXPECT_TRUE(session_.OnLoad(hsa_.root_table()));
  hsa_queue_t* const queue = hsa_.CreateQueue();
  session_.Finish();
  EXPECT_EQ(session_.sink(), &output_.records) << "markers are still recorded";
  hsa_.Submit(queue, FakeHsa::Kernel(0x1000));
  EXPECT_EQ(output_.records.submitted(), 1u);
  EXPECT_EQ(output_.records.loss(Loss::kShutdown), 1u);
  EXPECT_EQ(hsa_.Complete(queue, 1), 1u);
}

TEST_F(SessionTest, AllowsTheRuntimeToUnloadAfterTheTraceIsFinished) {
  const std::vector<void*> before = Slots();
  EXPECT_TRUE(session_.OnLoad(hsa_.root_table()));
  RunAKernel();
  session_.Finish();
  EXPECT_EQ(session_.state(), State::kFinished);
  EXPECT_EQ(session_.sink(), nullptr);
  session_.OnUnload();
  EXPECT_EQ(Slots(), before);
  EXPECT_EQ(hsa_.live_signals(), 0u);
  EXPECT_FALSE(session_.OnLoad(hsa_.root_table()));
  EXPECT_EQ(Slots(), before);
}

TEST_F(SessionTest, RestoresEveryPointerAndReportsOnceWhenInstallFails) {
  const std::vector<void*> before = Slots();
  hsa_.FailAll(HsaSlot::signal_create);
  hsa_.FailAll(HsaSlot::amd_signal_create);
  hsa_.FailAll(HsaSlot::iterate_agents);
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(session_.OnLoad(hsa_.root_table()));
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("rtl: GPU kernels are not traced in process "), 0u) << said;
  EXPECT_EQ(said.find('\n'), said.size() - 1);
  EXPECT_EQ(Slots(), before);
  EXPECT_EQ(output_.records.warnings().size(), 1u);
  EXPECT_EQ(session_.sink(), &output_.records) << "markers are still recorded";
  RunAKernel();
  EXPECT_EQ(output_.records.submitted(), 0u);
}

TEST_F(SessionTest, RejectsASecondRuntimeAndIgnoresItsEnd) {
  EXPECT_TRUE(session_.OnLoad(hsa_.root_table()));
  ::testing::internal::CaptureStderr();
  char other_table[64] = {};
  EXPECT_FALSE(session_.OnLoad(other_table));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "rtl: a second HSA runtime in this process is not traced\n");
  session_.OnUnload();
  EXPECT_EQ(session_.state(), State::kTracing);
  RunAKernel();
  session_.OnUnload();
  EXPECT_EQ(session_.state(), State::kOpen);
  EXPECT_EQ(output_.records.recorded(), 1u);
}

TEST_F(SessionTest, DoesNotTraceTheChildOfAFork) {
  EXPECT_TRUE(session_.OnLoad(hsa_.root_table()));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    session_.OnForkInChild();
    bool ok = session_.state() == State::kForked;
    RecordSink* const sink = session_.sink();
    sink->CountLoss(EventKind::kMarker, Loss::kSpoolFull, 1);
    ok = ok && !sink->Write(nullptr, 0, nullptr, 0) &&
         output_.records.loss(Loss::kForked, EventKind::kMarker) == 1;
    hsa_queue_t* queue = nullptr;
    ok = ok && hsa_.TryCreateQueue(1024, &queue) == HSA_STATUS_SUCCESS;
    session_.Settle();
    session_.OnUnload();
    session_.Finish();
    _exit(ok && output_.finishes == 0 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  RunAKernel();
  session_.OnUnload();
  EXPECT_EQ(output_.records.recorded(), 1u);
}

// The parent has used no runtime. With `marked` the parent has already used the sink.
TEST_F(SessionTest, TracesTheChildOfAForkBeforeTheFirstRuntime) {
  for (const bool marked : {false, true}) {
    if (marked) {
      EXPECT_EQ(session_.sink(), &output_.records);
    }
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      session_.OnForkInChild();
      bool ok = session_.state() == State::kNew;
      ok = ok && session_.OnLoad(hsa_.root_table());
      RunAKernel();
      session_.OnUnload();
      ok = ok && output_.opens == (marked ? 2 : 1) && output_.records.recorded() == 1;
      _exit(ok ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << marked;
  }
}

// The session's lock is held by a thread that the child does not have.
TEST_F(SessionTest, TracesTheChildOfAForkWhileTheTraceIsBeingOpened) {
  session_while_opening = &session_;
  output_.while_opening = [] {
    std::thread([] {
      const pid_t child = fork();
      if (child == 0) {
        session_while_opening->OnForkInChild();
        _exit(session_while_opening->state() == State::kNew ? 0 : 1);
      }
      int status = -1;
      EXPECT_EQ(waitpid(child, &status, 0), child);
      EXPECT_EQ(status, 0);
    }).join();
  };
  EXPECT_EQ(session_.sink(), &output_.records);
}

TEST_F(SessionTest, DoesNotOpenTheTraceForTablesThatAreRegistered) {
  next_config.mode = Mode::kHip;
  session_.NoteTables("hip", 71400, 0);
  EXPECT_EQ(session_.state(), State::kNew);
  EXPECT_EQ(output_.opens, 0);
}

TEST_F(SessionTest, TellsTheReaderWhyThereIsNoTrace) {
  next_config.disabled = true;
  config_problem = "RTL_MODE=x is not in this version";
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(session_.OnLoad(hsa_.root_table()));
  (void)::testing::internal::GetCapturedStderr();  // other tests check the line
  EXPECT_EQ(output_.refusal, "RTL_MODE=x is not in this version");
}

}  // namespace
}  // namespace rtl::capture
