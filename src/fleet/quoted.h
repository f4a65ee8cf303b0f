// SPDX-License-Identifier: MIT
// quoted.h: writes a text as a literal of SQL or JSON, or as a cell of CSV, and reads texts that
// consist of parts.
#pragma once

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace rtl::fleet {

// Puts the text between two `quote`; each `quote` inside the text is doubled.
std::string Doubled(std::string_view text, char quote);
std::string SqlText(std::string_view text);
std::string JsonText(std::string_view text);
std::string CsvCell(std::string_view text);  // in quotes only if necessary

// Takes the part up to `end` out of *rest, and drops the `end`. Without one, it is all of *rest.
inline std::string_view NextPart(std::string_view* rest, char end) {
  const size_t bytes = std::min(rest->find(end), rest->size());
  const std::string_view part = rest->substr(0, bytes);
  rest->remove_prefix(std::min(bytes + 1, rest->size()));
  return part;
}

// The number at the beginning of a text; 0 if there is none.
template <typename Number>
Number NumberIn(std::string_view text) {
  Number value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace rtl::fleet
