// SPDX-License-Identifier: MIT
// Integers of 32 and 64 bits: products, divisions, shifts, bit counts, and loops that diverge.
#include <cstdint>

#include "hip_support.h"

using namespace programs;

constexpr int kCount = 4000;
constexpr int kKinds = 9;

__host__ __device__ void Compute(int64_t a, int64_t b, int64_t* out) {
  const auto unsigned_a = static_cast<uint64_t>(a);
  const auto unsigned_b = static_cast<uint64_t>(b);
  const int amount = static_cast<int>(b & 63);
  out[0] = static_cast<int64_t>(unsigned_a * unsigned_b);
  out[1] = a / b;
  out[2] = a % b;
  out[3] = static_cast<int64_t>(unsigned_a / unsigned_b);
  out[4] = a >> amount;
  out[5] = static_cast<int64_t>(unsigned_a << amount);
  out[6] = static_cast<int32_t>(a) / (static_cast<int32_t>(b) | 1);
  out[7] = static_cast<int64_t>(static_cast<double>(a));
  out[8] = a < b ? a ^ b : a & ~b;
}

__global__ void Arithmetic(const int64_t* a, const int64_t* b, int64_t* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) Compute(a[i], b[i], out + i * kKinds);
}

// Steps until a number reaches 1 by halving and tripling: every lane leaves the loop at another
// step.
__host__ __device__ int Steps(int start) {
  int x = start;
  int steps = 0;
  while (x > 1 && steps < 1000) {
    x = x % 2 != 0 ? 3 * x + 1 : x / 2;
    ++steps;
  }
  return steps;
}

__global__ void Divergent(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) out[i] = Steps(i);
}

__global__ void BitCounts(const int64_t* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kCount) return;
  out[3 * i] = __popcll(in[i]);
  out[3 * i + 1] = __clzll(in[i]);
  out[3 * i + 2] = __ffsll(static_cast<unsigned long long>(in[i]));
}

int main() {
  std::vector<int64_t> a(kCount), b(kCount);
  for (int i = 0; i < kCount; ++i) {
    a[i] = static_cast<int64_t>((i + 1) * 0x9e3779b97f4a7c15u) >> (i % 40);
    b[i] = static_cast<int64_t>((i + 7) * 0xc2b2ae3d27d4eb4fu) >> (i % 60) | 1;
  }
  const DeviceArray<int64_t> device_a(a), device_b(b), device_out(kCount * kKinds);
  Launch(Arithmetic, Blocks(kCount, 256), dim3(256), device_a.data(), device_b.data(),
         device_out.data());
  const std::vector<int64_t> out = device_out.Get();
  std::vector<int64_t> want(kCount * kKinds);
  for (int i = 0; i < kCount; ++i) Compute(a[i], b[i], &want[i * kKinds]);
  const char* names[kKinds] = {
      "64-bit product",           "64-bit division", "64-bit remainder",
      "unsigned 64-bit division", "right shift",     "left shift",
      "32-bit division",          "through double",  "comparison and logic"};
  for (int kind = 0; kind < kKinds; ++kind) {
    Expect(ForAll(kCount, [&](int i) { return out[i * kKinds + kind] == want[i * kKinds + kind]; }),
           names[kind]);
  }

  const DeviceArray<int> steps(kCount);
  Launch(Divergent, Blocks(kCount, 256), dim3(256), steps.data());
  const std::vector<int> got = steps.Get();
  Expect(ForAll(kCount, [&](int i) { return got[i] == Steps(i); }), "loops that diverge");

  const DeviceArray<int> counts(3 * kCount);
  Launch(BitCounts, Blocks(kCount, 256), dim3(256), device_a.data(), counts.data());
  const std::vector<int> bits = counts.Get();
  Expect(ForAll(kCount,
                [&](int i) {
                  return bits[3 * i] == __builtin_popcountll(a[i]) &&
                         bits[3 * i + 1] == __builtin_clzll(a[i]) &&
                         bits[3 * i + 2] == __builtin_ffsll(a[i]);
                }),
         "bit counts");
  return ExitCode();
}
