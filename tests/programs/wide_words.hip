// SPDX-License-Identifier: MIT
// Aligned words of 16 and 8 bytes that one workgroup stores and another loads, never half of one.
// Scans of rocPRIM keep a value and its state in one.
#include "hip_support.h"

using namespace programs;

typedef unsigned Wide __attribute__((ext_vector_type(4)));
typedef unsigned Pair __attribute__((ext_vector_type(2)));

constexpr unsigned kStores = 20000;
constexpr int kLanes = 64;

__device__ bool IsTorn(Wide word) {
  return word.x != word.y || word.y != word.z || word.z != word.w;
}
__device__ bool IsTorn(Pair word) { return word.x != word.y; }

// Work-items from `first` on store or load their own words.
template <typename Word>
__global__ void Exchange(volatile Word* words, unsigned* torn, unsigned first) {
  if (threadIdx.x < first) return;
  volatile Word* word = words + threadIdx.x;
  unsigned bad = 0;
  for (unsigned k = 0; k < kStores; ++k) {
    if (blockIdx.x == 0) {
      *word = Word(k);
    } else if (IsTorn(*word)) {
      ++bad;
    }
  }
  if (bad != 0) atomicAdd(torn, bad);
}

template <typename Word>
void Run(unsigned first, const char* what) {
  DeviceArray<Word> words(kLanes);
  DeviceArray<unsigned> torn(1);
  words.Clear();
  torn.Clear();
  Launch(Exchange<Word>, dim3(2), dim3(kLanes), words.data(), torn.data(), first);
  Expect(torn.Get()[0] == 0, what);
}

int main() {
  Run<Wide>(0, "16 bytes, all work-items");
  Run<Wide>(63, "16 bytes, one work-item");
  Run<Pair>(0, "8 bytes, all work-items");
  Run<Pair>(63, "8 bytes, one work-item");
  return ExitCode();
}
