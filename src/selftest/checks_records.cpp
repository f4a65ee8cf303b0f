// SPDX-License-Identifier: MIT
// Checks that every kernel, copy, range and call of known programs is recorded.
#include "selftest/bench.h"

namespace rtl::selftest {
namespace {

// Traces a program that prints how many kernels it launches. All have the same name.
Result AllKernels(Bench& bench, const char* program, const char* kernel, const char* of) {
  const Ran ran = bench.Traced(program);
  if (auto bad = bench.Bad(ran)) return *bad;
  TraceFacts trace(bench.trace());
  const long expected = ran.Number("kernels");
  if (auto incomplete = bench.Incomplete(&trace, kernel, expected)) return *incomplete;
  return Right(Text("%ld of %ld kernels %s", expected, expected, of));
}

}  // namespace

Result CheckStorm(Bench& bench) { return AllKernels(bench, "storm", "count", "of four threads"); }

Result CheckGraph(Bench& bench) { return AllKernels(bench, "graph", "add", "of a replayed graph"); }

Result CheckProcesses(Bench& bench) {
  return AllKernels(bench, "processes", "add", "of three processes");
}

Result CheckFork(Bench& bench) {
  return AllKernels(bench, "fork", "add", "of a program and three forked children");
}

// Compares launches by HIP call and by kernel.
Result CheckCalls(Bench& bench) {
  const Ran ran = bench.Traced("wait", {"--mode", "hip"});
  if (auto bad = bench.Bad(ran)) return *bad;
  TraceFacts trace(bench.trace());
  const long expected = ran.Number("kernels");
  if (auto incomplete = bench.Incomplete(&trace, "add", expected)) return *incomplete;
  const std::string name =
      "apiName_id = (SELECT id FROM rocpd_string WHERE string = 'hipModuleLaunchKernel')";
  const long calls = trace.Number("SELECT count(*) FROM rocpd_api WHERE " + name);
  const long linked = trace.Number(
      "SELECT count(*) FROM rocpd_op o JOIN rocpd_api a ON a.correlation_id = o.correlation_id "
      "AND a.process_id = o.process_id WHERE a." +
      name + " AND " + OfKernel("add"));
  if (!trace.problem().empty()) return Wrong(trace.problem());
  if (calls == 0 && trace.Number("SELECT count(*) FROM rocpd_api") == 0) {
    const std::string why =
        trace.Text("SELECT value FROM rocpd_metadata WHERE tag = 'not_counted.hip_calls'");
    return why.empty() ? Wrong("no HIP call was recorded, and no reason is given") : NotHere(why);
  }
  if (calls != expected || linked != expected)
    return Wrong(
        Text("%ld of %ld launch calls, %ld of them with their kernels", calls, expected, linked));
  return Right(Text("%ld of %ld launch calls, each with its kernel", calls, expected));
}

namespace {

// The program makes each copy and kernel wait for the one before. If the clocks of kernels and copy
// engines differ, their times overlap. Returns the error; empty: there is none.
std::string Overlaps(TraceFacts* trace, long bytes) {
  constexpr long long kTranslation = 50'000;  // ns: error of the runtime's translation of GPU times
  struct Step {
    long long kind, start, end;  // 0 a kernel, 2 to the GPU, 3 from it
  };
  std::vector<Step> steps;
  trace->Rows(
      "SELECT coalesce(c.kind, 0), o.start, o.end FROM rocpd_op o LEFT JOIN rtl_copy c ON "
      "c.op_id = o.id WHERE c.bytes >= " +
          std::to_string(bytes) + " OR" + OfKernel("add") + "ORDER BY o.start",
      [&](const query::Statement& row) {
        steps.push_back({row.Int(0), row.Int(1), row.Int(2)});
      });
  for (size_t i = 0; i < steps.size(); ++i) {
    constexpr long long kOrder[] = {2, 0, 3};
    const char* const kNames[] = {"a copy to the GPU", "a kernel", "a copy from the GPU"};
    if (steps[i].kind != kOrder[i % 3])
      return std::string(kNames[i % 3]) + " is out of order: its times are of another clock";
    const long long early = i == 0 ? 0 : steps[i - 1].end - steps[i].start;
    if (early > kTranslation)
      return Text("%s starts %.1f us before the end of what it waits for", kNames[i % 3],
                  static_cast<double>(early) / 1e3);
  }
  return "";
}

}  // namespace

Result CheckCopies(Bench& bench) {
  const Ran ran = bench.Traced("copies");
  if (auto bad = bench.Bad(ran)) return *bad;
  TraceFacts trace(bench.trace());
  const long copies = ran.Number("copies");
  const long bytes = ran.Number("bytes");
  const long submitted = trace.Submitted("copies");
  const long recorded = trace.Recorded("copies");
  std::string figure;
  bool by_engines = true;
  for (const int kind : {2, 3}) {  // host to device, device to host
    const long sum = trace.Number(
        Text("SELECT total(bytes) FROM rtl_copy WHERE kind = %d AND bytes >= %ld", kind, bytes));
    // If a runtime copies with kernels of its own, these are kernels in the trace.
    const long by_kernels = trace.Number(
        "SELECT count(*) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id "
        "WHERE s.string LIKE '__amd_rocclr_copyBuffer%'");
    if (!trace.problem().empty()) return Wrong(trace.problem());
    const char* const direction = kind == 2 ? "to the GPU" : "from it";
    if (sum == copies * bytes) {
      figure += Text("%s%ld MB %s", figure.empty() ? "" : ", ", sum >> 20, direction);
    } else if (by_kernels >= copies) {
      by_engines = false;
      figure += Text("%s%s by kernels of the runtime", figure.empty() ? "" : ", ", direction);
    } else {
      return Wrong(Text("%ld of %ld bytes %s", sum, copies * bytes, direction));
    }
  }
  if (submitted != recorded)
    return Wrong(Text("%ld copies submitted, %ld recorded; lost: %s", submitted, recorded,
                      trace.Losses("copies").c_str()));
  if (const auto incomplete = bench.Incomplete(&trace, "add", copies)) return *incomplete;
  if (const std::string why = by_engines ? Overlaps(&trace, bytes) : ""; !why.empty())
    return Wrong(figure + "; " + why);
  return Right(figure + (by_engines ? ", in order with kernels" : ""));
}

Result CheckRanges(Bench& bench) {
  const Ran ran = bench.Traced("ranges");
  if (auto bad = bench.Bad(ran)) return *bad;
  TraceFacts trace(bench.trace());
  const long expected = ran.Number("ranges");
  const auto markers = [&](const char* text) {
    return trace.Number(
        "SELECT count(*) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id "
        "WHERE s.string = '" +
        std::string(text) + "' AND o.gpuId = -1");
  };
  const long ranges = markers("rtl_selftest_range");
  const long marks = markers("rtl_selftest_mark");
  if (auto incomplete = bench.Incomplete(&trace, "add", expected)) return *incomplete;
  if (ranges != expected || marks != expected)
    return Wrong(Text("%ld ranges and %ld marks of %ld each", ranges, marks, expected));
  return Right(Text("%ld ranges and %ld marks of %ld each", ranges, marks, expected));
}

// The program launches a different number of kernels on each GPU.
Result CheckGpus(Bench& bench) {
  const Ran ran = bench.Traced("gpus");
  if (auto bad = bench.Bad(ran)) return *bad;
  TraceFacts trace(bench.trace());
  const long gpus = ran.Number("gpus");
  std::string figure = "kernels of each GPU:";
  long next = 0;
  bool right = true;
  trace.Rows("SELECT gpuId, count(*) FROM rocpd_op o WHERE" + OfKernel("add") +
                 "GROUP BY gpuId ORDER BY count(*)",
             [&](const query::Statement& row) {
               figure += Text(" %ld", static_cast<long>(row.Int(1)));
               right = right && row.Int(1) == 10 * ++next;
             });
  if (!trace.problem().empty()) return Wrong(trace.problem());
  if (right && next == gpus) return Right(figure);
  return Wrong(figure + bench.WhyUntraced());
}

}  // namespace rtl::selftest
