// SPDX-License-Identifier: MIT
#include "cli/parser.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "cli/base/command_text.h"
#include "cli/base/describe.h"
#include "cli/base/near_miss.h"
#include "cli/base/table.h"
#include "cli/base/verb_arguments.h"
#include "cli/trace/trace_arguments.h"

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
  rtl convert --to parquet r*.db -o job the traces of many ranks, for rtl fleet and other engines
  rtl fleet verdict job                 which ranks, steps and kernels held up a job
  rtl import trace.json.gz -o trace.db  a trace of torch.profiler; summary, analyze, … open it, too
  rtl doctor                            what can be traced here, and what prevents it
  rtl selftest                          whether its traces are right on this machine

`rtl VERB --help` has the options of one verb.)";

// The part of a verb that this file uses.
struct Verb {
  const char* name;
  std::function<void(CLI::App* app)> add;
  std::function<std::string(Command* command)> take;  // returns the error; empty: none
  std::function<std::string()> missing;               // the message for a missing argument
};

template <typename Arguments>
Verb MakeVerb(const char* name,
              std::shared_ptr<Arguments> arguments = std::make_shared<Arguments>()) {
  Verb verb = {name, [arguments](CLI::App* app) { arguments->AddTo(app); },
               [arguments](Command* command) {
                 std::string complaint = arguments->Resolve();
                 if (complaint.empty()) *command = std::move(arguments->options());
                 return complaint;
               },
               nullptr};
  if constexpr (requires { arguments->Missing(); }) {
    verb.missing = [arguments] { return std::string(arguments->Missing()); };
  }
  return verb;
}

