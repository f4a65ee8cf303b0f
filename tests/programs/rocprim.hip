// SPDX-License-Identifier: MIT
// Kernels of a library that was not written for this device: rocPRIM's scan, reduce, sort, select.
#include "hip_support.h"

// After the support header, which includes the HIP runtime that it needs; and after memset, of
// which HIP's own headers declare only the device's.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <rocprim/rocprim.hpp>

using namespace programs;

struct IsOdd {
  __host__ __device__ bool operator()(unsigned x) const { return (x & 1) != 0; }
};

// Calls a rocPRIM algorithm twice, as its interface requires: for the size of its storage, and for
// the work.
template <typename Algorithm>
void Run(Algorithm algorithm) {
  size_t bytes = 0;
  HIP_CHECK(algorithm(nullptr, bytes));
  const DeviceArray<char> storage(std::max<size_t>(bytes, 4));
  HIP_CHECK(algorithm(storage.data(), bytes));
  HIP_CHECK(hipDeviceSynchronize());
}

int main() {
  constexpr unsigned kCount = 20'000;
  std::vector<unsigned> values(kCount);
  for (unsigned i = 0; i < kCount; ++i) values[i] = (i * 2654435761u) ^ (i << 7);
  const DeviceArray<unsigned> device_in(values), device_out(kCount), device_selected(1);
  unsigned* in = device_in.data();
  unsigned* out = device_out.data();

  Run([&](void* storage, size_t& bytes) {
    return rocprim::inclusive_scan(storage, bytes, in, out, kCount, rocprim::plus<unsigned>());
  });
  std::vector<unsigned> want(kCount);
  std::partial_sum(values.begin(), values.end(), want.begin());
  Expect(device_out.Get() == want, "inclusive scan");

  Run([&](void* storage, size_t& bytes) {
    return rocprim::reduce(storage, bytes, in, out, 0u, kCount, rocprim::maximum<unsigned>());
  });
  Expect(device_out.Get()[0] == *std::max_element(values.begin(), values.end()), "reduce");

  Run([&](void* storage, size_t& bytes) {
    return rocprim::radix_sort_keys(storage, bytes, in, out, kCount);
  });
  want = values;
  std::sort(want.begin(), want.end());
  Expect(device_out.Get() == want, "radix sort");

  Run([&](void* storage, size_t& bytes) {
    return rocprim::merge_sort(storage, bytes, in, out, kCount);
  });
  Expect(device_out.Get() == want, "merge sort");

  Run([&](void* storage, size_t& bytes) {
    return rocprim::select(storage, bytes, in, out, device_selected.data(), kCount, IsOdd());
  });
  std::vector<unsigned> selected = device_out.Get();
  selected.resize(device_selected.Get()[0]);
  want.clear();
  std::copy_if(values.begin(), values.end(), std::back_inserter(want), IsOdd());
  Expect(selected == want, "select");
  return ExitCode();
}
