// SPDX-License-Identifier: MIT
#include <cctype>

#include "programs/manual.h"

namespace rtl::manual {
namespace {

using cli::OptionText;
using cli::VerbText;

// Escapes text for troff, so that a leading dot is no command and a dash can be searched for.
std::string Plain(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    if (c == '\\') {
      plain += "\\e";
    } else if (c == '-') {
      plain += "\\-";
    } else if (c == '\n') {
      plain += ' ';
    } else {
      plain += c;
    }
  }
  const bool is_command = plain.starts_with('.') || plain.starts_with('\'');
  return is_command ? "\\&" + plain : plain;
}

std::string Bold(const std::string& text) { return "\\fB" + Plain(text) + "\\fR"; }

std::string Options(const VerbText& verb) {
  std::string page;
  for (const OptionText& option : verb.options) {
    std::string names;
    for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + Bold(name);
    if (!option.value.empty()) names += " \\fI" + Plain(option.value) + "\\fR";
    page += ".TP\n" + names + "\n" + Plain(option.text) + "\n";
    if (option.choices.empty()) continue;
    std::string choices;
    for (const std::string& choice : option.choices)
      choices += (choices.empty() ? "" : ", ") + Plain(choice);
    page += ".br\nOne of: " + choices + ".\n";
  }
  return page;
}

std::string Synopsis(const std::string& program, const VerbText& verb) {
  std::string line = Bold(program + (verb.name.empty() ? "" : " " + verb.name));
  if (!verb.options.empty()) line += " [\\fIOPTIONS\\fR]";
  if (!verb.operands.empty()) line += " " + Plain(verb.operands);
  if (verb.takes_command) line += Plain(" [--] PROGRAM [ARGUMENTS]");
  return line;
}

}  // namespace

std::string ManualPage(const cli::ProgramText& program) {
  std::string title = program.name;
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string page = ".\\\" Made of the program's options. Changes here are lost.\n.TH " + title +
                     " 1 \"\" \"rtl " + Plain(program.version) +
                     "\" \"User Commands\"\n.SH NAME\n" + program.name + " \\- " +
                     Plain(program.text) + "\n.SH SYNOPSIS\n";
  if (program.verbs.empty()) page += Synopsis(program.name, program.self) + "\n";
  for (const VerbText& verb : program.verbs) page += Synopsis(program.name, verb) + "\n.br\n";
  page += ".SH OPTIONS\n" + Options(program.self);
  if (!program.verbs.empty()) page += ".SH VERBS\n";
  for (const VerbText& verb : program.verbs) {
    page += ".SS " + Synopsis(program.name, verb) + "\n" + Plain(verb.text) + ".\n" + Options(verb);
  }
  return page + ".SH SEE ALSO\n" + Plain(program.more) + "\n";
}

}  // namespace rtl::manual
