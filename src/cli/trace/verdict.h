// SPDX-License-Identifier: MIT
// verdict.h: the exit code of `rtl trace`, and why it is not the program's.
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

// The program's own failure (`exit_code`) comes first; a trace without any of its kernels is a
// failure of rtl. `some_untraced`: processes of the program are known that were not traced.
Verdict Judge(const TraceOptions& options, const store::CollectResult& result, bool some_untraced,
              int exit_code);

// The reason why no event of the program is traced, if one of its processes reports one; else
// empty. Among the sentences of Judge.
std::string RefusalOf(const store::CollectResult& result);

}  // namespace rtl::cli
