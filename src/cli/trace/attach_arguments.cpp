// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "cli/base/command_text.h"
#include "cli/base/formats.h"
#include "cli/trace/trace_arguments.h"

namespace rtl::cli {
namespace {

constexpr const char* kAlongWithIt[] = {"pid",   "duration", "output", "no-summary",
                                        "force", "mode",     "events"};
// Options that a running program would take from its environment, if it was started with
// RTL_ATTACH=1.
constexpr const char* kByVariable[] = {
    "pmc",          "pmc-group-interval", "counters-file", "pmc-kernels", "pmc-not-kernels",
    "pmc-launches", "pc-sampling",        "lossless",      "barriers",    "while-range",
    "vgpu"};

}  // namespace

void AttachArguments::AddTo(CLI::App* verb) {
  verb_ = verb;
  process_ = AddValue(verb, "-p,--pid", "PID", pid_,
                      "Trace a running program for a while; it goes on afterwards");
}

std::string AttachArguments::Resolve(TraceOptions* options) const {
  if (pid_.empty() || pid_.find_first_not_of("0123456789") != std::string::npos) {
    return "--pid takes the number of a process, not " + pid_;
  }
  if (!options->command.empty()) return "--pid attaches to a running program and starts none";
  for (const CLI::Option* option : verb_->get_options()) {
    bool fits = option->count() == 0;
    for (const char* name : kAlongWithIt) fits = fits || option->check_lname(name);
    if (!fits) {
      const std::string& given = option->get_lnames().front();
      const bool by_variable =
          std::find(std::begin(kByVariable), std::end(kByVariable), given) != std::end(kByVariable);
      return "--" + given +
             (by_variable ? " must be set when the program starts, by its variable"
                          : " is not available with --pid");
    }
  }
  if (options->mode == "clr") return "--mode clr is not available with --pid";
  if (options->output == "-") return kNeedsFile;
  const CLI::Option* const duration = verb_->get_option("--duration");
  if (duration->count() > 0 && (!ParseTime(duration->results().front(), &options->duration_ns) ||
                                options->duration_ns == 0)) {
    return "--duration takes a time, as 5s or 500ms";
  }
  options->process = pid_;
  return ComplaintOfDatabase("-o", options->output);
}

}  // namespace rtl::cli
