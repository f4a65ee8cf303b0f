// SPDX-License-Identifier: MIT
// status_line.h: shows the progress of the traced program in one line at the bottom of the
// terminal. The program has the rest of the terminal for itself (ADR 0096).
//
// Threads    StatusLine: one
// Blocking   writes to the terminal
// Errors     none: on an unsuitable terminal there is no line
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cli/trace/live_counts.h"

namespace rtl::cli {

// Makes "rtl  12 s  1,234,567 kernels  45,678 events/s  0 lost", or less if `width` characters are
// not enough.
std::string StatusText(uint64_t elapsed_ns, const Counts& progress, uint64_t events_per_second,
                       size_t width);

class StatusLine {
 public:
  explicit StatusLine(int fd) : fd_(fd) {}
  ~StatusLine() { Hide(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Whether the descriptor is a terminal that can do more than print text.
  bool possible() const;
  // Draws the line. If the program has used the whole terminal before, the line does not come back.
  void Show(uint64_t elapsed_ns, const Counts& progress, uint64_t events_per_second);
  // Hides the line if the program now uses the whole terminal.
  void GiveWay();
  // Restores the terminal.
  void Hide();

 private:
  bool IsForeground() const;
  bool IsCooked() const;
  void Write(const std::string& bytes) const;

  const int fd_;
  unsigned rows_ = 0;  // rows of the terminal while the line is shown; 0: it is not shown
  unsigned columns_ = 0;
  bool given_up_ = false;
};

}  // namespace rtl::cli
