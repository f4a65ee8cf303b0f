// SPDX-License-Identifier: MIT
// describe.h: the options of a program as data, from which its manual page and its shell completion
// are made (src/programs).
//
// Threads    any
#pragma once

#include <string>
#include <vector>

namespace rtl::cli {

struct OptionText {
  std::vector<std::string> names;         // "-o", "--output"
  std::string value;                      // name of the value: "FILE"; empty: the option takes none
  std::string text;                       // description
  std::vector<std::string> choices = {};  // valid values; empty: any

  bool takes_files() const { return value == "FILE" || value == "DIR"; }
};

struct VerbText {
  std::string name = {};
  std::string text = {};
  std::string operands = {};  // "[FILE]"
  std::vector<OptionText> options = {};
  std::vector<std::string> actions = {};  // words, one of which must follow the verb: "list"
  bool takes_command = false;             // a program and its arguments follow
};

struct ProgramText {
  std::string name;
  std::string text;  // in one line
  std::string version;
  std::string more;  // where to find more
  VerbText self;     // the options before a verb
  std::vector<VerbText> verbs = {};
};

}  // namespace rtl::cli
