// SPDX-License-Identifier: MIT
#include "trace/write/choice.h"

#include "base/expression_size.h"

namespace rtl::store {

bool ToPosix(const std::string& text, std::string* out) {
  size_t set = std::string::npos;  // where a bracket expression began
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string two = text.substr(i, 2);
    const bool in_set = set != std::string::npos;
    if (two == "\\d" || (two == "\\D" && !in_set)) {
      *out += in_set ? "0-9" : two == "\\d" ? "[0-9]" : "[^0-9]";
      ++i;
    } else if (in_set) {
      const bool leads = i == set + 1 || (i == set + 2 && text[set + 1] == '^');
      if (text[i] == ']' && !leads) set = std::string::npos;
      *out += text[i];
    } else if (text.compare(i, 3, "(?:") == 0) {
      *out += "(";
      i += 2;
    } else if (two == "(?") {
      return false;
    } else if (text[i] == '\\') {
      *out += two;
      ++i;
    } else {
      if (text[i] == '[') set = i;
      *out += text[i];
    }
  }
  return true;
}

NamePattern::~NamePattern() {
  if (is_compiled_) regfree(&expression_);
}

std::string NamePattern::Compile(const std::string& text, bool ignore_case) {
  std::string posix;
  if (!ToPosix(text, &posix)) return "groups as (?=...) are not supported";
  if (ExpressionTooLarge(posix)) return kExpressionTooLarge;
  const int flags = REG_EXTENDED | REG_NOSUB | (ignore_case ? REG_ICASE : 0);
  const int error = regcomp(&expression_, posix.c_str(), flags);
  is_compiled_ = error == 0;
  if (is_compiled_) return "";
  char why[128] = {};
  regerror(error, &expression_, why, sizeof why);
  return why;
}

bool NamePattern::IsIn(const std::string& text) const {
  return regexec(&expression_, text.c_str(), 0, nullptr, 0) == 0;
}

void Chooser::Set(const Choice& choice) {
  choice_ = choice;
  if (!choice_.kernel.empty() && !pattern_.Compile(choice_.kernel).empty()) choice_.kernel.clear();
}

}  // namespace rtl::store
