// SPDX-License-Identifier: MIT
#include "cli/base/verb_arguments.h"

#include <tuple>

#include "base/text.h"
#include "cli/base/command_text.h"
#include "cli/base/formats.h"

namespace rtl::cli {
namespace {

constexpr uint32_t kMostGpus = 8;
constexpr char kVgpu[] = "--vgpu{*}";  // CLI11 returns the text in braces if --vgpu has no number
constexpr char kBare[] = "*";

// The error in the name of a database that is made of these files. Empty: there is none.
std::string ComplaintOfNewDatabase(const std::vector<std::string>& files,
                                   const std::string& output) {
  if (output == "-") return kNeedsFile;
  for (const std::string& file : files) {
    if (NameOneFile(file, output)) return "the output would replace " + file;
  }
  return ComplaintOfDatabase("-o", output);
}

}  // namespace

void GpusArguments::AddTo(CLI::App* verb, const char* text) { verb->add_flag(kVgpu, text_, text); }

bool GpusArguments::is_bare() const { return text_ == kBare; }

std::string GpusArguments::Resolve(bool* on_vgpu, std::optional<uint32_t>* gpus) const {
  if (text_.empty()) return "";
  *on_vgpu = true;
  if (is_bare()) return "";
  uint64_t count = 0;
  if (!ParseNumber(text_.c_str(), 1, kMostGpus, &count)) {
    return "--vgpu takes 1 to " + std::to_string(kMostGpus) + " GPUs, not " + text_;
  }
  *gpus = static_cast<uint32_t>(count);
  return "";
}

void SelectionArguments::AddTo(CLI::App* verb, const char* to) {
  AddValue(verb, "--kernel", "REGEX", selection_.kernel, "Only kernels whose name matches this");
  AddValue(verb, "--range", "NAME", selection_.range,
           "Only events during roctx ranges of this name");
  AddValue(verb, "--from", "TIME", from_,
           "Only events from this time since the program's start on");
  AddValue(verb, to, "TIME", to_, "Only events before this time since the program's start");
  AddValue(verb, "--rank", "N", selection_.rank, "Only this rank of a job")
      ->check(CountedFromZero());
  AddValue(verb, "--gpu", "N", selection_.gpu, "Only kernels and copies of this GPU")
      ->check(CountedFromZero());
}

std::string SelectionArguments::Resolve(query::SelectionRequest* out, const char* to) {
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
  AddValue(verb, "--spool", "DIR", options_.spool, "Directory of the spool")->required();
  AddValue(verb, "--output,-o", "FILE", options_.output, "Database to write")->required();
  AddValue(verb, "--pid", "PID", options_.pid, "Wait for this process to end");
  verb->add_flag("--force", options_.force, kForceText);
  verb->add_flag("--keep-spool", options_.keep_spool, "Leave the spool in place");
  // Only the tracer passes it, with RTL_ATTACH=1.
  verb->add_flag("--attachable", options_.attachable)->group("");
}

std::string CollectArguments::Resolve() {
  if (options_.output == "-") return kNeedsFile;
  return ComplaintOfDatabase("--output", options_.output);
}

CLI::App* CountersArguments::Add(const char* name, const char* about) {
  CLI::App* const action = verb_->add_subcommand(name, about);
  AddValue(action, "--gpu", "GPU", options_.gpu,
           "Use this kind of GPU (gfx90a) instead of this machine's GPUs");
  AddValue(action, "--counters-file", "FILE", options_.file,
           "Definitions of more counters, as YAML");
  action->add_flag("--json", options_.json, "As JSON");
  return action;
}

void CountersArguments::AddTo(CLI::App* app) {
  verb_ = app->add_subcommand("counters",
                              "List hardware counters, and check which can be read together");
  verb_->require_subcommand(1);
  AddValue(Add("list", "Names and descriptions"), "PATTERN", "", options_.words,
           "Only names that match: a regular expression");
  info_ = Add("info", "Describe a counter on each GPU");
  AddValue(info_, "COUNTERS", "", options_.words, "Names")->required();
  check_ = Add("check", "Check whether counters can be read in one run, or in which runs");
  AddValue(check_, "COUNTERS", "", options_.words, "Counters, as for --pmc")->required();
}

const char* CountersArguments::Missing() const {
  return verb_->get_subcommands().empty() ? "counters takes list, info or check"
                                          : "name counters, for example SQ_WAVES";
}

std::string CountersArguments::Resolve() {
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

std::string DoctorArguments::Resolve() { return gpus_.Resolve(&options_.on_vgpu, &options_.gpus); }

void DumpArguments::AddTo(CLI::App* app) {
  CLI::App* const verb =
      app->add_subcommand("dump", "Write what the ring of a traced process holds now");
  AddValue(verb, "PROCESS", "", options_.process, "Its pid, or the directory of its spool")
      ->required();
  AddValue(verb, "-o,--output", "FILE", options_.output,
           "Database to write (default: beside the trace)");
  verb->add_flag("--force", options_.force, kForceText);
}

std::string DumpArguments::Resolve() {
  return options_.output.empty() ? "" : ComplaintOfDatabase("-o", options_.output);
}

void HotArguments::AddTo(CLI::App* app) {
  CLI::App* const verb =
      app->add_subcommand("hot", "Print which lines of kernels are slow (trace --pc-sampling)");
  AddValue(verb, "FILE", "", options_.file, "The trace")->capture_default_str();
  AddValue(verb, "--kernel", "REGEX", options_.kernel, "Only kernels whose name matches");
  AddValue(verb, "-n", "LINES", options_.rows,
           "Number of lines to print per kernel; 0: all (default 10)");
  verb->add_flag("--instructions", options_.instructions,
                 "Also print the instructions of each line");
  verb->add_flag("--csv", csv_, "Every instruction as comma-separated values");
  verb->add_flag("--json", json_, "Everything as JSON");
}

std::string HotArguments::Resolve() { return ResolveTableFormat(csv_, json_, &options_.format); }

void ImportArguments::AddTo(CLI::App* app) {
  CLI::App* const verb =
      app->add_subcommand("import", "Make a trace of the traces of other tools (torch.profiler)");
  AddValue(verb, "FILES", "", options_.files, "The traces; several are the processes of one job");
  AddValue(verb, "-o,--output", "FILE", options_.output, "Database to write");
  verb->add_flag("--force", options_.force, kForceText);
}

std::string ImportArguments::Resolve() {
  if (options_.files.empty()) return "import needs a trace: rtl import trace.json.gz -o trace.db";
  if (options_.output.empty()) return "import needs the name of a file to write: -o trace.db";
  return ComplaintOfNewDatabase(options_.files, options_.output);
}

void InfoArguments::AddTo(CLI::App* app) {
  CLI::App* const verb = app->add_subcommand("info", "Print what was traced and what is missing");
  AddValue(verb, "FILE", "", options_.file, "The trace")->capture_default_str();
  verb->add_flag("--json", options_.json, "The same as JSON, in nanoseconds");
  verb->add_flag("--in-flight", options_.in_flight,
                 "Only the kernels in flight when their process ended; FILE may also be the pid of "
                 "a traced process or a spool directory");
}

void MergeArguments::AddTo(CLI::App* app) {
  CLI::App* const verb =
      app->add_subcommand("merge", "Merge the traces of several processes or ranks into one");
  AddValue(verb, "TRACES", "", options_.files, "The traces, two or more");
  AddValue(verb, "-o,--output", "FILE", options_.output, "Database to write");
  verb->add_flag("--force", options_.force, kForceText);
}

std::string MergeArguments::Resolve() {
  if (options_.files.size() < 2) return "merge takes two traces or more";
  if (options_.output.empty()) return "merge needs the name of a file to write: -o all.db";
  return ComplaintOfNewDatabase(options_.files, options_.output);
}

void ReportArguments::AddTo(CLI::App* app) {
  CLI::App* const verb = app->add_subcommand(
      "report", "Write a page for browsers: why GPUs were idle, a timeline, tables");
  AddValue(verb, "FILE", "", options_.file, "The trace")->capture_default_str();
  AddValue(verb, "-o,--output", "FILE", options_.output,
           "Page to write, - for standard output (default: FILE with the extension .html)");
  verb->add_flag("--force", options_.force, kForceText);
  selection_.AddTo(verb);
}

std::string ReportArguments::Resolve() {
  std::string& output = options_.output;
  if (output.empty()) output = DefaultOutput(options_.file, ".html");
  std::string no_page = ComplaintOfPage("-o", output);
  if (!no_page.empty()) return no_page;
  if (output != "-" && NameOneFile(output, options_.file))
    return "the page would replace the trace";
  return selection_.Resolve(&options_.selection);
}

}  // namespace rtl::cli
