// SPDX-License-Identifier: MIT
#include "cli/base/colours.h"

#include <stdlib.h>

#include <string_view>

#include "cli/base/table.h"

namespace rtl::cli {
namespace {

bool painting = false;

const char* CodeOf(Paint paint) {
  switch (paint) {
    case Paint::kBold:
      return "\033[1m";
    case Paint::kFaint:
      return "\033[2m";
    case Paint::kBad:
      return "\033[31m";
    case Paint::kWarning:
      return "\033[33m";
    case Paint::kGood:
      return "\033[32m";
    case Paint::kPlain:
      break;
  }
  return "";
}

}  // namespace

void ChooseColours() {
  const char* const none = getenv("NO_COLOR");
  const char* const terminal = getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  painting = (none == nullptr || *none == '\0') && !dumb;
}

std::string Painted(Paint paint, const std::string& text) {
  if (!painting || paint == Paint::kPlain || text.empty()) return text;
  return CodeOf(paint) + text + "\033[0m";
}

}  // namespace rtl::cli
