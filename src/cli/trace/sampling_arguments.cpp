// SPDX-License-Identifier: MIT
#include "cli/trace/sampling_arguments.h"

#include "cli/base/parse_time.h"

namespace rtl::cli {

void SamplingArguments::AddTo(CLI::App* verb) {
  verb->add_option("--pc-sampling", interval_,
                   "Sample the program counters of waves at this interval, for example 100us, to "
                   "find slow lines of a kernel (MI200, ROCm 6.4 and later)")
      ->type_name("TIME");
}

std::string SamplingArguments::Take(TraceOptions* options) const {
  if (interval_.empty()) return "";
  constexpr uint64_t kMicrosecond = 1'000;
  constexpr uint64_t kMostUs = 60'000'000;
  uint64_t ns = 0;
  if (!ParseTime(interval_, &ns) || ns % kMicrosecond != 0 || ns / kMicrosecond > kMostUs)
    return "--pc-sampling takes whole microseconds, up to 60s, as 100us or 1ms";
  if (!options->counters.empty())
    return "--pc-sampling and --pmc exclude each other: run the program twice";
  if (options->mode == "clr" || options->mode == "lite")
    return "--pc-sampling is not available in mode " + options->mode;
  options->pc_sampling_us = ns / kMicrosecond;
  return "";
}

}  // namespace rtl::cli
