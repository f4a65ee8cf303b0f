// SPDX-License-Identifier: MIT
// Waves of a workgroup advance together on the hardware: what they do without a barrier.
#include <cmath>

#include "hip_support.h"

using namespace programs;

constexpr int kItems = 1024;
constexpr int kBlocks = 8;

// All waves read a word, and item 0 then replaces it.
template <bool kSlowly>
__global__ void ReplaceLocal(int* read) {
  __shared__ float word;
  if (threadIdx.x == 0) word = 16;
  __syncthreads();
  const float seen = *static_cast<volatile float*>(&word);
  const float next = kSlowly ? sqrtf(seen) : seen + 1;
  if (threadIdx.x == 0) *static_cast<volatile float*>(&word) = next;
  read[blockIdx.x * kItems + threadIdx.x] = static_cast<int>(seen);
}

__global__ void ReplaceGlobal(int* words, int* read) {
  volatile int* word = words + blockIdx.x;
  if (threadIdx.x == 0) *word = 16;
  __syncthreads();
  const int seen = *word;
  if (threadIdx.x == 0) *word = seen + 1;
  read[blockIdx.x * kItems + threadIdx.x] = seen;
}

// Many rounds: the words that a round reads are those that the one before it has left.
__global__ void Rounds(int* read) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 0;
  int bad = 0;
  for (int i = 0; i < 100; ++i) {
    __syncthreads();
    const int seen = *static_cast<volatile int*>(&word);
    if (seen != i) ++bad;
    if (threadIdx.x == 0) *static_cast<volatile int*>(&word) = seen + 1;
  }
  read[blockIdx.x * kItems + threadIdx.x] = 16 + bad;
}

int main() {
  const DeviceArray<int> words(kBlocks), read(kBlocks * kItems);
  const auto expect = [&](const char* what) {
    const std::vector<int> seen = read.Get();
    Expect(ForAll(kBlocks * kItems, [&](int i) { return seen[i] == 16; }), what);
  };
  Launch(ReplaceLocal<true>, dim3(kBlocks), dim3(kItems), read.data());
  expect("a word of local memory, replaced slowly");
  Launch(ReplaceLocal<false>, dim3(kBlocks), dim3(kItems), read.data());
  expect("a word of local memory, replaced at once");
  Launch(ReplaceGlobal, dim3(kBlocks), dim3(kItems), words.data(), read.data());
  expect("a word of global memory, replaced at once");
  Launch(Rounds, dim3(kBlocks), dim3(kItems), read.data());
  expect("a word that is replaced in every round");
  return ExitCode();
}
