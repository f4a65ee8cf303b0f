// SPDX-License-Identifier: MIT
#include "trace/write/choice.h"

#include "base/expression_size.h"

namespace rtl::store {

NamePattern::~NamePattern() {
  if (is_compiled_) regfree(&expression_);
}

std::string NamePattern::Compile(const std::string& text) {
  if (RepeatsTooMuch(text)) return kRepeatsTooMuch;
  const int error = regcomp(&expression_, text.c_str(), REG_EXTENDED | REG_NOSUB);
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
