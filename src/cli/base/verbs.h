// SPDX-License-Identifier: MIT
// verbs.h: the verbs of `rtl`. Each prints its own error in one line and returns the exit code.
//
// Threads    the main thread, which in `trace` starts the collector's thread
// Signals    trace, convert, merge, report, fleet and selftest install handlers for the rest of the
//            process's life
#pragma once

#include "cli/base/options.h"

namespace rtl::cli {

int RunVerb(const TraceOptions& options);
int RunVerb(const CollectCommand& options);
int RunVerb(const DumpOptions& options);
int RunVerb(const CountersOptions& options);
int RunVerb(const SummaryOptions& options);
int RunVerb(const DiffOptions& options);
int RunVerb(const AnalyzeOptions& options);
int RunVerb(const HotOptions& options);
int RunVerb(const ReportOptions& options);
int RunVerb(const InfoOptions& options);
int RunVerb(const ConvertOptions& options);
int RunVerb(const MergeOptions& options);
int RunVerb(const ImportOptions& options);
int RunVerb(const FleetOptions& options);
int RunVerb(const DoctorOptions& options);

// The main function of the program: parses the arguments, runs the verb, returns the exit code.
int Main(int argc, char** argv);

}  // namespace rtl::cli
