// SPDX-License-Identifier: MIT
// Private memory that the runtime lends for one kernel: much of it for a small grid. The next
// kernel has little, and workgroups that would not fit into what was lent.
#include "hip_support.h"

using namespace programs;

constexpr int kItems = 1024;

template <int kInts>
__global__ void Use(int* out) {
  volatile int values[kInts];
  for (int i = 0; i < kInts; ++i) values[i] = i + threadIdx.x;
  out[threadIdx.x] = values[(kInts - 1) ^ (threadIdx.x & 1)];
}

template <int kInts>
void Run(int items, const DeviceArray<int>& out, const char* what) {
  Launch(Use<kInts>, dim3(1), dim3(items), out.data());
  const std::vector<int> got = out.Get();
  Expect(ForAll(items, [&](int i) { return got[i] == ((kInts - 1) ^ (i & 1)) + i; }), what);
}

int main() {
  const DeviceArray<int> out(kItems);
  for (int round = 0; round < 2; ++round) {
    Run<4096>(64, out, "much private memory for one wave");
    Run<16>(kItems, out, "a little for 16 waves");
    Run<4096>(256, out, "much for four waves");
    Run<16>(kItems, out, "a little for 16 waves");
  }
  return ExitCode();
}
