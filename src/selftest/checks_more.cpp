// SPDX-License-Identifier: MIT
// Checks counters, samples, attaching, tools of others, programs that die, the cost of tracing, and
// that it changes no results.
#include <stdlib.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "selftest/bench.h"

namespace rtl::selftest {
namespace {

// The first line of standard error that contains the word, without advice about `rtl trace`.
std::string LineWith(const std::string& text, const std::string& word) {
  const size_t at = text.find(word);
  if (at == std::string::npos) return "";
  size_t begin = at == 0 ? 0 : text.rfind('\n', at) + 1;
  if (text.compare(begin, 5, "rtl: ") == 0) begin += 5;
  const std::string line = text.substr(begin, text.find('\n', at) - begin);
  return line.substr(0, line.find("; the program was not started"));
}

double CounterOf(TraceFacts* trace, const std::string& counter, const std::string& kernel) {
  double value = -1;
  trace->Rows(
      "SELECT c.value FROM rtl_counter c JOIN rocpd_op o ON o.sequenceId = c.dispatch AND "
      "o.process_id = c.process_id WHERE c.name = '" +
          counter + "' AND" + OfKernel(kernel),
      [&](const query::Statement& row) { value = row.Real(0); });
  return value;
}

// Reads CSV as the cells of each line.
std::vector<std::vector<std::string>> FromCsv(const std::string& text) {
  std::vector<std::vector<std::string>> rows = {{""}};
  bool quoted = false;
  for (const char letter : text) {
    if (letter == '"') {
      quoted = !quoted;
    } else if (letter == ',' && !quoted) {
      rows.back().emplace_back();
    } else if (letter == '\n' && !quoted) {
      rows.push_back({""});
    } else {
      rows.back().back() += letter;
    }
  }
  return rows;
}

// Why nothing was counted, and what to do.
std::string WhyNotCounted(const Ran& ran) {
  const std::string why = LineWith(ran.err, "count");
  if (why.find("aqlprofile") == std::string::npos) return why;
  return why + "; ROCm's package hsa-amd-aqlprofile has it, from ROCm 6.3 on";
}

}  // namespace

// Two kernels, one of which executes an exactly known number of instructions more.
Result CheckCounters(Bench& bench) {
  constexpr double kVector = 64;  // kernels.cl
  constexpr double kScalar = 32;
  const Ran ran = bench.Traced("counted", {"--pmc", "SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU"});
  if (auto bad = bench.Bad(ran)) {
    const std::string why = WhyNotCounted(ran);
    return why.empty() ? *bad : NotHere(why);
  }
  TraceFacts trace(bench.trace());
  const auto waves = static_cast<double>(ran.Number("waves"));
  const double counted = CounterOf(&trace, "SQ_WAVES", "known_more");
  const auto more = [&](const char* counter) {
    return (CounterOf(&trace, counter, "known_more") - CounterOf(&trace, counter, "known_less")) /
           waves;
  };
  const double vector = more("SQ_INSTS_VALU");
  const double scalar = more("SQ_INSTS_SALU");
  if (!trace.problem().empty()) return Wrong(trace.problem());
  if (counted < 0) {
    const std::string why = WhyNotCounted(ran);
    return why.empty() ? Wrong("no counter has a value, and no reason is given") : NotHere(why);
  }
  const std::string figure =
      Text("%.0f of %.0f waves; %.2f of 64 vector and %.2f of 32 scalar instructions more", counted,
           waves, vector, scalar);
  return counted == waves && vector == kVector && scalar == kScalar ? Right(figure) : Wrong(figure);
}

// Samples a kernel that spends its time in one line.
Result CheckSamples(Bench& bench) {
  constexpr double kShare = 0.9;
  constexpr char kHotLine[] = "1000";  // kernels.cl
  const Ran ran = bench.Traced("hot", {"--pc-sampling", "100us"});
  if (auto bad = bench.Bad(ran)) {
    const std::string why = LineWith(ran.err, "sampl");
    return why.empty() ? *bad : NotHere(why);
  }
  const Ran listed = bench.Verb({"hot", "--csv", bench.trace()});
  const std::vector<std::vector<std::string>> rows = FromCsv(listed.out);
  const auto cell = [&](const std::vector<std::string>& row, const char* column) {
    const auto at = std::find(rows[0].begin(), rows[0].end(), column) - rows[0].begin();
    return static_cast<size_t>(at) < row.size() ? row[static_cast<size_t>(at)] : "";
  };
  long all = 0;
  long hits = 0;
  for (size_t i = 1; i < rows.size(); ++i) {
    if (cell(rows[i], "Kernel").find("rtl_selftest_hot") == std::string::npos) continue;
    const long samples = atol(cell(rows[i], "Samples").c_str());
    all += samples;
    if (cell(rows[i], "Line") == kHotLine) hits += samples;
  }
  if (all == 0) {
    std::string why = LineWith(ran.err, "sampl");
    if (why.empty()) why = LineWith(listed.err, "sampl");
    return why.empty() ? Wrong("no sample, and no reason is given") : NotHere(why);
  }
  const std::string figure = Text("%ld of %ld samples in the hot line", hits, all);
  return static_cast<double>(hits) >= kShare * static_cast<double>(all) ? Right(figure)
                                                                        : Wrong(figure);
}

// Traces a running program for a while; the program then goes on.
Result CheckAttach(Bench& bench) {
  constexpr int kServed = 10;  // kernels for each line of input
  Variables variables = bench.ToolVariables(bench.Library("librtl.so"));
  variables.emplace_back("RTL_ATTACH", "1");
  const double limit = bench.options().limit;
  const std::vector<std::string> words = bench.ProgramWords("served", kServed);
  Command program(words, variables);
  int lines = 0;
  const auto serve = [&] {
    program.Write("kernels\n");
    return program.WaitFor("done ", ++lines, limit);
  };
  const auto end = [&](Result otherwise) {
    const Ran ran = program.Wait(limit);
    bench.Log(words, ran);
    return bench.Bad(ran).value_or(std::move(otherwise));
  };
  if (!program.WaitFor("ready\n", 1, limit) || !serve())
    return end(Wrong("the program did not come to its first kernels in time"));
  const std::vector<std::string> tracing = {
      bench.rtl(),    "trace", "--pid",      std::to_string(program.pid()),
      "--no-summary", "-o",    bench.trace()};
  Command tracer(tracing, {});
  const bool attached = tracer.WaitForError("attached to process", limit);
  const bool served = attached && serve() && serve();
  tracer.Interrupt();
  const Ran traced = tracer.Wait(limit);
  bench.Log(tracing, traced);
  const bool goes_on = serve();
  const Result ended = end(Right(""));
  if (ended.verdict != Verdict::kRight) return ended;
  if (!traced.ok() || !attached) return Wrong("rtl trace --pid " + traced.Ending());
  TraceFacts trace(bench.trace());
  const long rows = trace.Kernels("add");
  if (!trace.problem().empty()) return Wrong(trace.problem());
  const std::string figure = Text("%ld of %d kernels while rtl was attached", rows, 2 * kServed);
  if (!served || !goes_on || rows != 2 * kServed) return Wrong(figure);
  return Right(figure + ", and the program went on");
}

// Runs a tool that was built for rocprofiler-sdk with this project's library.
Result CheckSdk(Bench& bench) {
  const std::string library = bench.Library("librocprofiler-sdk.so.1");
  const std::string tool = bench.Library("librtl_selftest_tool.so");
  if (library.empty() || tool.empty())
    return NotHere("the part sdk of this installation is missing");
  Variables variables = bench.ToolVariables(library);
  const std::string output = bench.FileIn("tool.txt");
  variables.emplace_back("ROCP_TOOL_LIBRARIES", tool);
  variables.emplace_back("SELFTEST_TOOL_FILE", output);
  const std::vector<std::string> words = bench.ProgramWords("storm", 500);
  const Ran ran = Command(words, variables).Wait(bench.options().limit);
  bench.Log(words, ran);
  if (auto bad = bench.Bad(ran)) return *bad;
  long kernels = -1;
  long dropped = -1;
  long negative = -1;
  std::ifstream(output) >> kernels >> dropped >> negative;
  const long expected = ran.Number("kernels");
  const std::string figure = Text(
      "the tool has %ld of %ld kernels, %ld dropped, %ld end before "
      "they start",
      kernels, expected, dropped, negative);
  return kernels == expected && dropped == 0 && negative == 0 ? Right(figure) : Wrong(figure);
}

// Programs, which check their own results, give the same results with and without the tracer.
Result CheckUnchanged(Bench& bench) {
  std::string same;
  for (const char* const program : {"copies", "graph", "wait", "signals"}) {
    const Ran plain = bench.Plain(program);
    if (auto bad = bench.Bad(plain)) {
      if (bad->verdict == Verdict::kNotHere) continue;
      bad->figure = std::string(program) + " without the tracer: " + bad->figure;
      return *bad;
    }
    const Ran traced = bench.Traced(program, {"--mode", "hip"});
    if (auto bad = bench.Bad(traced)) {
      bad->figure = std::string(program) + ", only with the tracer: " + bad->figure;
      return *bad;
    }
    same += std::string(same.empty() ? " " : ", ") + program;
  }
  return same.empty() ? NotHere("no program runs here") : Right("the same results:" + same);
}

namespace {

// A program that dies.
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

Result Overhead(Bench& bench, const char* program, long number, const char* of) {
  constexpr int kPairs = 5;
  std::vector<double> plain;
  std::vector<double> traced;
  for (int i = 0; i < kPairs; ++i) {
    for (const bool is_traced : {i % 2 == 1, i % 2 == 0}) {
      const Ran ran = is_traced ? bench.Traced(program, {}, number) : bench.Plain(program, number);
      if (auto bad = bench.Bad(ran)) {
        bad->figure = (is_traced ? "with the tracer: " : "without the tracer: ") + bad->figure;
        return *bad;
      }
      (is_traced ? traced : plain).push_back(atof(ran.Fact("ns").c_str()) / 1e3);
    }
  }
  return Right(std::string(of) + ": " + Spread(plain, "us") + ", traced " + Spread(traced, "us"));
}

}  // namespace

Result CheckKill(Bench& bench) { return Ends(bench, "kill", SIGKILL, "rtl_selftest_long"); }
Result CheckCrash(Bench& bench) { return Ends(bench, "crash", SIGSEGV, "rtl_selftest_long"); }
Result CheckFault(Bench& bench) { return Ends(bench, "fault", 0, "rtl_selftest_fault"); }

Result CheckOverheadStorm(Bench& bench) {
  return Overhead(bench, "storm", 2000, "a kernel of a storm");
}
Result CheckOverheadWait(Bench& bench) {
  return Overhead(bench, "wait", 500, "a launch and its wait");
}
Result CheckOverheadGraph(Bench& bench) {
  return Overhead(bench, "graph", 100, "a kernel of a graph");
}

}  // namespace rtl::selftest
