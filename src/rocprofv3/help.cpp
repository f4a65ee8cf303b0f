// SPDX-License-Identifier: MIT
#include "rocprofv3/help.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/base/print.h"
#include "export/tool/csv.h"
#include "rocprofv3/option_table.h"
#include "rocprofv3/output_names.h"

namespace rtl::v3 {
namespace {

constexpr size_t kColumn = 32;
constexpr size_t kWidth = 100;

std::string ValueOf(const Option& option) {
  switch (option.takes) {
    case Takes::kSwitch:
      return "";
    case Takes::kNumber:
      return "N";
    case Takes::kChoice:
    case Takes::kWord:
      return "WORD";
    case Takes::kWords:
    case Takes::kAnyWords:
    case Takes::kChoices:
    case Takes::kGroups:
      return "WORD ...";
  }
  return "";
}

std::string Usage(const Option& option) {
  std::string text = "  " + std::string(option.name);
  if (option.other != nullptr) text += ", " + std::string(option.other);
  std::string value = ValueOf(option);
  if (option.choices != nullptr) {
    value = option.choices;
    std::replace(value.begin(), value.end(), ' ', '|');
    if (!TakesOne(option.takes)) value += " ...";
  }
  return value.empty() ? text : text + " " + value;
}

// Appends `all` word by word in lines that begin at `column`. The first line continues `line`.
void AddWords(const std::string& all, size_t column, std::string line, std::string* text) {
  std::istringstream words(all);
  for (std::string word; words >> word;) {
    if (line.size() + word.size() + 1 > kWidth) {
      *text += line + "\n";
      line.assign(column, ' ');
    }
    line += (line.size() == column ? "" : " ") + word;
  }
  *text += line + "\n";
}

void AddOption(const Option& option, std::string* text) {
  std::string line = Usage(option);
  if (line.size() + 2 > kColumn) {
    *text += line + "\n";
    line.clear();
  }
  line.resize(kColumn, ' ');
  AddWords(std::string(option.served == Served::kYes ? "" : "(not supported) ") + option.text,
           kColumn, line, text);
}

void AddParagraph(const std::string& heading, const std::vector<std::string>& words,
                  std::string* text) {
  *text += "\n" + heading + "\n";
  AddWords(cli::Joined(words), 2, "  ", text);
}

}  // namespace

std::string HelpText() {
  std::string text =
      "Usage: rocprofv3 [options] -- PROGRAM [ARGUMENTS]\n\n"
      "Runs a program and writes what it did on AMD GPUs, in the files of AMD's rocprofv3.\n"
      "A switch may be given a truth value: --sys-trace --hip-compiler-trace=no.\n";
  std::vector<std::string_view> groups;
  for (const Option& option : Options()) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) {
      groups.push_back(option.group);
    }
  }
  for (const std::string_view group : groups) {
    text += "\n" + std::string(group) + "\n";
    for (const Option& option : Options()) {
      if (option.group == group && *option.name != '\0') AddOption(option, &text);
    }
  }
  AddParagraph("Keys in names of files and folders; {pid} is %pid%", OutputNames::AllKeys(), &text);
  AddParagraph("Keys of input files beside those of the options (kernel_trace, ...)", OtherKeys(),
               &text);
  AddParagraph("Files of CSV", exporting::tool::CsvFiles(), &text);
  return text;
}

std::string VersionText() {
  return "             version: 1.0.0\n"
         "           interface: rocprofv3 1.0, and 0.5 with --compat 0.5\n"
         "                 rtl: " RTL_VERSION "\n";
}

cli::ProgramText DescribeRocprofv3() {
  cli::ProgramText program = {.name = "rocprofv3",
                              .text = "trace and count what AMD GPUs run for a program",
                              .version = RTL_VERSION,
                              .more = "rtl(1), and docs/reference/rocprofv3.md",
                              .self = {.takes_command = true}};
  for (const Option& option : Options()) {
    if (option.served != Served::kYes) continue;
    if (*option.name == '\0') continue;  // only a key of input files
    cli::OptionText text = {.names = {option.name}, .value = ValueOf(option), .text = option.text};
    if (option.other != nullptr) text.names.insert(text.names.begin(), option.other);
    std::istringstream choices(option.choices == nullptr ? "" : option.choices);
    for (std::string choice; choices >> choice;) text.choices.push_back(choice);
    program.self.options.push_back(std::move(text));
  }
  return program;
}

}  // namespace rtl::v3
