// SPDX-License-Identifier: MIT
// Checks the traces of programs that die.
#include <csignal>

#include "selftest/bench.h"

namespace rtl::selftest {
namespace {

Result Ends(Bench& bench, const char* program, int expected_signal, const char* in_flight) {
  const Ran ran = bench.Traced(program);
  if (!ran.Fact("absent").empty() || !ran.Fact("failed").empty() || ran.timed_out || ran.ok())
    return bench.Bad(ran).value_or(Wrong("the program did not die"));
  const long finished = ran.Number("kernels");
  // rtl ends in the same way as the program, or with 128 + the signal.
  const int number = ran.signalled ? ran.code : ran.code - 128;
  if (expected_signal != 0 && number != expected_signal)
    return Wrong(
        Text("the program %s, and not by signal %d", ran.Ending().c_str(), expected_signal));
  TraceFacts trace(bench.trace());
  const long rows = trace.Kernels("add");
  if (!trace.problem().empty()) return Wrong(trace.problem());
  const bool named =
      bench.Verb({"info", "--in-flight", bench.trace()}).out.find(in_flight) != std::string::npos;
  const std::string figure = Text("%ld of %ld finished kernels; %s, which ran, is %snamed", rows,
                                  finished, in_flight, named ? "" : "not ");
  return rows == finished && named ? Right(figure) : Wrong(figure);
}

}  // namespace

Result CheckKill(Bench& bench) { return Ends(bench, "kill", SIGKILL, "rtl_selftest_long"); }
Result CheckCrash(Bench& bench) { return Ends(bench, "crash", SIGSEGV, "rtl_selftest_long"); }
Result CheckFault(Bench& bench) { return Ends(bench, "fault", 0, "rtl_selftest_fault"); }

}  // namespace rtl::selftest
