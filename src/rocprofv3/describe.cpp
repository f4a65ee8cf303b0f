// SPDX-License-Identifier: MIT
#include "rocprofv3/describe.h"

#include <sstream>

#include "rocprofv3/option_table.h"

namespace rtl::v3 {
namespace {

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

}  // namespace

cli::ProgramText DescribeRocprofv3() {
  cli::ProgramText program = {.name = "rocprofv3",
                              .text = "trace and count what AMD GPUs run for a program",
                              .version = RTL_VERSION,
                              .more = "rtl(1), and docs/reference/rocprofv3.md",
                              .self = {.takes_command = true}};
  for (const Option& option : Options()) {
    if (option.served != Served::kYes) continue;
    if (*option.name == '\0') continue;  // a key of input files
    cli::OptionText text = {.names = {option.name}, .value = ValueOf(option), .text = option.text};
    if (option.other != nullptr) text.names.insert(text.names.begin(), option.other);
    std::istringstream choices(option.choices == nullptr ? "" : option.choices);
    for (std::string choice; choices >> choice;) text.choices.push_back(choice);
    program.self.options.push_back(std::move(text));
  }
  return program;
}

}  // namespace rtl::v3
