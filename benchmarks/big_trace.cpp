// SPDX-License-Identifier: MIT
// big_trace: writes a database of KERNELS kernels (big_trace.h), for benchmarks of its readers.
//
//   big_trace FILE KERNELS [calls]
#include "benchmarks/big_trace.h"

#include <string_view>

int main(int argc, char** argv) {
  const bool calls = argc > 3 && std::string_view(argv[3]) == "calls";
  const uint64_t kernels = argc > 2 ? strtoull(argv[2], nullptr, 10) : 0;
  if (kernels == 0) {
    fprintf(stderr, "usage: big_trace FILE KERNELS [calls]\n");
    return 2;
  }
  rtl::bench::MakeBigTrace(argv[1], kernels, calls);
  return 0;
}
