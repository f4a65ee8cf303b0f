// SPDX-License-Identifier: MIT
// bench.h: what the checks of selftest share: facts about the machine, a folder for traces, and
// functions that run programs with and without the tracer.
//
// Threads    one
// Memory     the folder is removed by the destructor
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "selftest/run.h"
#include "selftest/selftest.h"
#include "selftest/trace_facts.h"

namespace rtl::selftest {

enum class Verdict : uint8_t { kRight, kWrong, kNotHere };

struct Result {
  Verdict verdict = Verdict::kRight;
  std::string figure;
};
inline Result Right(std::string figure) { return {Verdict::kRight, std::move(figure)}; }
inline Result Wrong(std::string figure) { return {Verdict::kWrong, std::move(figure)}; }
inline Result NotHere(std::string figure) { return {Verdict::kNotHere, std::move(figure)}; }

// printf to a string.
std::string Text(const char* format, ...) __attribute__((format(printf, 1, 2)));
// "median 3.2 us (2.9 to 4.1)".
std::string Spread(std::vector<double> values, const char* unit);
double Median(std::vector<double> values);

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options) {}
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  // Why nothing can be run. Empty: everything can.
  std::string Prepare();
  // Why so many bytes cannot be written to the folder. Empty: they can.
  std::string WhyNoRoom(long bytes) const;

  // Runs a program without the tracer.
  Ran Plain(const std::string& program, long number = 0);
  // Runs a program under `rtl trace` with these options. The trace is at trace(). If the program
  // fails, it is run without the tracer, too.
  Ran Traced(const std::string& program, const std::vector<std::string>& trace_options = {},
             long number = 0);
  // Runs another verb of rtl on the trace.
  Ran Verb(const std::vector<std::string>& words);
  // Describes how a program failed.
  static std::string Failure(const Ran& ran);
  // The result if the program did not do its task. None: it did, and the check goes on.
  std::optional<Result> Bad(const Ran& ran) const;
  // A wrong result if kernels are missing. None: submitted = recorded, and all `expected` kernels
  // are in the trace.
  std::optional<Result> Incomplete(TraceFacts* trace, const std::string& kernel, long expected);

  // ": HSA queue 0x2 is not traced: ..." if the last traced run printed such a line, or empty.
  std::string WhyUntraced() const;

  std::vector<std::string> ProgramWords(const std::string& program, long number) const;
  Variables UntracedVariables() const;
  // The environment of a program that is traced by a library of this installation, without rtl
  // trace.
  Variables ToolVariables(const std::string& library) const;
  std::string Library(const std::string& name) const;  // its path; empty: it is not installed
  const std::string& rtl() const { return rtl_; }
  std::string trace() const { return folder_ + "/trace.db"; }
  std::string FileIn(const std::string& name) const { return folder_ + "/" + name; }
  const Options& options() const { return options_; }
  bool Wants(const std::string& check) const;

  void Log(const std::vector<std::string>& words, const Ran& ran);
  // Commands, their endings and their output since the last call.
  std::string DrainLog();
  // The rows of the last trace as text, without names of files.
  std::string DescribeTrace();
  // Replaces what identifies this machine and its user.
  std::string WithoutNames(std::string text) const;

 private:
  const Options options_;
  std::string rtl_, lib_, folder_;
  std::string log_;
  std::string complaint_;  // last error of the last traced run
};

struct Check {
  const char* name;
  const char* what;
  Result (*run)(Bench& bench);
};

// The checks in the order in which they run.
const std::vector<Check>& Checks();

Result CheckStorm(Bench& bench);
Result CheckCalls(Bench& bench);
Result CheckGraph(Bench& bench);
Result CheckCopies(Bench& bench);
Result CheckRanges(Bench& bench);
Result CheckGpus(Bench& bench);
Result CheckProcesses(Bench& bench);
Result CheckFork(Bench& bench);
Result CheckOrder(Bench& bench);
Result CheckEvents(Bench& bench);
Result CheckHostClock(Bench& bench);
Result CheckDrift(Bench& bench);
Result CheckLatency(Bench& bench);
Result CheckSignals(Bench& bench);
Result CheckUnchanged(Bench& bench);
Result CheckKill(Bench& bench);
Result CheckCrash(Bench& bench);
Result CheckFault(Bench& bench);
Result CheckCounters(Bench& bench);
Result CheckSamples(Bench& bench);
Result CheckAttach(Bench& bench);
Result CheckSdk(Bench& bench);
Result CheckOverheadStorm(Bench& bench);
Result CheckOverheadWait(Bench& bench);
Result CheckOverheadGraph(Bench& bench);

}  // namespace rtl::selftest
