// SPDX-License-Identifier: MIT
#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>

#include "base/config.h"
#include "cli/attach_arguments.h"
#include "cli/command_text.h"
#include "cli/convert_arguments.h"
#include "cli/counter_choice.h"
#include "cli/counters_arguments.h"
#include "cli/describe.h"
#include "cli/diff_arguments.h"
#include "cli/formats.h"
#include "cli/hot_arguments.h"
#include "cli/merge_arguments.h"
#include "cli/near_miss.h"
#include "cli/parse_time.h"
#include "cli/report.h"
#include "cli/ring_arguments.h"
#include "cli/sampling_arguments.h"
#include "cli/selection_arguments.h"
#include "cli/table.h"
#include "cli/window_arguments.h"
#include "model/event_kinds.h"

namespace rtl::cli {
namespace {

constexpr char kAbout[] =
    "rtl traces what AMD GPUs run for a program: every kernel, when, where and how long.";
constexpr char kExamples[] = R"(
Examples
  rtl trace -- python3 serve.py         trace a program into trace.db
  rtl trace --vgpu -- ./app             the same on a virtual GPU, where there is none
  rtl summary                           where the time went, from trace.db
  rtl diff before.db after.db           what got slower or faster
  rtl analyze                           why the GPU was idle, and what to do about it
  rtl report                            the same and a timeline as a page: trace.html
  rtl info                              what was traced, and whether anything is missing
  rtl convert --to pftrace              trace.pftrace for ui.perfetto.dev
  rtl merge a.db b.db -o all.db         one trace of those of several ranks
  rtl doctor                            what would be traced here, and what is in the way

`rtl VERB --help` has the options of one verb.)";
constexpr uint32_t kMostGpus = 8;
constexpr char kVgpu[] = "--vgpu{*}";  // what is in braces stands for no number
constexpr char kBare[] = "*";

bool IsNumber(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// "kernels, markers, …"
std::string EventWords() {
  std::string words;
  for (size_t i = 0; i < kEventKindCount; ++i) {
    words += (i == 0 ? "" : ", ") + std::string(EventWord(static_cast<EventKind>(i)));
  }
  return words;
}

class CommandLine {
 public:
  // `verb`: if there is one of this name, the others are left out, which takes a millisecond less.
  explicit CommandLine(std::string_view verb = "") : app_(kAbout, "rtl") {
    app_.formatter(MakeHelpFormatter());
    app_.get_formatter()->column_width(28);
    app_.get_formatter()->label("SUBCOMMAND", "VERB");
    app_.get_formatter()->label("REQUIRED", "");
    app_.require_subcommand(1);
    app_.set_help_flag("-h,--help", "Print this help and leave");
    app_.set_version_flag("--version", "rtl " RTL_VERSION, "Print the version and leave");
    AddVerbs(verb);
    if (app_.get_subcommands({}).empty()) AddVerbs("");
    for (CLI::App* verb : app_.get_subcommands({})) verb->group("Verbs");
    app_.footer(kExamples);  // last: verbs would inherit it
  }

  ProgramText Describe() const {
    ProgramText program = {.name = "rtl",
                           .text = "trace what AMD GPUs run for a program",
                           .version = RTL_VERSION,
                           .more = "rocprofv3(1), and docs/reference/cli.md",
                           .self = DescribeVerb(app_)};
    program.self.name.clear();
    for (const CLI::App* verb : app_.get_subcommands({}))
      program.verbs.push_back(DescribeVerb(*verb));
    return program;
  }

  Command Parse(std::vector<std::string> arguments) {
    TakeProgram(&arguments);
    TakeWords(&arguments);
    const std::string first = arguments.empty() ? "" : arguments.front();
    const std::string report = DidYouMeanReport(arguments);
    // CLI11 takes them last first.
    std::reverse(arguments.begin(), arguments.end());
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
      return Finished{0, Chosen().help(&Chosen() == &app_ ? "" : "rtl")};
    } catch (const CLI::CallForAllHelp&) {
      return Finished{0, app_.help("", CLI::AppFormatMode::All)};
    } catch (const CLI::CallForVersion&) {
      return Finished{0, "rtl " RTL_VERSION "\n"};
    } catch (const CLI::RequiredError&) {
      if (app_.get_subcommands().empty()) {
        if (first.starts_with('-')) return Usage("unknown option " + first);
        return Usage("unknown verb " + first +
                     (report.empty() ? DidYouMean(first, Verbs()) : report));
      }
      if (Chosen().get_name() == "counters") return Usage(counters_.Missing());
      return Usage("--spool and --output are required");
    } catch (const CLI::ExtrasError&) {
      const std::string word = app_.remaining(true).front();
      return Usage((word.starts_with('-') ? "unknown option " : "not expected: ") + word);
    } catch (const CLI::ParseError& error) {
      return Usage(Plain(error));
    }
    return Result();
  }

 private:
  // All of them for an empty `only`.
  void AddVerbs(std::string_view only) {
    const auto add = [only](std::string_view verb, const auto& adder) {
      if (only.empty() || only == verb) adder();
    };
    add("trace", [this] { AddTrace(); });
    add("summary", [this] { AddSummary(); });
    add("diff", [this] { diff_.AddTo(&app_); });
    add("analyze", [this] { AddAnalyze(); });
    add("hot", [this] { hot_.AddTo(&app_); });
    add("report", [this] { AddReport(); });
    add("info", [this] { AddInfo(); });
    add("convert", [this] { convert_.AddTo(&app_); });
    add("doctor", [this] { AddDoctor(); });
    add("collect", [this] { AddCollect(); });
    add("dump", [this] { AddDump(); });
    add("merge", [this] { merge_.AddTo(&app_); });
    add("counters", [this] { counters_.AddTo(&app_); });
  }

  // Everything behind "--" belongs to the program to trace.
  void TakeProgram(std::vector<std::string>* arguments) {
    const auto dashes = std::find(arguments->begin(), arguments->end(), "--");
    if (arguments->empty() || arguments->front() != "trace" || dashes == arguments->end()) return;
    has_dashes_ = true;
    program_.assign(dashes + 1, arguments->end());
    arguments->erase(dashes, arguments->end());
  }

  // What people type before they have read the help.
  static void TakeWords(std::vector<std::string>* arguments) {
    if (arguments->empty()) {
      *arguments = {"--help"};
    } else if (arguments->front() == "version") {
      arguments->front() = "--version";
    } else if (arguments->front() == "help") {
      arguments->erase(arguments->begin());
      arguments->push_back("--help");
    }
  }

  std::vector<std::string> Verbs() const {
    std::vector<std::string> verbs;
    for (const CLI::App* verb : app_.get_subcommands({})) verbs.push_back(verb->get_name());
    return verbs;
  }

  // The verb that was named, or the program itself.
  const CLI::App& Chosen() const {
    const auto verbs = app_.get_subcommands();
    return verbs.empty() ? app_ : *verbs.front();
  }

  Finished Usage(std::string why) const {
    while (!why.empty() && why.back() == '\n') why.pop_back();
    const auto verbs = app_.get_subcommands();
    const std::string verb = verbs.empty() ? "" : verbs.front()->get_name() + " ";
    return {kExitUsage, "rtl: " + Printable(why) + " (try: rtl " + verb + "--help)\n"};
  }

  std::string ComplaintOfTable() const {
    if (!csv_) return "--table needs --csv; --json has all tables";
    if (summary_.launch || summary_.counters) return "--table is not for --launch and --counters";
    std::string names;
    for (const std::string& name : CsvTables()) {
      if (name == summary_.table) return "";
      names += (names.empty() ? "" : ", ") + name;
    }
    return "--table takes one of " + names + ", not " + summary_.table;
  }

  Command Result() {
    const std::string verb = Chosen().get_name();
    if (verb == "trace") return Trace();
    if (verb == "summary") {
      if (csv_ && json_) return Usage("--csv and --json exclude each other");
      if (table_->count() > 0) {
        const std::string wrong = ComplaintOfTable();
        if (!wrong.empty()) return Usage(wrong);
      }
      if (csv_) summary_.format = TableFormat::kCsv;
      if (json_) summary_.format = TableFormat::kJson;
      if (!SummaryOrders().contains(order_)) {
        return Usage("--sort takes total, calls or avg, not " + order_);
      }
      summary_.order = SummaryOrders().at(order_);
      const std::string complaint = selection_.Take(&summary_.selection);
      if (!complaint.empty()) return Usage(complaint);
      if (summary_.launch && summary_.counters)
        return Usage("--launch and --counters exclude each other");
      if (summary_.launch && !selection_.empty()) return Usage("--launch takes no selection");
      return summary_;
    }
    if (verb == "diff") return TakeFrom<DiffOptions>(&diff_);
    if (verb == "analyze") {
      if (csv_ && json_) return Usage("--csv and --json exclude each other");
      if (csv_) analyze_.format = TableFormat::kCsv;
      if (json_) analyze_.format = TableFormat::kJson;
      const std::string complaint = selection_.Take(&analyze_.selection);
      if (!complaint.empty()) return Usage(complaint);
      return analyze_;
    }
    if (verb == "report") return Report();
    if (verb == "info") return info_;
    if (verb == "convert") return TakeFrom<ConvertOptions>(&convert_);
    if (verb == "doctor") {
      return TakeGpus(&doctor_.on_vgpu, &doctor_.gpus) ? Command(doctor_) : GpusUsage();
    }
    if (verb == "dump") {
      const std::string wrong = dump_.output.empty() ? "" : ComplaintOfDatabase("-o", dump_.output);
      return wrong.empty() ? Command(dump_) : Usage(wrong);
    }
    if (verb == "counters") return counters_.Options();
    if (verb == "merge") {
      const std::string wrong = merge_.Complaint();
      return wrong.empty() ? Command(merge_.options()) : Usage(wrong);
    }
    if (verb == "hot") return TakeFrom<HotOptions>(&hot_);
    if (collect_.spool.empty()) return Usage("--spool needs the name of a directory");
    if (collect_.output.empty()) return Usage("--output needs a file name");
    if (collect_.output == "-") return Usage(kNeedsFile);
    const std::string no_database = ComplaintOfDatabase("--output", collect_.output);
    if (!no_database.empty()) return Usage(no_database);
    return collect_;
  }

  // What was said with --vgpu, if it was; false when that is no number of GPUs.
  bool TakeGpus(bool* on_vgpu, std::optional<uint32_t>* gpus) const {
    if (gpus_.empty()) return true;
    *on_vgpu = true;
    if (gpus_ == kBare) return true;
    uint32_t count = 0;
    const char* end = gpus_.data() + gpus_.size();
    const auto [rest, error] = std::from_chars(gpus_.data(), end, count);
    if (error != std::errc() || rest != end || count == 0 || count > kMostGpus) return false;
    *gpus = count;
    return true;
  }
  Finished GpusUsage() const {
    return Usage("--vgpu takes 1 to " + std::to_string(kMostGpus) + " GPUs, not " + gpus_);
  }

  Command Trace() {
    trace_.command = trace_verb_->remaining();
    if (attach_.given()) {
      trace_.command.insert(trace_.command.end(), program_.begin(), program_.end());
      const std::string wrong = attach_.Take(&trace_);
      return wrong.empty() ? Command(trace_) : Usage(wrong);
    }
    if (!trace_.command.empty() && trace_.command.front().starts_with('-')) {
      return Usage("unknown option " + trace_.command.front());
    }
    // A program named before "--" has that among its own arguments.
    if (has_dashes_ && !trace_.command.empty()) trace_.command.push_back("--");
    trace_.command.insert(trace_.command.end(), program_.begin(), program_.end());
    if (trace_.command.empty()) return Usage("no program to trace");
    const std::string& program = trace_.command.front();
    if (gpus_ == kBare && IsNumber(program)) {
      return Usage("--vgpu takes its number behind an equals sign: --vgpu=" + program);
    }
    if (trace_.output.empty()) return Usage("-o needs a file name");
    if (trace_.output == "-") return Usage(kNeedsFile);
    const std::string no_database = ComplaintOfDatabase("-o", trace_.output);
    if (!no_database.empty()) return Usage(no_database);
    if (pftrace_->count() > 0) {
      const std::string& pftrace = trace_.pftrace;
      if (pftrace.empty()) return Usage("--pftrace needs a file name");
      if (pftrace == "-") {
        return Usage("standard output belongs to the program; rtl convert -o - writes there");
      }
      if (trace_.split) {
        return Usage("--split and --pftrace exclude each other; rtl convert takes one database");
      }
      if (NameOneFile(pftrace, trace_.output)) {
        return Usage("the timeline would replace the database " + trace_.output);
      }
      const std::string no_timeline = ComplaintOfTimeline("--pftrace", pftrace);
      if (!no_timeline.empty()) return Usage(no_timeline);
    }
    if (!TakeGpus(&trace_.on_vgpu, &trace_.gpus)) return GpusUsage();
    if (coverage_->count() > 0) {
      if (!(min_coverage_ >= 0 && min_coverage_ <= 100)) {
        return Usage("--min-coverage takes 0 to 100 percent");
      }
      trace_.min_coverage = min_coverage_;
    }
    if (!hang_timeout_.empty() && !ParseTime(hang_timeout_, &trace_.hang_timeout_ns)) {
      return Usage("--hang-timeout takes a time, as 60s, 500ms or 10m");
    }
    const std::string no_ring = ring_.Take(&trace_);
    if (!no_ring.empty()) return Usage(no_ring);
    const std::string no_samples = sampling_.Take(&trace_);
    if (!no_samples.empty()) return Usage(no_samples);
    const std::string no_window = window_.Take(&trace_);
    if (!no_window.empty()) return Usage(no_window);
    if (events_->count() > 0) {
      EventSet events;
      const Status parsed = ParseEvents(trace_.events.c_str(), &events);
      if (!parsed.ok()) return Usage(std::string("--events: ") + parsed.message());
      if (trace_.mode == "clr") {
        return Usage("--events has no place in mode clr, which records what HIP's profiler has");
      }
    }
    if (!trace_.counters.empty()) {
      std::string unused;
      counters::Definitions known;
      const Status read = ReadDefinitions(trace_.counter_file, &known);
      if (!read.ok()) return Usage(std::string("--counters-file: ") + read.message());
      Status chosen = ChooseCounters(trace_.counters, known, &unused);
      unused.clear();
      if (chosen.ok()) chosen = ChooseKernels(trace_.counter_kernels, &unused);
      if (!chosen.ok()) return Usage(std::string("--pmc: ") + chosen.message());
      if (trace_.mode == "clr" || trace_.mode == "lite")
        return Usage("--pmc has no place in mode " + trace_.mode);
    }
    return CheckMode(trace_);
  }

  // The library in the traced process has the last word on modes; here it is asked beforehand.
  Command CheckMode(const TraceOptions& trace) {
    static std::string mode;
    mode = trace.mode;
    if (mode.empty()) return trace;
    Config config;
    const Status parsed = Config::Parse(
        [](const char* name) {
          return std::string_view(name) == "RTL_MODE" ? mode.c_str() : nullptr;
        },
        &config);
    if (parsed.ok()) return trace;
    const std::string why = parsed.message();  // what follows the semicolon is not for us
    const std::string variable = "RTL_MODE=";
    const std::string shown = why.starts_with(variable) ? why.substr(variable.size()) : why;
    return Usage("--mode " + shown.substr(0, shown.find(';')));
  }

  // Of a verb that has a class for its arguments.
  template <typename Options, typename Arguments>
  Command TakeFrom(Arguments* arguments) {
    Options options;
    const std::string complaint = arguments->Take(&options);
    if (!complaint.empty()) return Usage(complaint);
    return options;
  }

  Command Report() {
    std::string& output = report_.output;
    if (report_output_->count() > 0 && output.empty()) return Usage("-o needs a file name");
    if (output.empty()) output = DefaultOutput(report_.file, ".html");
    const std::string no_page = ComplaintOfPage("-o", output);
    if (!no_page.empty()) return Usage(no_page);
    if (output != "-" && NameOneFile(output, report_.file)) {
      return Usage("the page would replace the trace");
    }
    const std::string complaint = selection_.Take(&report_.selection);
    if (!complaint.empty()) return Usage(complaint);
    return report_;
  }

  void AddTrace() {
    trace_verb_ = app_.add_subcommand("trace", "Run a program and trace what it does on the GPU");
    trace_verb_->prefix_command();
    trace_verb_->add_option("-o,--output", trace_.output, "Database to write")
        ->type_name("FILE")
        ->capture_default_str();
    trace_verb_
        ->add_option("--mode", trace_.mode,
                     "What to capture: auto, full, standard, lite, hip or clr")
        ->type_name("MODE");
    events_ = trace_verb_
                  ->add_option("--events", trace_.events,
                               "Record these kinds of events instead of those of the mode, "
                               "separated by commas: " +
                                   EventWords())
                  ->type_name("KINDS");
    trace_verb_
        ->add_option("--pmc", trace_.counters,
                     "Read these hardware counters of every kernel, separated by commas")
        ->type_name("COUNTERS")
        ->allow_extra_args(false);
    trace_verb_
        ->add_option("--counters-file", trace_.counter_file,
                     "Definitions of more counters for --pmc, as YAML")
        ->type_name("FILE");
    trace_verb_
        ->add_option("--pmc-kernels", trace_.counter_kernels.include,
                     "Count only kernels whose name matches")
        ->type_name("REGEX");
    trace_verb_
        ->add_option("--pmc-not-kernels", trace_.counter_kernels.exclude,
                     "Count no kernels whose name matches")
        ->type_name("REGEX");
    trace_verb_
        ->add_option("--pmc-launches", trace_.counter_kernels.launches,
                     "Count only these launches of each kernel: 1-3,10")
        ->type_name("RANGES");
    trace_verb_->add_flag(kVgpu, gpus_, "Run it on a virtual GPU, or on N of them");
    pftrace_ = trace_verb_
                   ->add_option("--pftrace", trace_.pftrace,
                                "Also write a timeline for Perfetto, by the name's ending")
                   ->type_name("FILE");
    trace_verb_->add_flag("!--no-summary", trace_.summary, "Print no table afterwards");
    trace_verb_->add_flag("--keep-spool", trace_.keep_spool, "Leave the raw records in place");
    trace_verb_->add_flag("--allow-fallback", trace_.allow_fallback,
                          "Mode clr: where HIP has no profiler of its own, go on in mode hip");
    trace_verb_->add_flag("--barriers", trace_.barriers,
                          "Record the barrier packets of the queues, too");
    trace_verb_->add_flag("--paused", trace_.paused,
                          "Begin paused: record what follows roctxProfilerResume");
    window_.AddTo(trace_verb_);
    trace_verb_->add_flag("--lossless", trace_.lossless,
                          "Make the program wait where an event would be dropped");
    trace_verb_->add_flag("--split", trace_.split,
                          "Write a database for every process, and a list of them");
    trace_verb_->add_flag("--packed", trace_.packed,
                          "Keep kernels packed: a fraction of the size, for rtl alone to read");
    coverage_ = trace_verb_
                    ->add_option("--min-coverage", min_coverage_,
                                 "Fail when less than so much of the kernels is in the trace "
                                 "(default: when there are some, one)")
                    ->type_name("PERCENT");
    trace_verb_
        ->add_option("--hang-timeout", hang_timeout_,
                     "Say which kernels are in flight when one has not ended for so long, as 60s "
                     "or 10m; the program goes on")
        ->type_name("TIME");
    ring_.AddTo(trace_verb_);
    attach_.AddTo(trace_verb_);
    sampling_.AddTo(trace_verb_);
    trace_verb_->footer(
        "The program and its arguments follow, best after --. Its exit code is returned, or 128+n"
        "\nwhen signal n ended it. Its standard input, output and error are its own; the summary"
        "\ngoes to standard error.");
  }

  void AddSummary() {
    summary_verb_ = app_.add_subcommand("summary", "Print kernels, GPUs and markers by time");
    AddFile(summary_verb_, &summary_.file);
    summary_verb_->add_option("-n", summary_.rows, "Print so many rows; 0: all (default 20)")
        ->type_name("N");
    summary_verb_->add_option("--sort", order_, "Sort by total (default), calls or avg")
        ->type_name("ORDER");
    summary_verb_->add_flag(
        "--launch", summary_.launch,
        "Kernels by the time of their launch, their wait and their run instead");
    summary_verb_->add_flag("--counters", summary_.counters,
                            "Hardware counters of each kernel instead");
    selection_.AddTo(summary_verb_);
    summary_verb_->add_flag("--csv", csv_,
                            "One table as comma-separated values, in nanoseconds: kernels, unless "
                            "--table says another");
    table_ = summary_verb_
                 ->add_option("--table", summary_.table,
                              "With --csv: kernels, gpus, calls, copies, ranges, events or ledger")
                 ->type_name("TABLE");
    summary_verb_->add_flag("--json", json_, "Everything as JSON, in nanoseconds");
  }

  void AddAnalyze() {
    analyze_verb_ = app_.add_subcommand("analyze", "Print why each GPU was idle");
    AddFile(analyze_verb_, &analyze_.file);
    analyze_verb_->add_option("-n", analyze_.rows, "Print so many causes; 0: all (default 10)")
        ->type_name("N");
    selection_.AddTo(analyze_verb_);
    analyze_verb_->add_flag("--csv", csv_, "Causes as comma-separated values, in nanoseconds");
    analyze_verb_->add_flag("--json", json_, "Everything as JSON, in nanoseconds");
  }

  void AddReport() {
    report_verb_ = app_.add_subcommand(
        "report", "Write a page for browsers: why GPUs were idle, a timeline, tables");
    AddFile(report_verb_, &report_.file);
    report_output_ = report_verb_
                         ->add_option("-o,--output", report_.output,
                                      "Page to write, - for standard output (default: FILE with "
                                      ".html at its end)")
                         ->type_name("FILE");
    selection_.AddTo(report_verb_);
  }

  void AddInfo() {
    info_verb_ = app_.add_subcommand("info", "Print what was traced and what is missing");
    AddFile(info_verb_, &info_.file);
    info_verb_->add_flag("--json", info_.json, "The same as JSON, in nanoseconds");
    info_verb_->add_flag("--in-flight", info_.in_flight,
                         "Only the kernels in flight when their process ended; FILE may be a "
                         "traced process that runs, by its number, or a spool");
  }

  void AddDoctor() {
    doctor_verb_ =
        app_.add_subcommand("doctor", "Find out what would be traced here, and what is in the way");
    doctor_verb_->add_flag(kVgpu, gpus_, "On a virtual GPU, or on N of them");
    doctor_verb_->add_flag("--probe", doctor_.probe, "Only start and stop the HSA runtime")
        ->group("");  // for doctor itself
  }

  void AddCollect() {
    collect_verb_ = app_.add_subcommand("collect", "Make a database of a spool directory");
    collect_verb_->add_option("--spool", collect_.spool, "Directory of the spool")
        ->type_name("DIR")
        ->required();
    collect_verb_->add_option("--output,-o", collect_.output, "Database to write")
        ->type_name("FILE")
        ->required();
    collect_verb_->add_option("--pid", collect_.pid, "Wait for this process to end")
        ->type_name("PID");
    collect_verb_->add_flag("--keep-spool", collect_.keep_spool, "Leave the spool in place");
    collect_verb_->add_flag("--packed", collect_.packed, "As of rtl trace");
    collect_verb_->add_flag("--attachable", collect_.attachable)->group("");  // for RTL_ATTACH
  }

  void AddDump() {
    dump_verb_ = app_.add_subcommand("dump", "Write what a traced process has in its ring now");
    dump_verb_->add_option("PROCESS", dump_.process, "Its pid, or the directory of its spool")
        ->type_name("")
        ->required();
    dump_verb_
        ->add_option("-o,--output", dump_.output, "Database to write (default: beside the trace)")
        ->type_name("FILE");
  }

  static void AddFile(CLI::App* verb, std::string* file) {
    verb->add_option("FILE", *file, "The trace")->capture_default_str()->type_name("");
  }

  CLI::App app_;
  CLI::App* trace_verb_ = nullptr;
  CLI::App* summary_verb_ = nullptr;
  CLI::App* analyze_verb_ = nullptr;
  CLI::App* report_verb_ = nullptr;
  CLI::App* info_verb_ = nullptr;
  CLI::App* collect_verb_ = nullptr;
  CLI::App* doctor_verb_ = nullptr;
  CLI::App* dump_verb_ = nullptr;
  CLI::Option* coverage_ = nullptr;
  CLI::Option* table_ = nullptr;
  CLI::Option* pftrace_ = nullptr;
  CLI::Option* events_ = nullptr;
  CLI::Option* report_output_ = nullptr;

  TraceOptions trace_;
  CollectCommand collect_;
  DumpOptions dump_;
  CountersArguments counters_;
  HotArguments hot_;
  MergeArguments merge_;
  RingArguments ring_;
  SamplingArguments sampling_;
  WindowArguments window_;
  AttachArguments attach_;
  SummaryOptions summary_;
  DiffArguments diff_;
  ConvertArguments convert_;
  SelectionArguments selection_;
  AnalyzeOptions analyze_;
  ReportOptions report_;
  InfoOptions info_;
  std::string hang_timeout_;
  DoctorOptions doctor_;
  double min_coverage_ = 0;
  std::vector<std::string> program_;  // behind "--"
  bool has_dashes_ = false;
  std::string order_ = "total";
  std::string gpus_;  // of --vgpu: kBare, or as it was typed; empty: not there
  bool csv_ = false;
  bool json_ = false;
};

}  // namespace

ProgramText DescribeRtl() { return CommandLine().Describe(); }

Command ParseArguments(std::vector<std::string> arguments) {
  const std::string verb = arguments.empty() ? "" : arguments.front();
  return CommandLine(verb).Parse(std::move(arguments));
}

}  // namespace rtl::cli
