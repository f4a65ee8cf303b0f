// SPDX-License-Identifier: MIT
// rocPRIM: sums, scans, sorts, selections, histograms and run lengths of 100,003 numbers, against
// the same by the standard library, element for element.
#include <algorithm>
#include <cstring>  // rocPRIM needs it, and does not include it
#include <functional>
#include <numeric>
#include <rocprim/rocprim.hpp>
#include <string>

#include "hip_support.h"
#include "reference.h"

using namespace programs;

namespace {

constexpr size_t kCount = 100'003;

// Calls an algorithm as all of rocPRIM's: first for the bytes of its memory, then with the memory.
template <typename Algorithm>
void Run(const Algorithm& algorithm) {
  size_t bytes = 0;
  HIP_CHECK(algorithm(nullptr, bytes));
  const DeviceArray<char> memory(std::max<size_t>(bytes, 1));
  HIP_CHECK(algorithm(memory.data(), bytes));
  HIP_CHECK(hipDeviceSynchronize());
}

template <typename T>
void ExpectSame(const std::string& what, const std::vector<T>& got, const std::vector<T>& wanted) {
  char digest[24];
  std::snprintf(digest, sizeof(digest), " %016llx",
                static_cast<unsigned long long>(real::Digest(got)));
  Expect(got == wanted, (what + digest).c_str());
}

std::vector<uint32_t> Keys(uint32_t seed, int most) {
  real::Numbers numbers(seed);
  std::vector<uint32_t> keys(kCount);
  for (uint32_t& key : keys) {
    key = most != 0 ? static_cast<uint32_t>(numbers.Between(0, most)) : numbers.Next();
  }
  return keys;
}

void Reduce() {
  const std::vector<uint32_t> keys = Keys(1, 1000);
  const DeviceArray<uint32_t> in(keys);
  const DeviceArray<uint32_t> out(1);
  Run([&](void* memory, size_t& bytes) {
    return rocprim::reduce(memory, bytes, in.data(), out.data(), 0u, kCount,
                           rocprim::plus<uint32_t>());
  });
  ExpectSame("reduce", out.Get(), {std::accumulate(keys.begin(), keys.end(), 0u)});
}

// Whole numbers: the sum has the same bits in any order.
void ReduceDoubles() {
  const std::vector<uint32_t> keys = Keys(2, 1000);
  const std::vector<double> values(keys.begin(), keys.end());
  const DeviceArray<double> in(values);
  const DeviceArray<double> out(1);
  Run([&](void* memory, size_t& bytes) {
    return rocprim::reduce(memory, bytes, in.data(), out.data(), 0.0, kCount,
                           rocprim::plus<double>());
  });
  ExpectSame("reduce of doubles", out.Get(), {std::accumulate(values.begin(), values.end(), 0.0)});
}

void Scan() {
  const std::vector<uint32_t> keys = Keys(3, 0);
  const DeviceArray<uint32_t> in(keys);
  const DeviceArray<uint32_t> out(kCount);
  std::vector<uint32_t> wanted(kCount);
  Run([&](void* memory, size_t& bytes) {
    return rocprim::inclusive_scan(memory, bytes, in.data(), out.data(), kCount,
                                   rocprim::maximum<uint32_t>());
  });
  std::inclusive_scan(keys.begin(), keys.end(), wanted.begin(),
                      [](uint32_t a, uint32_t b) { return std::max(a, b); });
  ExpectSame("inclusive scan, maximum", out.Get(), wanted);
  Run([&](void* memory, size_t& bytes) {
    return rocprim::exclusive_scan(memory, bytes, in.data(), out.data(), 7u, kCount,
                                   rocprim::plus<uint32_t>());
  });
  std::exclusive_scan(keys.begin(), keys.end(), wanted.begin(), 7u);
  ExpectSame("exclusive scan, sum", out.Get(), wanted);
}

void Sort() {
  std::vector<uint32_t> keys = Keys(4, 0);
  const DeviceArray<uint32_t> in(keys);
  const DeviceArray<uint32_t> out(kCount);
  Run([&](void* memory, size_t& bytes) {
    return rocprim::radix_sort_keys(memory, bytes, in.data(), out.data(), kCount);
  });
  std::ranges::sort(keys);
  ExpectSame("radix sort", out.Get(), keys);
  Run([&](void* memory, size_t& bytes) {
    return rocprim::merge_sort(memory, bytes, in.data(), out.data(), kCount,
                               rocprim::greater<uint32_t>());
  });
  std::ranges::reverse(keys);
  ExpectSame("merge sort, falling", out.Get(), keys);
}

// Stable: equal keys keep the order of their values.
void SortPairs() {
  const std::vector<uint32_t> keys = Keys(5, 99);
  std::vector<uint32_t> values(kCount);
  std::iota(values.begin(), values.end(), 0u);
  const DeviceArray<uint32_t> keys_in(keys), values_in(values);
  const DeviceArray<uint32_t> keys_out(kCount), values_out(kCount);
  Run([&](void* memory, size_t& bytes) {
    return rocprim::radix_sort_pairs(memory, bytes, keys_in.data(), keys_out.data(),
                                     values_in.data(), values_out.data(), kCount);
  });
  std::ranges::stable_sort(values, {}, [&](uint32_t value) { return keys[value]; });
  ExpectSame("radix sort of pairs, values", values_out.Get(), values);
}

struct IsOdd {
  __host__ __device__ bool operator()(uint32_t value) const { return (value & 1) != 0; }
};

void Select() {
  const std::vector<uint32_t> keys = Keys(6, 0);
  const DeviceArray<uint32_t> in(keys);
  const DeviceArray<uint32_t> out(kCount), count(1);
  Run([&](void* memory, size_t& bytes) {
    return rocprim::select(memory, bytes, in.data(), out.data(), count.data(), kCount, IsOdd());
  });
  std::vector<uint32_t> got = out.Get(), wanted;
  got.resize(count.Get()[0]);
  std::ranges::copy_if(keys, std::back_inserter(wanted), IsOdd());
  ExpectSame("select", got, wanted);
}

void RunLengths() {
  std::vector<uint32_t> keys = Keys(7, 3);
  std::ranges::sort(keys.begin() + 1000, keys.end());
  const DeviceArray<uint32_t> in(keys);
  const DeviceArray<uint32_t> unique(kCount), lengths(kCount), runs(1);
  Run([&](void* memory, size_t& bytes) {
    return rocprim::run_length_encode(memory, bytes, in.data(), kCount, unique.data(),
                                      lengths.data(), runs.data());
  });
  std::vector<uint32_t> got = lengths.Get(), wanted;
  got.resize(runs.Get()[0]);
  for (size_t i = 0; i < kCount; ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) wanted.push_back(0);
    ++wanted.back();
  }
  ExpectSame("run lengths", got, wanted);
}

