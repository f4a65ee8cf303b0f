// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "cli/base/command_text.h"
#include "cli/trace/trace_arguments.h"

namespace rtl::cli {

void SamplingArguments::AddTo(CLI::App* verb) {
  AddValue(verb, "--pc-sampling", "TIME", interval_,
           "Sample the program counters of waves at this interval, for example 100us, to "
           "find slow lines of a kernel (MI200, ROCm 6.4 and later)");
  verb->add_flag("--python{100}", hz_,
                 "Sample the stacks of Python processes HZ times a second with py-spy, to find the "
                 "lines during which a GPU waited for the host");
}

std::string SamplingArguments::ResolvePython(TraceOptions* options) const {
  if (hz_.empty()) return "";
  constexpr uint64_t kMostHz = 1000;
  uint64_t hz = 0;
  if (!ParseNumber(hz_.c_str(), 1, kMostHz, &hz))
    return "--python takes 1 to 1000 samples a second, not " + hz_;
  if (options->split) return "--python and --split exclude each other";
  if (options->ring_bytes != 0) return "--python and --ring exclude each other";
  options->python_hz = static_cast<uint32_t>(hz);
  return "";
}

std::string SamplingArguments::Resolve(TraceOptions* options) const {
  if (const std::string wrong = ResolvePython(options); !wrong.empty()) return wrong;
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
