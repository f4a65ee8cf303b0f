// SPDX-License-Identifier: MIT
#include "cli/base/table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/text.h"
#include "cli/base/colours.h"

namespace rtl::cli {
namespace {

constexpr size_t kIndent = 2;
constexpr size_t kGap = 2;
constexpr size_t kLeastText = 16;   // least width of the last column on any terminal
constexpr size_t kWantedText = 20;  // if the last column has less, other columns are dropped
constexpr size_t kAmpleText = 32;   // if the last column has less, long texts get their own line
constexpr size_t kDeepIndent = 6;   // indent of a text on its own line
constexpr size_t kUsualTerminal = 80;

std::string_view WithoutArguments(std::string_view name) {
  if (!name.ends_with(')')) return name;
  int depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) return i == 0 ? name : name.substr(0, i);
  }
  return name;
}

}  // namespace

std::string MoreRows(size_t most, size_t all, const std::string& how) {
  if (most == 0 || most >= all) return "";
  return "  ... and " + analysis::Grouped(all - most) + " more (" + how + ")\n";
}

std::string Counted(uint64_t count, const std::string& one, const std::string& many) {
  return analysis::Grouped(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

std::string CsvText(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string ShortenFunction(std::string_view name, size_t width) {
  const size_t whole = DisplayWidth(name);
  if (whole <= width) return std::string(name);
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  std::string shorter(WithoutArguments(name));
  for (size_t at = 0; DisplayWidth(shorter) > width;) {
    at = shorter.find(kAnonymous, at);
    if (at == std::string::npos) break;
    shorter.erase(at, kAnonymous.size());
  }
  return query::ShortenMiddle(shorter, width, whole);
}

size_t TerminalWidth(int fd) {
  if (isatty(fd) == 0) return 0;
  winsize size = {};
  const bool known = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsualTerminal;
}

// The columns that are drawn, by number.
std::vector<size_t> Table::Kept(const std::vector<size_t>& widths, size_t width) const {
  std::vector<size_t> kept;
  size_t before_last = kIndent;
  for (size_t i = 0; i < columns_.size(); ++i) {
    kept.push_back(i);
    if (i + 1 < columns_.size()) before_last += widths[i] + kGap;
  }
  while (width > 0 && before_last + kWantedText > width) {
    const auto first = std::max_element(kept.begin(), kept.end(), [&](size_t a, size_t b) {
      return columns_[a].drop < columns_[b].drop;
    });
    if (first == kept.end() || columns_[*first].drop == 0) break;
    before_last -= widths[*first] + kGap;
    kept.erase(first);
  }
  return kept;
}

std::string Table::Render(size_t width) const {
  std::vector<size_t> widths;
  for (const Column& column : columns_) widths.push_back(DisplayWidth(column.title));
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  const std::vector<size_t> kept = Kept(widths, width);
  size_t before_last = kIndent;
  for (size_t i = 0; i + 1 < kept.size(); ++i) before_last += widths[kept[i]] + kGap;
  size_t last = kLongText;
  if (width > 0) last = std::max(kLeastText, width > before_last ? width - before_last : 0);
  const size_t own_line = std::max(kLeastText, width > kDeepIndent ? width - kDeepIndent : 0);

  std::string out;
  const auto add_line = [&](const auto& cell_of) {
    out.append(kIndent, ' ');
    for (const size_t i : kept) {
      std::string cell = cell_of(i);
      if (i + 1 == columns_.size() && DisplayWidth(cell) > last) {
        const bool function = width > 0 && columns_[i].shorten == Shorten::kFunction;
        const size_t room = width > 0 && last < kAmpleText ? own_line : last;
        if (room == own_line) {
          out.erase(out.find_last_not_of(' ') + 1);
          out += '\n' + std::string(kDeepIndent, ' ');
        }
        cell = function ? ShortenFunction(cell, room) : ShortenMiddle(cell, room);
      }
      const size_t used = DisplayWidth(cell);
      const size_t pad = widths[i] > used ? widths[i] - used : 0;
      if (columns_[i].align == Align::kRight) out.append(pad, ' ');
      out += cell;
      if (i + 1 == columns_.size()) break;
      if (columns_[i].align == Align::kLeft) out.append(pad, ' ');
      out.append(kGap, ' ');
    }
    out += '\n';
  };
  add_line([&](size_t i) { return columns_[i].title; });
  const size_t indent = out.find_first_not_of(' ');
  out = out.substr(0, indent) +
        PaintedFor(width, Paint::kBold, out.substr(indent, out.size() - 1 - indent)) + "\n";
  for (const auto& row : rows_) add_line([&](size_t i) { return row[i]; });
  return out;
}

}  // namespace rtl::cli
