// SPDX-License-Identifier: MIT
#include <malloc.h>

#include <string>
#include <vector>

#include "cli/base/launch.h"
#include "cli/base/print.h"
#include "cli/base/table.h"
#include "cli/base/verbs.h"
#include "cli/parser.h"
#include "selftest/selftest.h"

namespace rtl::cli {
namespace {

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <typename... F>
Overloaded(F...) -> Overloaded<F...>;  // clang 14 does not deduce it

int Finish(const Finished& finished) {
  if (finished.code == 0) return PrintResult(finished.text);
  PrintAside(finished.text);
  return finished.code;
}

}  // namespace

int Main(int argc, char** argv) {
  mallopt(M_ARENA_MAX, 1);  // a heap of its own for the collector's thread would grow page by page
  OccupyStandardStreams();
  SurviveFileSizeLimit();
  ChooseColours();
  const Command command = ParseArguments(std::vector<std::string>(argv + 1, argv + argc));
  return std::visit(Overloaded{[](const Finished& finished) { return Finish(finished); },
                               [](const TraceOptions& options) { return RunTrace(options); },
                               [](const CollectCommand& options) { return RunCollect(options); },
                               [](const DumpOptions& options) { return RunDump(options); },
                               [](const SummaryOptions& options) { return RunSummary(options); },
                               [](const DiffOptions& options) { return RunDiff(options); },
                               [](const AnalyzeOptions& options) { return RunAnalyze(options); },
                               [](const HotOptions& options) { return RunHot(options); },
                               [](const ReportOptions& options) { return RunReport(options); },
                               [](const InfoOptions& options) { return RunInfo(options); },
                               [](const ConvertOptions& options) { return RunConvert(options); },
                               [](const DoctorOptions& options) { return RunDoctor(options); },
                               [](const SelftestOptions& options) {
                                 return selftest::RunSelftest(options, RTL_VERSION);
                               },
                               [](const MergeOptions& options) { return RunMerge(options); },
                               [](const ImportOptions& options) { return RunImport(options); },
                               [](const FleetOptions& options) { return RunFleet(options); },
                               [](const CountersOptions& options) { return RunCounters(options); }},
                    command);
}

}  // namespace rtl::cli
