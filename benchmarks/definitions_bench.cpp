// SPDX-License-Identifier: MIT
// definitions_bench: the time of reading the built-in definitions of counters of all GPUs, by the
// clock and of the processor.
//
//   definitions_bench [ROUNDS=21]
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "counters/definitions.h"

namespace {

double NowMs(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void Print(const char* of, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::printf("%s: %.2f ms [%.2f .. %.2f]\n", of, times[times.size() / 2], times.front(),
              times.back());
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = std::max(1, argc > 1 ? std::atoi(argv[1]) : 21);
  std::vector<double> clock, processor;
  unsigned count = 0;
  for (int i = 0; i < rounds; ++i) {
    const double began = NowMs(CLOCK_MONOTONIC), ran = NowMs(CLOCK_PROCESS_CPUTIME_ID);
    const auto known = std::make_unique<rtl::counters::Definitions>();
    const rtl::Status read = known->Append(rtl::counters::BuiltInText(), {});
    clock.push_back(NowMs(CLOCK_MONOTONIC) - began);
    processor.push_back(NowMs(CLOCK_PROCESS_CPUTIME_ID) - ran);
    if (!read.ok()) {
      std::fprintf(stderr, "definitions_bench: %s\n", read.message());
      return 1;
    }
    count = known->count();
  }
  std::printf("%u definitions, %d rounds\n", count, rounds);
  Print("by the clock", clock);
  Print("of the processor", processor);
  return 0;
}
