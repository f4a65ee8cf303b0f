// SPDX-License-Identifier: MIT
// colours.h: how parts of a text stand out on a terminal.
//
// Threads    any, once ChooseColours (table.h) has returned
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rtl::cli {

enum class Paint : uint8_t {
  kPlain,
  kBold,
  kFaint,
  kBad,      // red
  kWarning,  // yellow
  kGood,     // green
};

// The text as it is where nothing is painted. Only for what goes to a terminal.
std::string Painted(Paint paint, const std::string& text);
// `width`: as of tables; 0: not a terminal.
inline std::string PaintedFor(size_t width, Paint paint, const std::string& text) {
  return width == 0 ? text : Painted(paint, text);
}

}  // namespace rtl::cli
