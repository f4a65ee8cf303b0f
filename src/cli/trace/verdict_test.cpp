// SPDX-License-Identifier: MIT
#include "cli/trace/verdict.h"

#include <gtest/gtest.h>

namespace rtl::cli {
namespace {

// A program with one process, which used the GPU.
class VerdictTest : public testing::Test {
 protected:
  VerdictTest() {
    options_.command = {"/bin/prog"};
    result_.processes.resize(1);
    result_.processes[0].runtime = "HSA 1.1";
    result_.processes[0].end = store::ProcessEnd::kFinished;
  }
  store::KindTotals& kind(EventKind kind) { return result_.kinds[static_cast<size_t>(kind)]; }
  void Submit(uint64_t submitted, uint64_t recorded) {
    kind(EventKind::kKernel).submitted = submitted;
    kind(EventKind::kKernel).recorded = recorded;
  }
  void Lose(Loss why, uint64_t events) {
    kind(EventKind::kKernel).losses[static_cast<size_t>(why)] = events;
  }
  Verdict Judge(int exit_code = 0, bool some_untraced = false) {
    return cli::Judge(options_, result_, some_untraced, exit_code);
  }
  void Expect(const Verdict& verdict, int exit_code, const std::string& sentence) {
    EXPECT_EQ(verdict.exit_code, exit_code);
    const std::vector<std::string> none, one = {sentence};
    EXPECT_EQ(verdict.sentences, sentence.empty() ? none : one);
  }

  TraceOptions options_;
  store::CollectResult result_;
};

TEST_F(VerdictTest, IsTheProgramsOwnWhenKernelsAreRecorded) {
  Submit(10, 1);
  Expect(Judge(), 0, "");
  Expect(Judge(3), 3, "");
}

TEST_F(VerdictTest, ATraceWithoutAnyKernelNamesTheMainCause) {
  Submit(10, 0);
  Lose(Loss::kBacklog, 3);
  Lose(Loss::kBatch, 7);
  const std::string sentence = "none of the kernels is in the trace; most were lost because: " +
                               std::string(LossText(Loss::kBatch));
  Expect(Judge(), kExitFailed, sentence);
  Expect(Judge(3), 3, sentence);
}

TEST_F(VerdictTest, TooSmallAShareFails) {
  Submit(1000, 899);
  options_.min_coverage = 89.9;
  Expect(Judge(), 0, "");
  options_.min_coverage = 90;
  Expect(Judge(), kExitFailed, "89.90 % of the kernels are in the trace; 90 % are required");
}

TEST_F(VerdictTest, AShareIsNotKnownWhereAProcessIsNotTraced) {
  Submit(10, 10);
  Expect(Judge(0, true), 0, "");
  options_.min_coverage = 50;
  Expect(Judge(0, true), kExitFailed,
         "the share of the kernels that are in the trace is not known");
}

TEST_F(VerdictTest, AShareIsNotKnownWhereAProcessGoesOnOrDidNotFindTheSpool) {
  Submit(10, 10);
  options_.min_coverage = 50;
  Expect(Judge(), 0, "");
  const std::string sentence = "the share of the kernels that are in the trace is not known";
  result_.spool_lost = true;
  Expect(Judge(), kExitFailed, sentence);
  result_.spool_lost = false;
  result_.processes[0].end = store::ProcessEnd::kAbandoned;
  Expect(Judge(), kExitFailed, sentence);
  result_.processes[0].runtime = "";  // it uses no GPU
  Expect(Judge(), 0, "");
  result_.warnings = {"a second HSA runtime in this process is not traced"};
  Expect(Judge(), kExitFailed, sentence);
  options_.min_coverage.reset();
  Expect(Judge(), 0, "");
}

TEST_F(VerdictTest, AProgramThatDoesNotResumeRecordingSucceeds) {
  Submit(1000, 0);
  Lose(Loss::kPaused, 1000);
  Expect(Judge(), 0,
         "the program paused recording (roctxProfilerPause), which left out all 1,000 kernels");
  options_.paused = true;
  const std::string sentence =
      "the program did not resume recording (roctxProfilerResume) for any kernel: --paused left "
      "out all 1,000 kernels";
  Expect(Judge(), 0, sentence);
  Expect(Judge(3), 3, sentence);
  options_.min_coverage = 1;
  Expect(Judge(), kExitFailed, "0.00 % of the kernels are in the trace; 1 % are required");
}

TEST_F(VerdictTest, AnOptionThatSelectsNothingFails) {
  Submit(1, 0);
  Lose(Loss::kPaused, 1);
  options_.paused = true;
  options_.choice.gpu = 7;
  Expect(Judge(), kExitFailed, "--gpu left out the only kernel of the program");
  options_.choice.kernel = "none";
  options_.delay_ns = 1;
  Expect(Judge(), kExitFailed,
         "--kernel, --gpu and --delay left out the only kernel of the program");
}

TEST_F(VerdictTest, AProgramWithoutKernelsSucceeds) {
  Expect(Judge(), 0, "no kernels were submitted by /bin/prog");
  options_.events = "markers";
  kind(EventKind::kMarker).submitted = 1;
  Expect(Judge(), 0, "");
}

TEST_F(VerdictTest, ARefusalIsNamedUnlessAnotherProcessWasTraced) {
  result_.processes[0].runtime = "";
  result_.processes[0].refusal = "it has another GPU driver";
  Expect(Judge(), kExitFailed, "/bin/prog was not traced: it has another GPU driver");
  kind(EventKind::kHipCall).submitted = 1;
  Expect(Judge(), kExitFailed,
         "the kernels of /bin/prog were not traced: it has another GPU driver");
  result_.processes.emplace_back().runtime = "HSA 1.1";
  EXPECT_EQ(RefusalOf(result_), "");
  Submit(1, 1);
  Expect(Judge(), 0, "");
}

}  // namespace
}  // namespace rtl::cli
