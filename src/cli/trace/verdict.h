// SPDX-License-Identifier: MIT
// verdict.h: decides the exit code of `rtl trace`, and explains it if it is not the program's.
#pragma once

#include <string>
#include <vector>

#include "cli/base/options.h"
#include "trace/collect/collector.h"

namespace rtl::cli {

struct Verdict {
  int exit_code = 0;
  std::vector<std::string> sentences;  // for the user
};

// The program's own failure (`exit_code`) takes precedence. A trace without any of the program's
// kernels is a failure of rtl. `some_untraced`: it is known that processes of the program were not
// traced.
Verdict Judge(const TraceOptions& options, const store::CollectResult& result, bool some_untraced,
              int exit_code);

// The reason of a process why none of the program's events are traced. Empty: no process reports
// one. Judge prints it among its sentences.
std::string RefusalOf(const store::CollectResult& result);

}  // namespace rtl::cli
