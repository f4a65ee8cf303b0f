// SPDX-License-Identifier: MIT
#include "cli/base/verb_arguments.h"

#include <charconv>
#include <tuple>

#include "cli/base/command_text.h"
#include "cli/base/formats.h"

namespace rtl::cli {
namespace {

constexpr uint32_t kMostGpus = 8;
constexpr char kVgpu[] = "--vgpu{*}";  // CLI11 returns the text in braces if --vgpu has no number
constexpr char kBare[] = "*";

bool ParseCount(const std::string& text, uint32_t* count) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, *count);
  return error == std::errc() && rest == end && *count != 0 && *count <= kMostGpus;
}

}  // namespace

void GpusArguments::AddTo(CLI::App* verb, const char* text) { verb->add_flag(kVgpu, text_, text); }

bool GpusArguments::is_bare() const { return text_ == kBare; }

std::string GpusArguments::Take(bool* on_vgpu, std::optional<uint32_t>* gpus) const {
  if (text_.empty()) return "";
  *on_vgpu = true;
  if (is_bare()) return "";
  uint32_t count = 0;
  if (!ParseCount(text_, &count)) {
    return "--vgpu takes 1 to " + std::to_string(kMostGpus) + " GPUs, not " + text_;
  }
  *gpus = count;
  return "";
}

void SelectionArguments::AddTo(CLI::App* verb, const char* to) {
  verb->add_option("--kernel", selection_.kernel, "Only kernels whose name matches this")
      ->type_name("REGEX");
  verb->add_option("--range", selection_.range, "Only events during roctx ranges of this name")
      ->type_name("NAME");
  verb->add_option("--from", from_, "Only events from this time since the program's start on")
      ->type_name("TIME");
  verb->add_option(to, to_, "Only events before this time since the program's start")
      ->type_name("TIME");
  verb->add_option("--rank", selection_.rank, "Only this rank of a job")
      ->type_name("N")
      ->check(CountedFromZero());
  verb->add_option("--gpu", selection_.gpu, "Only kernels and copies of this GPU")
      ->type_name("N")
      ->check(CountedFromZero());
}

std::string SelectionArguments::Take(query::SelectionRequest* out, const char* to) {
  for (const auto& [text, time, option] :
       {std::tuple(&from_, &selection_.from, "--from"), std::tuple(&to_, &selection_.to, to)}) {
    if (text->empty()) continue;
    uint64_t ns = 0;
    if (!ParseTimeOrZero(*text, &ns)) {
      return std::string(option) + " takes a time since the program began, as 1.5s or 200ms";
    }
    *time = ns;
  }
  if (selection_.from && selection_.to && *selection_.from >= *selection_.to) {
    return std::string("--from must be before ") + to;
  }
  const std::string why =
      selection_.kernel.empty() ? "" : query::ComplaintOfPattern(selection_.kernel);
  if (!why.empty()) return "--kernel " + selection_.kernel + ": " + why;
  *out = selection_;
  return "";
}

void CollectArguments::AddTo(CLI::App* app) {
  CLI::App* const verb = app->add_subcommand("collect", "Make a database from a spool directory");
  verb->add_option("--spool", options_.spool, "Directory of the spool")
      ->type_name("DIR")
      ->required();
  verb->add_option("--output,-o", options_.output, "Database to write")
      ->type_name("FILE")
      ->required();
  verb->add_option("--pid", options_.pid, "Wait for this process to end")->type_name("PID");
  verb->add_flag("--force", options_.force, kForceText);
  verb->add_flag("--keep-spool", options_.keep_spool, "Leave the spool in place");
  // Only the tracer passes it, with RTL_ATTACH=1.
  verb->add_flag("--attachable", options_.attachable)->group("");
}

std::string CollectArguments::Take() {
  if (options_.output == "-") return kNeedsFile;
  return ComplaintOfDatabase("--output", options_.output);
}

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

std::string CountersArguments::Take() {
  using Action = CountersOptions::Action;
  options_.action = info_->parsed()    ? Action::kInfo
                    : check_->parsed() ? Action::kCheck
                                       : Action::kList;
  return "";
}

