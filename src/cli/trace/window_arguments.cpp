// SPDX-License-Identifier: MIT
#include "base/config.h"
#include "cli/base/command_text.h"
#include "cli/trace/trace_arguments.h"
#include "trace/read/selection.h"

namespace rtl::cli {

void WindowArguments::AddTo(CLI::App* verb) {
  verb->add_option("--delay,--from", delay_,
                   "Start recording this long after the program starts, for example 5s")
      ->type_name("TIME");
  verb->add_option("--duration", duration_,
                   "Record for this long, from the start or from the end of the delay")
      ->type_name("TIME");
  verb->add_option("--to", to_, "Stop recording this long after the program starts")
      ->type_name("TIME");
  verb->add_option("--while-range,--range", range_,
                   "Record only while a roctx range of this name is open")
      ->type_name("NAME");
  verb->add_option("--kernel", kernel_, "Record only kernels whose name matches this")
      ->type_name("REGEX");
  verb->add_option("--rank", rank_, "Record only the process of this rank of a job")
      ->type_name("N")
      ->check(CountedFromZero());
  verb->add_option("--gpu", gpu_, "Record only kernels and copies of this GPU")
      ->type_name("N")
      ->check(CountedFromZero());
}

std::string WindowArguments::TakeTimes(TraceOptions* options) const {
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

std::string WindowArguments::TakeChoice(TraceOptions* options) const {
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

std::string WindowArguments::Take(TraceOptions* options) const {
  const std::string wrong_time = TakeTimes(options);
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
  return TakeChoice(options);
}

}  // namespace rtl::cli
