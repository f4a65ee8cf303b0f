// SPDX-License-Identifier: MIT
// big_trace: writes a database of KERNELS kernels (big_trace.h), for benchmarks of its readers.
//
//   big_trace FILE KERNELS [calls] [packed]
#include "benchmarks/big_trace.h"

#include <string_view>

int main(int argc, char** argv) {
  bool calls = false, packed = false;
  for (int i = 3; i < argc; ++i) {
    calls = calls || std::string_view(argv[i]) == "calls";
    packed = packed || std::string_view(argv[i]) == "packed";
  }
  const uint64_t kernels = argc > 2 ? strtoull(argv[2], nullptr, 10) : 0;
  if (kernels == 0) {
    fprintf(stderr, "usage: big_trace FILE KERNELS [calls] [packed]\n");
    return 2;
  }
  rtl::bench::MakeBigTrace(argv[1], kernels, packed, calls);
  return 0;
}
