// SPDX-License-Identifier: MIT
#include "cli/trace/verdict.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "analysis/text.h"
#include "base/config.h"
#include "cli/base/print.h"
#include "cli/base/program_loader.h"
#include "cli/trace/untraced_watch.h"

namespace rtl::cli {
namespace {

// Whether the program has the set-user-id or set-group-id bit and belongs to another user.
bool RunsWithOtherRights(const std::string& program) {
  struct stat info;
  if (stat(FindProgram(program).c_str(), &info) != 0) return false;
  return ((info.st_mode & S_ISUID) != 0 && info.st_uid != geteuid()) ||
         ((info.st_mode & S_ISGID) != 0 && info.st_gid != getegid());
}

// Why no process opened a trace. Certain reasons are checked before likely ones.
std::string ReasonForNoTrace(const std::string& program, const store::CollectResult& result) {
  Config config;
  const Status ignored = Config::FromEnvironment(&config);  // the program has printed the error
  if (ignored.ok() && config.disabled) return "RTL_DISABLE is set, so nothing was traced";
  if (RunsWithOtherRights(program)) {
    return program + " runs with the rights of another user (set-user-id) and is not traced";
  }
  return NoRuntimeSentence(program, result);
}

// Whether events of any kind, including kernels, were submitted.
bool HasEvents(const store::CollectResult& result) {
  return std::any_of(std::begin(result.kinds), std::end(result.kinds),
                     [](const store::KindTotals& totals) { return totals.submitted > 0; });
}

// The options that select what is recorded: "--kernel, --gpu and --delay". Empty: there are none.
std::string Selectors(const TraceOptions& options) {
  std::vector<std::string> names;
  if (!options.choice.kernel.empty()) names.emplace_back("--kernel");
  if (options.choice.gpu) names.emplace_back("--gpu");
  if (options.choice.rank) names.emplace_back("--rank");
  if (!options.while_range.empty()) names.emplace_back("--while-range");
  if (options.delay_ns != 0) names.emplace_back("--delay");
  if (options.duration_ns != 0) names.emplace_back("--duration");
  return Listed(names, "and");
}

// The sentence if every kernel was left out on request.
std::string NothingSelected(const TraceOptions& options, uint64_t kernels) {
  const std::string all = kernels == 1 ? "the only kernel" : "all " + Counted(kernels, "kernel");
  const std::string selectors = Selectors(options);
  if (!selectors.empty()) return selectors + " left out " + all + " of the program";
  if (!options.paused)
    return "the program paused recording (roctxProfilerPause), which left out " + all;
  return "the program did not resume recording (roctxProfilerResume) for any kernel: --paused left "
         "out " +
         all;
}

}  // namespace

std::string RefusalOf(const store::CollectResult& result) {
  if (result.kind(EventKind::kKernel).submitted > 0) return "";
  std::string refusal;
  for (const store::ProcessResult& process : result.processes) {
    if (!process.runtime.empty()) return "";
    if (!process.refusal.empty()) refusal = process.refusal;
  }
  return refusal;
}

Verdict Judge(const TraceOptions& options, const store::CollectResult& result, bool some_untraced,
              int exit_code) {
  const std::string& program = options.command.front();
  const store::KindTotals& kernels = result.kind(EventKind::kKernel);
  bool has_runtime = kernels.submitted > 0;
  bool refused = false;
  bool goes_on = false;  // a process that uses a GPU goes on
  for (const store::ProcessResult& process : result.processes) {
    has_runtime = has_runtime || !process.runtime.empty();
    refused = refused || !process.refusal.empty();
    goes_on = goes_on || (!process.runtime.empty() && process.end == store::ProcessEnd::kAbandoned);
  }
  Verdict verdict = {.exit_code = exit_code, .sentences = {}};
  const auto fail = [&](std::string sentence) {
    verdict.sentences.push_back(std::move(sentence));
    if (exit_code == 0) verdict.exit_code = kExitFailed;
    return verdict;
  };
  if (const std::string refusal = RefusalOf(result); !refusal.empty()) {
    return fail((HasEvents(result) ? "the kernels of " + program + " were" : program + " was") +
                " not traced: " + refusal);
  }
  if (!has_runtime && !some_untraced)
    verdict.sentences.push_back(ReasonForNoTrace(program, result));
  if (options.min_coverage.has_value() &&
      (!has_runtime || refused || goes_on || result.spool_lost || some_untraced ||
       result.HasUncountedKernels()))
    return fail("the share of the kernels that are in the trace is not known");
  if (!has_runtime) return verdict;
  if (kernels.submitted == 0) {
    if (options.events.empty() || !HasEvents(result))
      verdict.sentences.push_back("no kernels were submitted by " + program);
    return verdict;
  }
  const double wanted = options.min_coverage.value_or(0);
  const double coverage =
      100.0 * static_cast<double>(kernels.recorded) / static_cast<double>(kernels.submitted);
  if (kernels.recorded > 0 && coverage >= wanted) return verdict;
  const bool left_out = kernels.loss(Loss::kPaused) == kernels.submitted;
  if (kernels.recorded > 0 || (left_out && wanted > 0)) {
    return fail(fmt::format("{:.2f} % of the kernels are in the trace; {:g} % are required",
                            coverage, wanted));
  }
  if (left_out) {
    // A program may leave everything out by its own pauses. But options that select nothing are an
    // error.
    const std::string sentence = NothingSelected(options, kernels.submitted);
    if (!Selectors(options).empty()) return fail(sentence);
    verdict.sentences.push_back(sentence);
    return verdict;
  }
  const auto main_cause = std::max_element(std::begin(kernels.losses), std::end(kernels.losses));
  return fail("none of the kernels is in the trace; most were lost because: " +
              std::string(LossText(static_cast<Loss>(main_cause - kernels.losses))));
}

}  // namespace rtl::cli