void Histogram() {
  const std::vector<uint32_t> keys = Keys(8, 255);
  const DeviceArray<uint32_t> in(keys);
  const DeviceArray<uint32_t> out(64);
  Run([&](void* memory, size_t& bytes) {
    return rocprim::histogram_even(memory, bytes, in.data(), static_cast<unsigned>(kCount),
                                   out.data(), 65u, 0u, 256u);
  });
  std::vector<uint32_t> wanted(64);
  for (const uint32_t key : keys) ++wanted[key / 4];
  ExpectSame("histogram", out.Get(), wanted);
}

void SegmentedReduce() {
  const std::vector<uint32_t> keys = Keys(9, 1000);
  std::vector<uint32_t> offsets = {0, 1, 1, 64, 1000, 50'001, kCount};
  const DeviceArray<uint32_t> in(keys), ends(offsets);
  const DeviceArray<uint32_t> out(offsets.size() - 1);
  Run([&](void* memory, size_t& bytes) {
    return rocprim::segmented_reduce(memory, bytes, in.data(), out.data(),
                                     static_cast<unsigned>(offsets.size() - 1), ends.data(),
                                     ends.data() + 1, rocprim::plus<uint32_t>(), 0u);
  });
  std::vector<uint32_t> wanted;
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    wanted.push_back(std::accumulate(keys.begin() + offsets[i], keys.begin() + offsets[i + 1], 0u));
  }
  ExpectSame("segmented reduce", out.Get(), wanted);
}

}  // namespace

int main() {
  Reduce();
  ReduceDoubles();
  Scan();
  Sort();
  SortPairs();
  Select();
  RunLengths();
  Histogram();
  SegmentedReduce();
  return ExitCode();
}
