// SPDX-License-Identifier: MIT
// status_line.h: one line at the bottom of the terminal that says how far the traced program is, while
// the program has the rest of the terminal for itself (ADR 0096).
//
// Threads    StatusLine: one
// Blocking   writes to the terminal
// Errors     none: a terminal that cannot have such a line gets none
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cli/live_counts.h"

namespace rtl::cli {

// "rtl  12 s  1,234,567 kernels  45,678 events/s  0 lost", with what fits into `width` characters.
std::string StatusText(uint64_t elapsed_ns, const Counts& progress, uint64_t events_per_second,
                       size_t width);

class StatusLine {
 public:
  explicit StatusLine(int fd) : fd_(fd) {}
  ~StatusLine() { Hide(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Whether this terminal may ever have one: it is one, and knows more than plain text.
  bool possible() const;
  // Draws it, unless the program has needed the whole terminal before: then it does not come back.
  void Show(uint64_t elapsed_ns, const Counts& progress, uint64_t events_per_second);
  // Hides it where the program needs the whole terminal by now.
  void GiveWay();
  // The terminal is as if there had been none.
  void Hide();

 private:
  bool IsForeground() const;
  bool IsCooked() const;
  void Write(const std::string& bytes) const;

  const int fd_;
  unsigned rows_ = 0;  // of the terminal while the line is there; 0: it is not
  unsigned columns_ = 0;
  bool given_up_ = false;
};

}  // namespace rtl::cli
