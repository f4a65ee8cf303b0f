// SPDX-License-Identifier: MIT
#include "cli/base/verb_arguments.h"

namespace rtl::cli {

void DoctorArguments::AddTo(CLI::App* app) {
  CLI::App* const verb =
      app->add_subcommand("doctor", "Check what can be traced here, and what prevents it");
  gpus_.AddTo(verb, "Check with a virtual GPU, or with N of them");
  verb->add_flag("--variables", options_.variables,
                 "List the RTL_* variables: their values here, their defaults, what they do");
  verb->add_flag("--probe", options_.probe, "Only start and stop the HSA runtime")
      ->group("");  // for doctor itself
  verb->add_flag("--quiet", options_.quiet, "With --probe: print nothing")->group("");
}

std::string DoctorArguments::Take(DoctorOptions* options) {
  std::string complaint = gpus_.Take(&options_.on_vgpu, &options_.gpus);
  if (!complaint.empty()) return complaint;
  *options = options_;
  return "";
}

}  // namespace rtl::cli
