// SPDX-License-Identifier: MIT
// hip_call_bench: what a call of the HIP API costs by symbol, which a preloaded library may
// interpose, against the same call by its address in HIP, which cannot be interposed.
//
//   hip_call_bench [BATCHES=2000] [THREADS=2]
//
// Both are timed in turns, in batches of 100 calls, in one process; an interrupted batch is one of
// many. Printed: median [5th .. 95th percentile] of all batches. benchmarks/README.md explains how
// to run it and what the floor is.
#include <dlfcn.h>
#include <hsa/hsa.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/fast_clock.h"

extern "C" int hipGetDevice(int* device);
extern "C" int hipPeekAtLastError();

namespace {

constexpr int kCalls = 100;
using Function = int (*)(int* device);

double NowNs() {
  using std::chrono::steady_clock;
  return static_cast<double>(steady_clock::now().time_since_epoch().count());
}

struct Numbers {
  std::vector<double> values;
  double At(double quantile) {
    std::sort(values.begin(), values.end());
    return values[static_cast<size_t>(quantile * static_cast<double>(values.size() - 1))];
  }
  void Print(const char* what) {
    printf("  %-40s %6.1f [%.1f .. %.1f]\n", what, At(0.5), At(0.05), At(0.95));
  }
  void Append(const Numbers& other) {
    values.insert(values.end(), other.values.begin(), other.values.end());
  }
};

// Nanoseconds of one of kCalls calls.
template <typename Call>
double Batch(Call call) {
  const double start = NowNs();
  for (int i = 0; i < kCalls; ++i) call();
  return (NowNs() - start) / kCalls;
}

struct Arms {
  Numbers direct, symbol, added;
};

Arms RunArms(Function direct, int batches) {
  Arms arms;
  int device = 0;
  for (int i = 0; i < batches; ++i) {
    const auto by_address = [&] { (void)direct(&device); };
    const auto by_symbol = [&] { (void)hipGetDevice(&device); };
    double first, second;
    if (i % 2 == 0) {
      first = Batch(by_address);
      second = Batch(by_symbol);
    } else {
      second = Batch(by_symbol);
      first = Batch(by_address);
    }
    arms.direct.values.push_back(first);
    arms.symbol.values.push_back(second);
    arms.added.values.push_back(second - first);
  }
  return arms;
}

void Print(const char* threads, Arms& arms) {
  printf("%s\n", threads);
  arms.direct.Print("HIP's own function");
  arms.symbol.Print("by symbol");
  arms.added.Print("added");
}

// The cost of two reads of the clock, whatever runs between them.
void PrintFloor() {
  rtl::FastClock clock;
  const double until = NowNs() + 20e6;
  while (NowNs() < until) clock.Update();
  uint64_t sum = 0;
  Numbers counter, line, system;
  for (int i = 0; i < 2000; ++i) {
    counter.values.push_back(Batch([&] { sum += __rdtsc() - __rdtsc(); }));
    line.values.push_back(Batch([&] { sum += clock.NowNs() - clock.NowNs(); }));
    system.values.push_back(Batch([&] { sum += rtl::BootTimeNs() - rtl::BootTimeNs(); }));
  }
  printf("two time stamps (%s)\n", rtl::FastClock::CounterIsReliable() ? "counter" : "no counter");
  counter.Print("the processor's counter");
  line.Print("the tracer's clock");
  system.Print("clock_gettime(CLOCK_BOOTTIME)");
  if (sum == 1) printf("\n");  // so that it is computed
}

}  // namespace

int main(int argc, char** argv) {
  const int batches = std::max(argc > 1 ? atoi(argv[1]) : 2000, 10);
  const int threads = std::max(argc > 2 ? atoi(argv[2]) : 2, 1);
  void* const library = dlopen("libamdhip64.so.5", RTLD_NOW | RTLD_NOLOAD);
  const auto direct =
      library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, "hipGetDevice"));
  if (direct == nullptr || hsa_init() != HSA_STATUS_SUCCESS) {
    fprintf(stderr, "hip_call_bench: it needs libamdhip64.so.5 and an HSA runtime with a GPU\n");
    return 1;
  }
  (void)hipPeekAtLastError();
  const double until = NowNs() + 50e6;  // the tracer's clock needs a few ms
  while (NowNs() < until) {
  }
  PrintFloor();
  Arms one = RunArms(direct, batches);
  Print("one thread", one);
  Arms all;
  std::vector<Arms> each(static_cast<size_t>(threads));
  std::vector<std::thread> workers;
  std::barrier start(threads);
  for (Arms& arms : each) {
    workers.emplace_back([&] {
      start.arrive_and_wait();
      arms = RunArms(direct, batches);
    });
  }
  for (std::thread& worker : workers) worker.join();
  for (const Arms& arms : each) {
    all.direct.Append(arms.direct);
    all.symbol.Append(arms.symbol);
    all.added.Append(arms.added);
  }
  Print((std::to_string(threads) + " threads").c_str(), all);
  (void)hsa_shut_down();
  return 0;
}
