// SPDX-License-Identifier: MIT
#include "base/config.h"
#include "cli/base/command_text.h"
#include "cli/trace/trace_arguments.h"
#include "trace/read/selection.h"

namespace rtl::cli {

void WindowArguments::AddTo(CLI::App* verb) {
  AddValue(verb, "--delay,--from", "TIME", delay_,
           "Start recording this long after the program starts, for example 5s");
  AddValue(verb, "--duration", "TIME", duration_,
           "Record for this long, from the start or from the end of the delay");
  AddValue(verb, "--to", "TIME", to_, "Stop recording this long after the program starts");
  AddValue(verb, "--while-range,--range", "NAME", range_,
           "Record only while a roctx range of this name is open");
  AddValue(verb, "--kernel", "REGEX", kernel_, "Record only kernels whose name matches this");
  AddValue(verb, "--rank", "N", rank_, "Record only the process of this rank of a job")
      ->check(CountedFromZero());
  AddValue(verb, "--gpu", "N", gpu_, "Record only kernels and copies of this GPU")
      ->check(CountedFromZero());
}

std::string WindowArguments::ResolveTimes(TraceOptions* options) const {
  if (!delay_.empty() && !ParseTimeOrZero(delay_, &options->delay_ns)) {
    return "--delay takes a time, as 5s, 1.5 or 200ms";
  }
  if (!duration_.empty() && !ParseTime(duration_, &options->duration_ns)) {
    return "--duration takes a time, as 5s, 1.5 or 200ms";
  }
  if (to_.empty()) return "";
  if (!duration_.empty()) return "--to and --duration exclude each other";
  uint64_t to = 0;
  if (!ParseTime(to_, &to)) return "--to takes a time since the program began, as 1.5s or 200ms";
  if (to <= options->delay_ns) return "--from must be before --to";
  options->duration_ns = to - options->delay_ns;
  return "";
}

std::string WindowArguments::ResolveChoice(TraceOptions* options) const {
  const std::string why = kernel_.empty() ? "" : query::ComplaintOfPattern(kernel_);
  if (!why.empty()) return "--kernel " + kernel_ + ": " + why;
  if (!kernel_.empty() && !options->counters.empty()) {
    return "--kernel and --pmc exclude each other; --pmc-kernels selects the counted kernels";
  }
  if (!kernel_.empty() && options->pc_sampling_us != 0) {
    return "--kernel and --pc-sampling exclude each other; rtl hot --kernel selects kernels";
  }
  options->choice = {.kernel = kernel_, .gpu = gpu_, .rank = rank_};
  return "";
}

std::string WindowArguments::Resolve(TraceOptions* options) const {
  const std::string wrong_time = ResolveTimes(options);
  if (!wrong_time.empty()) return wrong_time;
  if (range_.size() >= Config::kRangeBytes) {
    return "--while-range takes a name of at most " + std::to_string(Config::kRangeBytes - 1) +
           " bytes";
  }
  options->while_range = range_;
  const bool any =
      options->delay_ns + options->duration_ns != 0 || !range_.empty() || options->paused;
  if (any && options->mode == "clr") {
    return "--delay, --duration, --while-range and --paused are not available in mode clr, which "
           "records the events of HIP's profiler";
  }
  return ResolveChoice(options);
}

}  // namespace rtl::cli
