// SPDX-License-Identifier: MIT
#include "cli/window_arguments.h"

#include "base/config.h"
#include "cli/parse_time.h"

namespace rtl::cli {

void WindowArguments::AddTo(CLI::App* verb) {
  verb->add_option("--delay", delay_, "Record nothing before so long after the start, as 5s")
      ->type_name("TIME");
  verb->add_option("--duration", duration_,
                   "Record for so long, from the start or the end of the delay on")
      ->type_name("TIME");
  range_option_ = verb->add_option("--while-range", range_,
                                   "Record only while a roctx range of this name is open")
                      ->type_name("NAME");
}

std::string WindowArguments::Take(TraceOptions* options) const {
  if (!delay_.empty() && !ParseTimeOrZero(delay_, &options->delay_ns)) {
    return "--delay takes a time, as 5s, 1.5 or 200ms";
  }
  if (!duration_.empty() && !ParseTime(duration_, &options->duration_ns)) {
    return "--duration takes a time, as 5s, 1.5 or 200ms";
  }
  if (range_option_->count() > 0 && range_.empty()) return "--while-range needs a name";
  if (range_.size() >= Config::kRangeBytes) {
    return "--while-range takes a name of at most " + std::to_string(Config::kRangeBytes - 1) +
           " bytes";
  }
  options->while_range = range_;
  const bool any = options->delay_ns + options->duration_ns != 0 || !range_.empty();
  if (any && options->mode == "clr") {
    return "--delay, --duration and --while-range have no place in mode clr, which records what "
           "HIP's profiler has";
  }
  return "";
}

}  // namespace rtl::cli
