// SPDX-License-Identifier: MIT
#include "cli/base/command_text.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <utility>

#include "base/config.h"
#include "cli/base/formats.h"
#include "model/event_kinds.h"

namespace rtl::cli {
namespace {

class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(app, std::move(name));
    if (app->get_name() != "trace") return usage;
    usage.erase(usage.find_last_not_of('\n') + 1);
    return usage + " [--] PROGRAM [ARGUMENTS]\n";
  }
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    if (option->check_lname("vgpu")) return "--vgpu[=N]";
    if (option->check_lname("no-summary")) return "--no-summary";
    return CLI::Formatter::make_option_name(option, is_positional);
  }
};

std::vector<std::string> ChoicesOf(const std::string& option) {
  std::vector<std::string> choices;
  if (option == "--sort") {
    for (const auto& [word, order] : SummaryOrders()) choices.push_back(word);
  } else if (option == "--mode") {
    for (const Mode mode :
         {Mode::kAuto, Mode::kFull, Mode::kStandard, Mode::kLite, Mode::kHip, Mode::kClr}) {
      choices.emplace_back(ModeName(mode));
    }
  } else if (option == "--events") {
    for (size_t i = 0; i < kEventKindCount; ++i)
      choices.emplace_back(EventWord(static_cast<EventKind>(i)));
  }
  return choices;
}

// Adds an action of the verb to its operands, and the options of the action that the verb does not
// have yet.
void AddAction(const CLI::App& app, VerbText* verb) {
  verb->actions.push_back(app.get_name());
  verb->operands += (verb->operands.empty() ? "" : "|") + app.get_name();
  for (OptionText& option : DescribeVerb(app).options) {
    const bool known =
        std::any_of(verb->options.begin(), verb->options.end(),
                    [&](const OptionText& other) { return other.names == option.names; });
    if (!known) verb->options.push_back(std::move(option));
  }
}

bool Parse(const std::string& text, double least, uint64_t* ns) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"m", 60e9}, {"h", 3600e9}};
  constexpr double kMost = 1e18;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc()) return false;
  const std::string_view unit(parsed.ptr, static_cast<size_t>(end - parsed.ptr));
  for (const auto& [name, factor] : kUnits) {
    if (unit != name || !(number * factor >= least) || number * factor > kMost) continue;
    *ns = static_cast<uint64_t>(number * factor);
    return true;
  }
  return false;
}

}  // namespace

std::string Plain(const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string unconverted = "Could not convert: ";
  if (text.starts_with(unconverted)) {  // only options with numbers convert their value
    const std::string what = text.substr(unconverted.size());
    const size_t equals = what.find(" = ");
    if (equals != std::string::npos) {
      return what.substr(0, equals) + " takes a number, not " + what.substr(equals + 3);
    }
  }
  const size_t value = text.find(": Value ");
  const size_t range = text.rfind(" not in range ");
  // Only options with whole numbers have a range.
  if (value < range && range != std::string::npos) {
    const std::string given = text.substr(value + 8, range - value - 8);
    return text.substr(0, value) +
           (given.empty() ? " needs a value"
                          : " takes a number, " + text.substr(range + 14) + ", not " + given);
  }
  const size_t set = text.rfind(" not in {");
  if (const size_t name = text.find(": "); name < set && set != std::string::npos) {
    const std::string given = text.substr(name + 2, set - name - 2);
    if (given.empty()) return text.substr(0, name) + " needs a value";
    const std::string choices = text.substr(set + 9, text.size() - set - 10);
    return text.substr(0, name) + " takes one of " + choices + ", not " + given;
  }
  const size_t missing = text.find(": 1 required ");
  if (missing != std::string::npos && text.ends_with(" missing")) {
    return text.substr(0, missing) + " needs a value";
  }
  const size_t twice = text.find(": At Most 1 required");
  if (twice != std::string::npos) return text.substr(0, twice) + " is given more than once";
  return text;
}

CLI::Validator CountedFromZero() {
  return CLI::Range(0, std::numeric_limits<int32_t>::max()).description("");
}

std::shared_ptr<CLI::FormatterBase> MakeHelpFormatter() {
  return std::make_shared<HelpFormatter>();
}

VerbText DescribeVerb(const CLI::App& app) {
  VerbText verb;
  verb.name = app.get_name();
  verb.text = app.get_description();
  verb.takes_command = verb.name == "trace";
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // an option that only rtl itself uses
    if (option->get_positional()) {
      verb.operands += (verb.operands.empty() ? "[" : " [") + option->get_name(true) + "]";
      continue;
    }
    OptionText text;
    if (option->get_type_size() != 0) text.value = option->get_type_name();
    text.text = option->get_description();
    for (const std::string& name : option->get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) text.names.push_back("--" + name);
    text.choices = text.value == "FORMAT" ? AllFormats() : ChoicesOf(text.names.back());
    verb.options.push_back(std::move(text));
  }
  if (app.get_parent() == nullptr) return verb;
  for (const CLI::App* action : app.get_subcommands({})) AddAction(*action, &verb);
  return verb;
}

const std::map<std::string, analysis::SummaryOrder>& SummaryOrders() {
  static const std::map<std::string, analysis::SummaryOrder> kOrders = {
      {"total", analysis::SummaryOrder::kTotal},
      {"calls", analysis::SummaryOrder::kCalls},
      {"avg", analysis::SummaryOrder::kAverage}};
  return kOrders;
}

std::string ComplaintOfTable(bool csv, const std::string& table,
                             const std::vector<std::string>& tables) {
  if (!csv) return "--table needs --csv; --json has all tables";
  std::string names;
  for (const std::string& name : tables) {
    if (name == table) return "";
    names += (names.empty() ? "" : ", ") + name;
  }
  return "--table takes one of " + names + ", not " + table;
}

bool ParseTime(const std::string& text, uint64_t* ns) { return Parse(text, 1, ns); }

bool ParseTimeOrZero(const std::string& text, uint64_t* ns) { return Parse(text, 0, ns); }

std::string ResolveTableFormat(bool csv, bool json, TableFormat* format) {
  if (csv && json) return "--csv and --json exclude each other";
  *format = csv ? TableFormat::kCsv : json ? TableFormat::kJson : TableFormat::kText;
  return "";
}

}  // namespace rtl::cli
