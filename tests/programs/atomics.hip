// SPDX-License-Identifier: MIT
// Atomic operations on device memory from thousands of threads at once.
#include <cstdint>

#include "hip_support.h"

using namespace programs;

constexpr int kThreads = 4096;

struct Cells {
  int add, sub, min, max, exchanged;
  unsigned and_, or_, xor_, increment;
  unsigned long long wide_add, wide_max;
  float float_add;
  int locked;
  int lock;
};

__global__ void Update(Cells* cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&cells->add, i);
  atomicSub(&cells->sub, 3);
  atomicMin(&cells->min, 5000 - i);
  atomicMax(&cells->max, i);
  atomicExch(&cells->exchanged, i);
  atomicAnd(&cells->and_, ~(1u << (i % 7)));
  atomicOr(&cells->or_, 1u << (i % 31));
  atomicXor(&cells->xor_, static_cast<unsigned>(i));
  atomicInc(&cells->increment, 99u);
  atomicAdd(&cells->wide_add, 1ull << 32);
  atomicMax(&cells->wide_max, static_cast<unsigned long long>(i) << 40);
  atomicAdd(&cells->float_add, 0.5f);
}

// One thread of each block at a time, guarded by a lock made of compare-and-swap.
__global__ void Locked(Cells* cells) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&cells->lock, 0, 1) != 0) {
  }
  __threadfence();
  volatile int* value = &cells->locked;
  *value = *value + 1;
  __threadfence();
  atomicExch(&cells->lock, 0);
}

int main() {
  Cells start = {};
  start.min = 1 << 30;
  start.and_ = ~0u;
  const DeviceArray<Cells> cells(std::vector<Cells>{start});
  Launch(Update, dim3(kThreads / 256), dim3(256), cells.data());
  Launch(Locked, dim3(100), dim3(64), cells.data());
  const Cells end = cells.Get()[0];
  unsigned all_xor = 0;
  for (unsigned i = 0; i < kThreads; ++i) all_xor ^= i;

  Expect(end.add == kThreads / 2 * (kThreads - 1), "add");
  Expect(end.sub == -3 * kThreads, "subtract");
  Expect(end.min == 5000 - (kThreads - 1), "minimum");
  Expect(end.max == kThreads - 1, "maximum");
  Expect(end.exchanged >= 0 && end.exchanged < kThreads, "exchange");
  Expect(end.and_ == ~0x7fu, "and");
  Expect(end.or_ == 0x7fffffffu, "or");
  Expect(end.xor_ == all_xor, "exclusive or");
  Expect(end.increment == kThreads % 100, "wrapping increment");
  Expect(end.wide_add == uint64_t{kThreads} << 32, "64-bit add");
  Expect(end.wide_max == uint64_t{kThreads - 1} << 40, "64-bit maximum");
  Expect(end.float_add == kThreads * 0.5f, "floating point add");
  Expect(end.locked == 100, "a lock made of compare-and-swap");
  return ExitCode();
}
