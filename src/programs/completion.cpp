// SPDX-License-Identifier: MIT
#include <vector>

#include "cli/base/print.h"
#include "programs/manual.h"

namespace rtl::manual {
namespace {

using cli::Joined;
using cli::OptionText;
using cli::ProgramText;
using cli::VerbText;

constexpr char kMade[] = "Made of the program's options. Changes here are lost.\n";

std::string NamesOf(const VerbText& verb) {
  std::string names;
  for (const OptionText& option : verb.options)
    names += (names.empty() ? "" : " ") + Joined(option.names);
  return names;
}

std::string VerbNames(const ProgramText& program) {
  std::vector<std::string> names;
  for (const VerbText& verb : program.verbs) names.push_back(verb.name);
  return Joined(names);
}

// Quotes a text for a shell with single quotes.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// The name of a program's completion function: rocprofv3 -> _rocprofv3.
std::string FunctionOf(const ProgramText& program) { return "_" + program.name; }

// The completion after an option that takes a value. Empty text: bash completes names of files (`-o
// default`).
std::string BashValues(const VerbText& verb) {
  std::string cases;
  for (const OptionText& option : verb.options) {
    if (option.value.empty()) continue;
    cases += "        " + Joined(option.names, "|") + ")";
    if (!option.choices.empty()) {
      cases += " COMPREPLY=($(compgen -W " + Quoted(Joined(option.choices)) + " -- \"$cur\"));";
    }
    cases += " return ;;\n";
  }
  return cases.empty() ? "" : "      case $prev in\n" + cases + "      esac\n";
}

std::string BashVerb(const VerbText& verb) {
  std::string text;
  if (verb.takes_command) {  // words after the command belong to the traced program
    const std::string first = verb.name.empty() ? "1" : "2";
    text +=
        "      if [[ $prev == -- ]]; then COMPREPLY=($(compgen -c -- \"$cur\")); return; fi\n"
        "      [[ \" ${COMP_WORDS[*]:" +
        first + ":COMP_CWORD-" + first + "} \" == *' -- '* ]] && return\n";
  }
  if (!verb.actions.empty()) {
    text += "      if ((COMP_CWORD == 2)); then COMPREPLY=($(compgen -W " +
            Quoted(Joined(verb.actions)) + " -- \"$cur\")); return; fi\n";
  }
  text += BashValues(verb);
  text += "      [[ $cur == -* ]] && COMPREPLY=($(compgen -W " + Quoted(NamesOf(verb)) +
          " -- \"$cur\"))\n";
  if (verb.takes_command) {
    text += "      [[ $cur != -* ]] && COMPREPLY=($(compgen -c -- \"$cur\"))\n";
  }
  return text;
}

// The part "[description]" of an argument of zsh's _arguments.
std::string ZshText(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') plain += '\\';
    plain += c;
  }
  return "[" + plain + "]";
}

std::string ZshOptions(const VerbText& verb, const std::string& indent) {
  std::string lines;
  for (const OptionText& option : verb.options) {
    std::string value;
    if (!option.value.empty()) {
      const std::string what = option.takes_files()     ? "_files"
                               : option.choices.empty() ? " "
                                                        : "(" + Joined(option.choices) + ")";
      value = ":" + option.value + ":" + what;
    }
    for (const std::string& name : option.names) {
      lines += indent + Quoted(name + ZshText(option.text) + value) + " \\\n";
    }
  }
  if (!verb.actions.empty())
    lines += indent + Quoted("1:action:(" + Joined(verb.actions) + ")") + " \\\n";
  const char* const operands = verb.takes_command ? "'*::program:_normal'" : "'*:file:_files'";
  return lines + indent + operands + "\n";
}

std::string FishOptions(const ProgramText& program, const VerbText& verb) {
  const std::string only = verb.name.empty()
                               ? program.verbs.empty() ? "" : " -n __fish_use_subcommand"
                               : " -n " + Quoted("__fish_seen_subcommand_from " + verb.name);
  std::string lines;
  if (!verb.actions.empty())
    lines += "complete -c " + program.name + only + " -f -a " + Quoted(Joined(verb.actions)) + "\n";
  for (const OptionText& option : verb.options) {
    lines += "complete -c " + program.name + only;
    for (const std::string& name : option.names) {
      const bool is_long = name.starts_with("--");
      lines += (is_long            ? " -l "
                : name.size() == 2 ? " -s "
                                   : " -o ") +
               name.substr(is_long ? 2 : 1);
    }
    if (!option.value.empty()) lines += option.takes_files() ? " -rF" : " -x";
    if (!option.choices.empty()) lines += " -a " + Quoted(Joined(option.choices));
    lines += " -d " + Quoted(option.text) + "\n";
  }
  return lines;
}

}  // namespace

std::string BashCompletion(const ProgramText& program) {
  std::string text =
      "# " + std::string(kMade) + FunctionOf(program) +
      "() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  COMPREPLY=()\n";
  if (program.verbs.empty()) {
    text += BashVerb(program.self);
  } else {
    text += "  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W " +
            Quoted(VerbNames(program) + " " + NamesOf(program.self)) +
            " -- \"$cur\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n";
    for (const VerbText& verb : program.verbs) {
      text += "    " + verb.name + ")\n" + BashVerb(verb) + "      ;;\n";
    }
    text += "  esac\n";
  }
  return text + "}\ncomplete -o bashdefault -o default -F " + FunctionOf(program) + " " +
         program.name + "\n";
}

std::string ZshCompletion(const ProgramText& program) {
  std::string text = "#compdef " + program.name + "\n# " + kMade;
  if (program.verbs.empty()) return text + "_arguments \\\n" + ZshOptions(program.self, "  ");
  text += "if ((CURRENT == 2)); then\n  local -a verbs=(\n";
  for (const VerbText& verb : program.verbs) {
    text += "    " + Quoted(verb.name + ":" + verb.text) + "\n";
  }
  text += "  )\n  _describe verb verbs\n  _arguments \\\n" + ZshOptions(program.self, "    ") +
          "  return\nfi\nlocal verb=$words[2]\nshift words\n((CURRENT--))\ncase $verb in\n";
  for (const VerbText& verb : program.verbs) {
    text += "  " + verb.name + ")\n    _arguments \\\n" + ZshOptions(verb, "      ") + "    ;;\n";
  }
  return text + "esac\n";
}

std::string FishCompletion(const ProgramText& program) {
  std::string text = "# " + std::string(kMade) + FishOptions(program, program.self);
  for (const VerbText& verb : program.verbs) {
    text += "complete -c " + program.name + " -n __fish_use_subcommand -f -a " + verb.name +
            " -d " + Quoted(verb.text) + "\n" + FishOptions(program, verb);
  }
  return text;
}

}  // namespace rtl::manual
