// SPDX-License-Identifier: MIT
#include "cli/base/verb_arguments.h"

namespace rtl::cli {

CLI::App* CountersArguments::Add(const char* name, const char* about) {
  CLI::App* const action = verb_->add_subcommand(name, about);
  action
      ->add_option("--gpu", options_.gpu,
                   "Use this kind of GPU (gfx90a) instead of this machine's GPUs")
      ->type_name("GPU");
  action->add_option("--counters-file", options_.file, "Definitions of more counters, as YAML")
      ->type_name("FILE");
  action->add_flag("--json", options_.json, "As JSON");
  return action;
}

void CountersArguments::AddTo(CLI::App* app) {
  verb_ = app->add_subcommand("counters",
                              "List hardware counters, and check which can be read together");
  verb_->require_subcommand(1);
  Add("list", "Names and descriptions")
      ->add_option("PATTERN", options_.words, "Only names that match: a regular expression")
      ->type_name("");
  info_ = Add("info", "Describe a counter on each GPU");
  info_->add_option("COUNTERS", options_.words, "Names")->type_name("")->required();
  check_ = Add("check", "Check whether counters can be read in one run, or in which runs");
  check_->add_option("COUNTERS", options_.words, "Counters, as for --pmc")
      ->type_name("")
      ->required();
}

const char* CountersArguments::Missing() const {
  return verb_->get_subcommands().empty() ? "counters takes list, info or check"
                                          : "name counters, for example SQ_WAVES";
}

std::string CountersArguments::Take(CountersOptions* options) const {
  *options = options_;
  using Action = CountersOptions::Action;
  options->action = info_->parsed()    ? Action::kInfo
                    : check_->parsed() ? Action::kCheck
                                       : Action::kList;
  return "";
}

}  // namespace rtl::cli
