// SPDX-License-Identifier: MIT
// serial_copies.h: finds copies that ran alone although a kernel could have run at the same time:
// the copy was submitted before the previous kernel ended, or the next kernel was submitted before
// the copy ended.
//
//   kernel ────┐ copy ───┐ kernel ───        on one stream; two streams would let them overlap
//      submitted ^   submitted ^
//
// Threads    one
// Memory     the copies since the last kernel, at most kMostOpen
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rtl::analysis {

struct SerialCopies {
  uint64_t copies = 0;
  uint64_t total = 0;  // ns
};

// For one GPU; takes kernels and copies in the order of their starts.
class SerialCopyFinder {
 public:
  static constexpr size_t kMostOpen = 4096;

  void AddKernel(uint64_t submit, uint64_t start, uint64_t end);
  void AddCopy(uint64_t submit, uint64_t start, uint64_t end);
  // Call it after the last kernel or copy.
  SerialCopies Finish();

 private:
  struct Open {  // a copy beside which no kernel has run so far
    uint64_t start = 0;
    uint64_t end = 0;
    bool waited = false;  // submitted before the previous kernel ended
  };
  void Count(const Open& copy);

  std::vector<Open> open_;
  uint64_t kernels_until_ = 0;
  uint64_t copies_until_ = 0;
  SerialCopies found_;
};

}  // namespace rtl::analysis
