// SPDX-License-Identifier: MIT
// quoted.h: a text as a literal of SQL, of JSON, and as a cell of CSV.
#pragma once

#include <string>
#include <string_view>

namespace rtl::fleet {

// Between two of `quote`, of which each in the text is doubled.
std::string Doubled(std::string_view text, char quote);
std::string SqlText(std::string_view text);
std::string JsonText(std::string_view text);
std::string CsvCell(std::string_view text);  // quoted only where it has to be

}  // namespace rtl::fleet
