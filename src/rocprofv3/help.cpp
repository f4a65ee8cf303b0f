// SPDX-License-Identifier: MIT
#include "rocprofv3/help.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "rocprofv3/option_table.h"

namespace rtl::v3 {
namespace {

constexpr size_t kColumn = 32;
constexpr size_t kWidth = 100;

std::string Usage(const Option& option) {
  std::string text = "  " + std::string(option.name);
  if (option.other != nullptr) text += ", " + std::string(option.other);
  switch (option.takes) {
    case Takes::kSwitch:
      return text;
    case Takes::kWord:
      return text + " WORD";
    case Takes::kNumber:
      return text + " N";
    case Takes::kWords:
    case Takes::kAnyWords:
      return text + " WORD ...";
    case Takes::kChoice:
    case Takes::kChoices:
      break;
  }
  std::string choices = option.choices;
  for (char& c : choices) c = c == ' ' ? '|' : c;
  return text + " " + choices + (option.takes == Takes::kChoices ? " ..." : "");
}

void AddOption(const Option& option, std::string* text) {
  std::string line = Usage(option);
  if (line.size() + 2 > kColumn) {
    *text += line + "\n";
    line.clear();
  }
  line.resize(kColumn, ' ');
  std::istringstream words(std::string(option.served == Served::kYes ? "" : "(not served) ") +
                           option.text);
  for (std::string word; words >> word;) {
    if (line.size() + word.size() + 1 > kWidth) {
      *text += line + "\n";
      line.assign(kColumn, ' ');
    }
    line += (line.size() == kColumn ? "" : " ") + word;
  }
  *text += line + "\n";
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
  return text;
}

std::string VersionText() {
  return "             version: 1.0.0\n"
         "           interface: rocprofv3 1.0, and 0.5 with --compat 0.5\n"
         "                 rtl: " RTL_VERSION "\n";
}

}  // namespace rtl::v3
