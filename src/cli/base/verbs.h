// SPDX-License-Identifier: MIT
// verbs.h: the verbs of `rtl`. Each returns the exit code and prints its own error line.
//
// Threads    the main thread; RunTrace starts the collector's
// Signals    RunTrace, RunConvert, RunMerge and RunReport install handlers for the rest of the
//            process's life
#pragma once

#include "cli/base/options.h"

namespace rtl::cli {

int RunTrace(const TraceOptions& options);
int RunCollect(const CollectCommand& options);
int RunDump(const DumpOptions& options);
int RunCounters(const CountersOptions& options);
int RunSummary(const SummaryOptions& options);
int RunDiff(const DiffOptions& options);
int RunAnalyze(const AnalyzeOptions& options);
int RunHot(const HotOptions& options);
int RunReport(const ReportOptions& options);
int RunInfo(const InfoOptions& options);
int RunConvert(const ConvertOptions& options);
int RunMerge(const MergeOptions& options);
int RunImport(const ImportOptions& options);
int RunFleet(const FleetOptions& options);
int RunDoctor(const DoctorOptions& options);

// The program: parses, runs, returns the exit code.
int Main(int argc, char** argv);

}  // namespace rtl::cli
