// SPDX-License-Identifier: MIT
// quoted.h: writes a text as a literal of SQL or JSON, or as a cell of CSV.
#pragma once

#include <string>
#include <string_view>

namespace rtl::fleet {

// Puts the text between two `quote`; each `quote` inside the text is doubled.
std::string Doubled(std::string_view text, char quote);
std::string SqlText(std::string_view text);
std::string JsonText(std::string_view text);
std::string CsvCell(std::string_view text);  // in quotes only if necessary

}  // namespace rtl::fleet
