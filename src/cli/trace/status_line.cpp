// SPDX-License-Identifier: MIT
#include "cli/trace/status_line.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <string_view>

#include "analysis/text.h"
#include "cli/base/colours.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

constexpr unsigned kLeastRows = 6;  // if the terminal has fewer rows, no line is shown
constexpr unsigned kLeastColumns = 20;
constexpr std::string_view kSave = "\0337";  // saves the cursor's position and colours
constexpr std::string_view kRestore = "\0338";

std::string Elapsed(uint64_t ns) {
  const uint64_t seconds = ns / 1'000'000'000;
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600)
    return std::to_string(seconds / 60) + " min " + std::to_string(seconds % 60) + " s";
  return std::to_string(seconds / 3600) + " h " + std::to_string(seconds / 60 % 60) + " min";
}

std::string LastRow(unsigned rows) { return "\033[" + std::to_string(rows) + ";1H\033[0m\033[K"; }

}  // namespace

std::string StatusText(uint64_t elapsed_ns, const Counts& progress, uint64_t events_per_second,
                       size_t width) {
  const std::string parts[] = {"rtl", Counted(progress.kernels, "kernel"),
                               analysis::Grouped(progress.lost) + " lost", Elapsed(elapsed_ns),
                               analysis::Grouped(events_per_second) + " events/s"};
  constexpr size_t kShown[] = {0, 3, 1, 4, 2};  // in the order of importance
  size_t count = 0;
  for (size_t used = 0; count < std::size(parts); ++count) {
    used += parts[count].size() + (count == 0 ? 0 : 2);
    if (used > width) break;
  }
  std::string text;
  for (const size_t part : kShown) {
    if (part < count) text += (text.empty() ? "" : "  ") + parts[part];
  }
  return text;
}

bool StatusLine::possible() const {
  const char* const wanted = getenv("RTL_STATUS");
  if (wanted != nullptr && std::string_view(wanted) == "0") return false;
  const char* const terminal = getenv("TERM");
  return isatty(fd_) != 0 && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb";
}

// False if another process owns the terminal, because this program runs in the background.
bool StatusLine::IsForeground() const { return tcgetpgrp(fd_) == getpgrp(); }

// False if the terminal is not in line mode: the program reads single keys, and may draw the whole
// screen.
bool StatusLine::IsCooked() const {
  termios settings = {};
  return tcgetattr(fd_, &settings) == 0 && (settings.c_lflag & ICANON) != 0;
}

void StatusLine::Write(const std::string& bytes) const {
  // One write, because the program writes to the terminal, too.
  (void)!write(fd_, bytes.data(), bytes.size());
}

void StatusLine::GiveWay() {
  if (given_up_ || !IsForeground()) return;
  given_up_ = !IsCooked();
  if (given_up_) Hide();
}

void StatusLine::Show(uint64_t elapsed_ns, const Counts& progress, uint64_t events_per_second) {
  winsize size = {};
  GiveWay();
  if (given_up_) return;
  if (!IsForeground()) return Hide();
  if (ioctl(fd_, TIOCGWINSZ, &size) != 0) return Hide();
  if (rows_ != 0 && (size.ws_row != rows_ || size.ws_col != columns_)) Hide();
  if (size.ws_row < kLeastRows || size.ws_col < kLeastColumns) return;
  std::string bytes;
  if (rows_ == 0) {
    rows_ = size.ws_row;
    columns_ = size.ws_col;
    // Makes room below the cursor and keeps the cursor's column. Then excludes the last row from
    // scrolling.
    bytes = "\033D\033[A" + std::string(kSave) + "\033[1;" + std::to_string(rows_ - 1) + "r" +
            std::string(kRestore);
  }
  const std::string text = StatusText(elapsed_ns, progress, events_per_second, columns_ - 1);
  const bool warns = progress.lost != 0;
  bytes += std::string(kSave) + LastRow(rows_) +
           Painted(warns ? Paint::kBad : Paint::kFaint, text) + std::string(kRestore);
  Write(bytes);
}

void StatusLine::Hide() {
  if (rows_ == 0) return;
  winsize size = {};
  const bool known = ioctl(fd_, TIOCGWINSZ, &size) == 0 && size.ws_row != 0;
  const unsigned rows = known ? size.ws_row : rows_;
  Write(std::string(kSave) + "\033[r" + LastRow(rows) + std::string(kRestore));
  rows_ = 0;
}

}  // namespace rtl::cli
