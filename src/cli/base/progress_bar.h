// SPDX-License-Identifier: MIT
// progress_bar.h: shows the progress of a long job in one line on standard error, if that is a
// terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace rtl::cli {

class ProgressBar {
 public:
  // If `total` is 0, only a count is shown.
  ProgressBar(std::string what, uint64_t total);
  ~ProgressBar();  // removes the line
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void Update(uint64_t done);

 private:
  std::string what_;
  uint64_t total_;
  bool shown_ = false;
  size_t width_ = 0;  // columns of the terminal; 0: no terminal
  std::chrono::steady_clock::time_point next_;
};

// "what  [######....]  42 %", at most `width` characters.
std::string RenderBar(const std::string& what, uint64_t done, uint64_t total, size_t width);

}  // namespace rtl::cli