class CommandLine {
 public:
  // `verb`: builds only the verb of this name, if it exists, which saves a millisecond.
  explicit CommandLine(std::string_view verb = "") : app_(kAbout, "rtl") {
    app_.formatter(MakeHelpFormatter());
    app_.get_formatter()->column_width(28);
    app_.get_formatter()->label("SUBCOMMAND", "VERB");
    app_.get_formatter()->label("REQUIRED", "");
    app_.require_subcommand(1);
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.set_version_flag("--version", "rtl " RTL_VERSION, "Print the version and exit");
    AddVerbs(verb);
    if (app_.get_subcommands({}).empty()) AddVerbs("");
    for (CLI::App* each : app_.get_subcommands({})) each->group("Verbs");
    app_.footer(kExamples);  // set last, because verbs would inherit it
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
    if (!arguments.empty() && arguments.front() == "trace") trace_->ExtractProgram(&arguments);
    ReplaceWords(&arguments);
    for (const std::string& word : arguments) {
      if (word == "--") break;
      if (word.starts_with("--") && word.find('=') == word.size() - 1)
        unvalued_.push_back(word.substr(0, word.size() - 1));
    }
    const std::string first = arguments.empty() ? "" : arguments.front();
    const std::string report = DidYouMeanReport(arguments);
    // CLI11 takes the arguments in reverse order.
    std::reverse(arguments.begin(), arguments.end());
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
      return Finished{0, Chosen().help(&Chosen() == &app_ ? "" : "rtl")};
    } catch (const CLI::CallForAllHelp&) {
      return Finished{0, app_.help("", CLI::AppFormatMode::All)};
    } catch (const CLI::CallForVersion&) {
      return Finished{0,
                      "rtl " RTL_VERSION
                      "\nbuilt for Linux on x86_64 with glibc " RTL_BUILT_FOR_GLIBC " or newer\n"};
    } catch (const CLI::RequiredError& error) {
      if (app_.get_subcommands().empty()) {
        if (first.starts_with('-')) return Usage("unknown option " + first);
        return Usage("unknown verb " + first +
                     (report.empty() ? DidYouMean(first, Verbs()) : report));
      }
      const Verb& verb = ChosenVerb();
      return Usage(verb.missing ? verb.missing() : Plain(error));
    } catch (const CLI::ExtrasError&) {
      const std::string word = app_.remaining(true).front();
      return Usage((word.starts_with('-') ? "unknown option " : "unexpected argument: ") + word);
    } catch (const CLI::ParseError& error) {
      return Usage(Plain(error));
    }
    return Result();
  }

 private:
  // Adds the verb `only`, or all verbs if `only` is empty.
  void AddVerbs(std::string_view only) {
    for (const Verb& verb : verbs_) {
      if (only.empty() || only == verb.name) verb.add(&app_);
    }
  }

  // Accepts what users type before they have read the help.
  static void ReplaceWords(std::vector<std::string>* arguments) {
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

  // The chosen verb, or the program itself.
  const CLI::App& Chosen() const {
    const auto verbs = app_.get_subcommands();
    return verbs.empty() ? app_ : *verbs.front();
  }

  Finished Usage(std::string why) const {
    while (!why.empty() && why.back() == '\n') why.pop_back();
    const auto verbs = app_.get_subcommands();
    const std::string verb = verbs.empty() ? "" : verbs.front()->get_name() + " ";
    return {kExitUsage, "rtl: " + Shown(why) + " (try: rtl " + verb + "--help)\n"};
  }

  // Call it only if a verb was chosen.
  const Verb& ChosenVerb() const {
    const std::string name = Chosen().get_name();
    return *std::find_if(verbs_.begin(), verbs_.end(),
                         [&name](const Verb& verb) { return name == verb.name; });
  }

  // "--duration $UNSET" is an error: it must not mean the default. Empty: every option has its
  // value.
  static std::string ComplaintOfEmptyWords(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
      const auto& words = option->results();
      if (option->get_positional()) continue;  // for a file, the verb reports the error
      if (std::find(words.begin(), words.end(), "") == words.end()) continue;
      return option->get_name() + " needs a value";
    }
    for (const CLI::App* action : app.get_subcommands()) {
      std::string complaint = ComplaintOfEmptyWords(*action);
      if (!complaint.empty()) return complaint;
    }
    return "";
  }

  Command Result() {
    const std::string empty = ComplaintOfEmptyWords(Chosen());
    if (!empty.empty()) return Usage(empty);
    if (!unvalued_.empty()) return Usage(unvalued_.front() + " needs a value");
    Command command;
    std::string complaint = ChosenVerb().take(&command);
    return complaint.empty() ? std::move(command) : Usage(std::move(complaint));
  }

  CLI::App app_;
  std::vector<std::string> unvalued_;  // options with "=" and nothing behind it
  const std::shared_ptr<TraceArguments> trace_ = std::make_shared<TraceArguments>();
  // The order of the help.
  const std::vector<Verb> verbs_ = {
      MakeVerb("trace", trace_),
      MakeVerb<SummaryArguments>("summary"),
      MakeVerb<DiffArguments>("diff"),
      MakeVerb<AnalyzeArguments>("analyze"),
      MakeVerb<HotArguments>("hot"),
      MakeVerb<ReportArguments>("report"),
      MakeVerb<InfoArguments>("info"),
      MakeVerb<ConvertArguments>("convert"),
      MakeVerb<DoctorArguments>("doctor"),
      MakeVerb<SelftestArguments>("selftest"),
      MakeVerb<CollectArguments>("collect"),
      MakeVerb<DumpArguments>("dump"),
      MakeVerb<MergeArguments>("merge"),
      MakeVerb<ImportArguments>("import"),
      MakeVerb<FleetArguments>("fleet"),
      MakeVerb<CountersArguments>("counters"),
  };
};

}  // namespace

ProgramText DescribeRtl() { return CommandLine().Describe(); }

Command ParseArguments(std::vector<std::string> arguments) {
  const std::string verb = arguments.empty() ? "" : arguments.front();
  return CommandLine(verb).Parse(std::move(arguments));
}

}  // namespace rtl::cli
