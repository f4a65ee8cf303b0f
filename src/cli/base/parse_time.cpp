// SPDX-License-Identifier: MIT
#include "cli/base/parse_time.h"

#include <charconv>
#include <string_view>
#include <utility>

namespace rtl::cli {

namespace {

bool Parse(const std::string& text, double least, uint64_t* ns) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"m", 60e9}, {"h", 3600e9}};
  constexpr double kMost = 1e18;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc()) return false;
  const std::string_view unit(parsed.ptr, static_cast<size_t>(end - parsed.ptr));
  for (const auto& [name, factor] : kUnits) {
    if (unit != name || !(number * factor >= least) || number * factor > kMost) continue;
    *ns = static_cast<uint64_t>(number * factor);
    return true;
  }
  return false;
}

}  // namespace

bool ParseTime(const std::string& text, uint64_t* ns) { return Parse(text, 1, ns); }

bool ParseTimeOrZero(const std::string& text, uint64_t* ns) { return Parse(text, 0, ns); }

}  // namespace rtl::cli