void DoctorArguments::AddTo(CLI::App* app) {
  CLI::App* const verb =
      app->add_subcommand("doctor", "Check what can be traced here, and what prevents it");
  gpus_.AddTo(verb, "Check with a virtual GPU, or with N of them");
  verb->add_flag("--variables", options_.variables,
                 "List the RTL_* variables: their values here, their defaults, what they do");
  verb->add_flag("--probe", options_.probe, "Only start and stop the HSA runtime")
      ->group("");  // only doctor itself uses it
  verb->add_flag("--quiet", options_.quiet, "With --probe: print nothing")->group("");
}

std::string DoctorArguments::Take() { return gpus_.Take(&options_.on_vgpu, &options_.gpus); }

void DumpArguments::AddTo(CLI::App* app) {
  CLI::App* const verb =
      app->add_subcommand("dump", "Write what the ring of a traced process holds now");
  verb->add_option("PROCESS", options_.process, "Its pid, or the directory of its spool")
      ->type_name("")
      ->required();
  verb->add_option("-o,--output", options_.output, "Database to write (default: beside the trace)")
      ->type_name("FILE");
  verb->add_flag("--force", options_.force, kForceText);
}

std::string DumpArguments::Take() {
  if (!options_.output.empty()) {
    std::string wrong = ComplaintOfDatabase("-o", options_.output);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

void HotArguments::AddTo(CLI::App* app) {
  verb_ = app->add_subcommand("hot", "Print which lines of kernels are slow (trace --pc-sampling)");
  verb_->add_option("FILE", options_.file, "The trace")->capture_default_str()->type_name("");
  verb_->add_option("--kernel", options_.kernel, "Only kernels whose name matches")
      ->type_name("REGEX");
  verb_->add_option("-n", options_.rows, "Number of lines to print per kernel; 0: all (default 10)")
      ->type_name("LINES");
  verb_->add_flag("--instructions", options_.instructions,
                  "Also print the instructions of each line");
  verb_->add_flag("--csv", csv_, "Every instruction as comma-separated values");
  verb_->add_flag("--json", json_, "Everything as JSON");
}

std::string HotArguments::Take() { return TakeTableFormat(csv_, json_, &options_.format); }

void InfoArguments::AddTo(CLI::App* app) {
  CLI::App* const verb = app->add_subcommand("info", "Print what was traced and what is missing");
  verb->add_option("FILE", options_.file, "The trace")->capture_default_str()->type_name("");
  verb->add_flag("--json", options_.json, "The same as JSON, in nanoseconds");
  verb->add_flag("--in-flight", options_.in_flight,
                 "Only the kernels in flight when their process ended; FILE may also be the pid of "
                 "a traced process or a spool directory");
}

void MergeArguments::AddTo(CLI::App* app) {
  verb_ = app->add_subcommand("merge", "Merge the traces of several processes or ranks into one");
  verb_->add_option("TRACES", options_.files, "The traces, two or more")->type_name("");
  verb_->add_option("-o,--output", options_.output, "Database to write")->type_name("FILE");
  verb_->add_flag("--force", options_.force, kForceText);
}

std::string MergeArguments::Take() {
  if (options_.files.size() < 2) return "merge takes two traces or more";
  if (options_.output.empty()) return "merge needs the name of a file to write: -o all.db";
  if (options_.output == "-") return "a database needs a file, not standard output";
  for (const std::string& file : options_.files) {
    if (NameOneFile(file, options_.output)) return "the output would replace " + file;
  }
  return ComplaintOfDatabase("-o", options_.output);
}

void ReportArguments::AddTo(CLI::App* app) {
  CLI::App* const verb = app->add_subcommand(
      "report", "Write a page for browsers: why GPUs were idle, a timeline, tables");
  verb->add_option("FILE", options_.file, "The trace")->capture_default_str()->type_name("");
  verb->add_option("-o,--output", options_.output,
                   "Page to write, - for standard output (default: FILE with the extension .html)")
      ->type_name("FILE");
  verb->add_flag("--force", options_.force, kForceText);
  selection_.AddTo(verb);
}

std::string ReportArguments::Take() {
  std::string& output = options_.output;
  if (output.empty()) output = DefaultOutput(options_.file, ".html");
  std::string no_page = ComplaintOfPage("-o", output);
  if (!no_page.empty()) return no_page;
  if (output != "-" && NameOneFile(output, options_.file))
    return "the page would replace the trace";
  return selection_.Take(&options_.selection);
}

}  // namespace rtl::cli
