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

int RunVerb(const Finished& finished) {
  if (finished.code == 0) return PrintResult(finished.text);
  PrintAside(finished.text);
  return finished.code;
}

int RunVerb(const SelftestOptions& options) { return selftest::RunSelftest(options, RTL_VERSION); }

}  // namespace

int Main(int argc, char** argv) {
  // Without this, the collector's thread gets a heap of its own, which grows page by page.
  mallopt(M_ARENA_MAX, 1);
  OccupyStandardStreams();
  SurviveFileSizeLimit();
  ChooseColours();
  const Command command = ParseArguments(std::vector<std::string>(argv + 1, argv + argc));
  return std::visit([](const auto& options) { return RunVerb(options); }, command);
}

}  // namespace rtl::cli
