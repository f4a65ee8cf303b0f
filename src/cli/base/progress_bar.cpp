// SPDX-License-Identifier: MIT
#include "cli/base/progress_bar.h"

#include <unistd.h>

#include <algorithm>

#include "analysis/text.h"
#include "cli/base/print.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

constexpr auto kFirstAfter = std::chrono::milliseconds(300);  // shorter jobs show no bar
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr size_t kLongestBar = 40;
constexpr std::string_view kClearLine = "\r\033[K";

}  // namespace

std::string RenderBar(const std::string& what, uint64_t done, uint64_t total, size_t width) {
  if (total == 0) return ShortenMiddle(what + "  " + analysis::Grouped(done), width);
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const std::string percent = std::to_string(static_cast<int>(share * 100)) + " %";
  const size_t text = DisplayWidth(what) + percent.size() + 6;  // plus two gaps and the brackets
  if (width < text + 4) return ShortenMiddle(percent, width);
  const size_t bar = std::min(kLongestBar, width - text);
  const size_t full = static_cast<size_t>(share * static_cast<double>(bar));
  return what + "  [" + std::string(full, '#') + std::string(bar - full, '.') + "]  " + percent;
}

ProgressBar::ProgressBar(std::string what, uint64_t total)
    : what_(std::move(what)),
      total_(total),
      width_(TerminalWidth(STDERR_FILENO)),
      next_(std::chrono::steady_clock::now() + kFirstAfter) {}

ProgressBar::~ProgressBar() {
  if (shown_) PrintAside(kClearLine);
}

void ProgressBar::Update(uint64_t done) {
  if (width_ == 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  shown_ = true;
  PrintAside(std::string(kClearLine) + RenderBar(what_, done, total_, width_ - 1));
}

}  // namespace rtl::cli
