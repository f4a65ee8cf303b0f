// SPDX-License-Identifier: MIT
#include "export/kernel_names.h"

namespace rtl::exporting {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kOperator = "operator";

}  // namespace

std::string ShortKernelName(std::string_view name) {
  std::string short_name;
  int angles = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    const std::string_view rest = name.substr(i);
    const char c = name[i];
    if (angles == 0 && rest.starts_with(kAnonymous)) {
      short_name += kAnonymous;
      i += kAnonymous.size() - 1;
    } else if (rest.starts_with(kOperator)) {
      return std::string(name);  // the name of an operator may contain any of these characters
    } else if (c == '<') {
      ++angles;
    } else if (c == '>') {
      if (--angles < 0) return std::string(name);
    } else if (angles == 0 && c == '(') {
      break;  // the parameters follow
    } else if (angles == 0 && c == ' ') {
      short_name.clear();  // the text before the blank was the return type
    } else if (angles == 0) {
      short_name += c;
    }
  }
  return angles != 0 || short_name.empty() ? std::string(name) : short_name;
}

}  // namespace rtl::exporting
