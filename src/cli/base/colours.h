// SPDX-License-Identifier: MIT
// colours.h: colours text on a terminal.
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

// Returns the text unchanged if colours are off. Use it only for output to a terminal.
std::string Painted(Paint paint, const std::string& text);
// `width`: the terminal's; 0: the output is no terminal.
inline std::string PaintedFor(size_t width, Paint paint, const std::string& text) {
  return width == 0 ? text : Painted(paint, text);
}

}  // namespace rtl::cli
