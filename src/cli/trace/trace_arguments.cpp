// SPDX-License-Identifier: MIT
#include "cli/trace/trace_arguments.h"

#include <stdlib.h>

#include <algorithm>
#include <string_view>

#include "base/config.h"
#include "cli/base/command_text.h"
#include "cli/base/counter_choice.h"
#include "cli/base/formats.h"
#include "model/event_kinds.h"

namespace rtl::cli {
namespace {

bool IsNumber(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

bool IsSet(const char* variable) {
  const char* const value = getenv(variable);
  return value != nullptr && *value != '\0';
}

// The words "kernels, markers, …".
std::string EventWords() {
  std::string words;
  for (size_t i = 0; i < kEventKindCount; ++i) {
    words += (i == 0 ? "" : ", ") + std::string(EventWord(static_cast<EventKind>(i)));
  }
  return words;
}

}  // namespace

void TraceArguments::ExtractProgram(std::vector<std::string>* arguments) {
  const auto dashes = std::find(arguments->begin(), arguments->end(), "--");
  if (dashes == arguments->end()) return;
  has_dashes_ = true;
  program_.assign(dashes + 1, arguments->end());
  arguments->erase(dashes, arguments->end());
}

void TraceArguments::AddTo(CLI::App* app) {
  verb_ = app->add_subcommand("trace", "Run a program and trace what it does on the GPU");
  verb_->prefix_command();
  output_ = AddValue(verb_, "-o,--output", "FILE", options_.output, "Database to write")
                ->capture_default_str();
  AddValue(verb_, "--mode", "MODE", options_.mode,
           "What to capture: auto, full, standard, lite, hip or clr");
  AddEvents();
  gpus_.AddTo(verb_, "Run the program on a virtual GPU, or on N of them");
  AddOutputs();
  ring_.AddTo(verb_);
  dataset_.AddTo(verb_);
  attach_.AddTo(verb_);
  sampling_.AddTo(verb_);
  verb_->footer(
      "The program and its arguments follow, preferably after --. rtl returns its exit code, or"
      "\n128+n when signal n ended it. The program keeps its standard streams; the summary"
      "\ngoes to standard error.");
}

void TraceArguments::AddEvents() {
  events_ = AddValue(
      verb_, "--events", "KINDS", options_.events,
      "Kinds of events to record instead of the mode's own, separated by commas: " + EventWords());
  AddValue(verb_, "--pmc", "COUNTERS", options_.counters,
           "Read these hardware counters of every kernel, separated by commas")
      ->allow_extra_args(false);
  AddValue(verb_, "--pmc-group-interval", "N", options_.counter_group_interval,
           "Let the counters of several --pmc take turns within one run: those of the "
           "first --pmc for N counted kernels of a GPU, then those of the next")
      ->check(CLI::Range(1, 1'000'000'000).description(""));
  AddValue(verb_, "--counters-file", "FILE", options_.counter_file,
           "YAML file with more counter definitions for --pmc");
  AddValue(verb_, "--pmc-kernels", "REGEX", options_.counter_kernels.include,
           "Count only kernels whose name matches");
  AddValue(verb_, "--pmc-not-kernels", "REGEX", options_.counter_kernels.exclude,
           "Count no kernels whose name matches");
  AddValue(verb_, "--pmc-launches", "RANGES", options_.counter_kernels.launches,
           "Count only these launches of each kernel: 1-3,10");
}

void TraceArguments::AddOutputs() {
  pftrace_ =
      AddValue(verb_, "--pftrace", "FILE", options_.pftrace,
               "Also write a timeline for Perfetto; the name's extension selects the format");
  verb_->add_flag("!--no-summary", options_.summary, "Print no table afterwards");
  verb_->add_flag("--force", options_.force, kForceText);
  verb_->add_flag("--keep-spool", options_.keep_spool,
                  "Keep the raw records (the spool directory)");
  verb_->add_flag("--allow-fallback", options_.allow_fallback,
                  "With --mode clr: use mode hip where HIP has no built-in profiler");
  verb_->add_flag("--keep-going", options_.keep_going,
                  "Run the program even where --pmc or --pc-sampling can deliver nothing");
  verb_->add_flag("--barriers", options_.barriers, "Also record barrier packets");
  verb_->add_flag("--paused", options_.paused,
                  "Start paused; roctxProfilerResume starts recording");
  window_.AddTo(verb_);
  verb_->add_flag("--lossless", options_.lossless,
                  "Make the program wait instead of dropping an event");
  verb_->add_flag("--split", options_.split,
                  "Write one database per process, and a manifest that lists them");
  coverage_ = AddValue(verb_, "--min-coverage", "PERCENT", min_coverage_,
                       "Fail when a smaller share of the kernels is in the trace (default: "
                       "only when none is)");
  AddValue(verb_, "--hang-timeout", "TIME", hang_timeout_,
           "Print the kernels in flight when one has not ended for this long, for example "
           "60s; the program goes on");
}

// The program and its arguments: the words after "--", or else the words that CLI11 did not
// recognize.
std::string TraceArguments::ResolveCommand() {
  std::vector<std::string>& command = options_.command;
  if (!command.empty() && command.front().starts_with('-')) {
    return "unknown option " + command.front();
  }
  // A "--" after the name of the program is an argument of the program.
  if (has_dashes_ && !command.empty()) command.push_back("--");
  command.insert(command.end(), program_.begin(), program_.end());
  if (command.empty()) return "no program to trace";
  const std::string& program = command.front();
  if (gpus_.is_bare() && IsNumber(program)) {
    return "write the number of virtual GPUs as --vgpu=" + program;
  }
  return "";
}

std::string TraceArguments::ComplaintOfOutputs() const {
  if (options_.output == "-") return kNeedsFile;
  std::string no_database = ComplaintOfDatabase("-o", options_.output);
  if (!no_database.empty() || pftrace_->count() == 0) return no_database;
  const std::string& pftrace = options_.pftrace;
  if (pftrace == "-") {
    return "standard output belongs to the program; rtl convert -o - writes there";
  }
  if (options_.split) {
    return "--split and --pftrace exclude each other; rtl convert takes one database";
  }
  if (NameOneFile(pftrace, options_.output)) {
    return "the timeline would replace the database " + options_.output;
  }
  return ComplaintOfTimeline("--pftrace", pftrace);
}

std::string TraceArguments::ResolveLimits() {
  if (coverage_->count() > 0) {
    if (!(min_coverage_ >= 0 && min_coverage_ <= 100)) {
      return "--min-coverage takes 0 to 100 percent";
    }
    options_.min_coverage = min_coverage_;
  }
  if (!hang_timeout_.empty() && !ParseTime(hang_timeout_, &options_.hang_timeout_ns)) {
    return "--hang-timeout takes a time, as 60s, 500ms or 10m";
  }
  return "";
}

std::string TraceArguments::ComplaintOfEvents() const {
  if (events_->count() == 0) return "";
  EventSet events;
  const Status parsed = ParseEvents(options_.events.c_str(), &events);
  if (!parsed.ok()) return std::string("--events: ") + parsed.message();
  if (options_.mode == "clr") {
    return "--events is not available in mode clr, which records the events of HIP's profiler";
  }
  if (events.Has(EventKind::kCounter) && options_.counters.empty() && !IsSet("RTL_COUNTERS"))
    return "--events counters needs --pmc, which names them";
  if (events.Has(EventKind::kPcSample) && options_.pc_sampling_us == 0 && !IsSet("RTL_PC_SAMPLING"))
    return "--events pc-samples needs --pc-sampling, which has their interval";
  return "";
}

std::string TraceArguments::ComplaintOfCounters() const {
  if (options_.counters.empty()) {
    for (const char* option : {"--pmc-group-interval", "--counters-file", "--pmc-kernels",
                               "--pmc-not-kernels", "--pmc-launches"}) {
      if (verb_->get_option(option)->count() > 0) return std::string(option) + " needs --pmc";
    }
    return "";
  }
  std::string unused;
  counters::Definitions known;
  const Status read = ReadDefinitions(options_.counter_file, &known);
  if (!read.ok()) return std::string("--counters-file: ") + read.message();
  LeftOut left_out;
  Status chosen = ChooseRequested(options_, known, &unused, &left_out);
  unused.clear();
  if (chosen.ok()) chosen = ChooseKernels(options_.counter_kernels, &unused);
  if (!chosen.ok()) return std::string("--pmc: ") + chosen.message();
  if (options_.mode == "clr" || options_.mode == "lite") {
    return "--pmc is not available in mode " + options_.mode;
  }
  return "";
}

// Checks the mode early. The library in the traced process would report the same error, but later.
std::string TraceArguments::ComplaintOfMode() const {
  static std::string mode;
  mode = options_.mode;
  if (mode.empty()) return "";
  Config config;
  const Status parsed = Config::Parse(
      [](const char* name) {
        return std::string_view(name) == "RTL_MODE" ? mode.c_str() : nullptr;
      },
      &config);
  if (parsed.ok()) return "";
  const std::string why =
      parsed.message();  // the text after the last semicolon does not apply here
  const std::string variable = "RTL_MODE=";
  const std::string shown = why.starts_with(variable) ? why.substr(variable.size()) : why;
  return "--mode " + shown.substr(0, shown.rfind(';'));
}

std::string TraceArguments::Resolve() {
  options_.command = verb_->remaining();
  std::string wrong;
  if (attach_.given()) {
    options_.command.insert(options_.command.end(), program_.begin(), program_.end());
    wrong = attach_.Resolve(&options_);
    if (wrong.empty()) wrong = ComplaintOfMode();
    if (wrong.empty()) wrong = ComplaintOfEvents();
    if (wrong.empty() && sampling_.has_python()) wrong = "--python needs a program that rtl starts";
    if (wrong.empty()) wrong = dataset_.Resolve(false, &options_);
    if (wrong.empty() && !options_.dataset.empty()) {
      wrong = "--dataset and --summaries need a program that rtl starts";
    }
  } else {
    wrong = ResolveCommand();
    if (wrong.empty()) wrong = ComplaintOfOutputs();
    if (wrong.empty()) wrong = gpus_.Resolve(&options_.on_vgpu, &options_.gpus);
    if (wrong.empty()) wrong = ResolveLimits();
    if (wrong.empty()) wrong = ComplaintOfMode();
    if (wrong.empty()) wrong = ring_.Resolve(&options_);
    if (wrong.empty()) wrong = sampling_.Resolve(&options_);
    if (wrong.empty()) wrong = dataset_.Resolve(output_->count() > 0, &options_);
    if (wrong.empty()) wrong = window_.Resolve(&options_);
    if (wrong.empty()) wrong = ComplaintOfEvents();
    if (wrong.empty()) wrong = ComplaintOfCounters();
  }
  return wrong;
}

}  // namespace rtl::cli
