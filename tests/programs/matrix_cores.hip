// SPDX-License-Identifier: MIT
// Products of matrices by the matrix instructions of gfx90a and gfx942, one wave for each, as
// compilers make them: with operands and sums in any registers. Other GPUs get loops.
#include "hip_support.h"

using namespace programs;

#if defined(__gfx90a__) || defined(__gfx942__)
#define RTL_MATRIX
#endif

constexpr int kWave = 64;
constexpr int kDepth = 32;

template <typename T, int kCount>
using Vector = T __attribute__((ext_vector_type(kCount)));

// For each kind of element: the instruction, the size of its matrices, how many elements along the
// sum it takes at once and a lane provides, and where a lane's sums belong.
struct Halves {
  using Element = _Float16;
  using Sum = float;
  static constexpr int kSize = 32, kStep = 8, kPerLane = 4;
#ifdef RTL_MATRIX
  static __device__ auto Step(Vector<Element, 4> a, Vector<Element, 4> b, Vector<Sum, 16> sums) {
    return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, sums, 0, 0, 0);
  }
#endif
};
struct Bytes {
  using Element = signed char;
  using Sum = int;
#ifdef __gfx942__
  static constexpr int kSize = 16, kStep = 32, kPerLane = 8;
  static __device__ auto Step(Vector<Element, 8> a, Vector<Element, 8> b, Vector<Sum, 4> sums) {
    return __builtin_amdgcn_mfma_i32_16x16x32_i8(__builtin_bit_cast(long, a),
                                                 __builtin_bit_cast(long, b), sums, 0, 0, 0);
  }
#else
  static constexpr int kSize = 16, kStep = 16, kPerLane = 4;
#endif
#ifdef __gfx90a__
  static __device__ auto Step(Vector<Element, 4> a, Vector<Element, 4> b, Vector<Sum, 4> sums) {
    return __builtin_amdgcn_mfma_i32_16x16x16i8(__builtin_bit_cast(int, a),
                                                __builtin_bit_cast(int, b), sums, 0, 0, 0);
  }
#endif
};
struct Singles {
  using Element = float;
  using Sum = float;
  static constexpr int kSize = 32, kStep = 2, kPerLane = 1;
#ifdef RTL_MATRIX
  static __device__ auto Step(Vector<Element, 1> a, Vector<Element, 1> b, Vector<Sum, 16> sums) {
    return __builtin_amdgcn_mfma_f32_32x32x2f32(a[0], b[0], sums, 0, 0, 0);
  }
#endif
};
struct Doubles {
  using Element = double;
  using Sum = double;
  static constexpr int kSize = 16, kStep = 4, kPerLane = 1;
#ifdef RTL_MATRIX
  static __device__ auto Step(Vector<Element, 1> a, Vector<Element, 1> b, Vector<Sum, 4> sums) {
    return __builtin_amdgcn_mfma_f64_16x16x4f64(a[0], b[0], sums, 0, 0, 0);
  }
#endif
};

template <typename Kind>
__device__ int RowOf(int i, int group) {
  constexpr int kGroups = kWave / Kind::kSize;
  if (sizeof(typename Kind::Sum) == 8) return i * kGroups + group;
  return i / 4 * 4 * kGroups + 4 * group + i % 4;
}

// c = a * b + c; a is kSize x kDepth, b is kDepth x kSize.
template <typename Kind>
__global__ void MatrixProduct(const typename Kind::Element* a, const typename Kind::Element* b,
                              typename Kind::Sum* c) {
  constexpr int kSize = Kind::kSize;
  constexpr int kSums = kSize * kSize / kWave;
  const int lane = threadIdx.x;
  const int column = lane % kSize;
  const int group = lane / kSize;
#ifdef RTL_MATRIX
  Vector<typename Kind::Sum, kSums> sums;
  for (int i = 0; i < kSums; ++i) sums[i] = c[RowOf<Kind>(i, group) * kSize + column];
  for (int k = 0; k < kDepth; k += Kind::kStep) {
    Vector<typename Kind::Element, Kind::kPerLane> left, right;
    for (int i = 0; i < Kind::kPerLane; ++i) {
      const int place = k + group * Kind::kPerLane + i;
      left[i] = a[column * kDepth + place];  // here a lane stands for a row
      right[i] = b[place * kSize + column];
    }
    sums = Kind::Step(left, right, sums);
  }
  for (int i = 0; i < kSums; ++i) c[RowOf<Kind>(i, group) * kSize + column] = sums[i];
#else
  for (int i = 0; i < kSums; ++i) {
    const int row = RowOf<Kind>(i, group);
    for (int k = 0; k < kDepth; ++k) {
      c[row * kSize + column] += typename Kind::Sum(a[row * kDepth + k]) * b[k * kSize + column];
    }
  }
#endif
}

// Small whole numbers: every sum is exact, in any order.
template <typename T>
std::vector<T> Numbers(int count, int factor) {
  std::vector<T> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<T>(i * factor % 23 - 11));
  return values;
}

template <typename Kind>
void ExpectProduct(const char* what) {
  using Element = typename Kind::Element;
  using Sum = typename Kind::Sum;
  constexpr int kSize = Kind::kSize;
  const auto a = Numbers<Element>(kSize * kDepth, 7);
  const auto b = Numbers<Element>(kSize * kDepth, 5);
  const auto old = Numbers<Sum>(kSize * kSize, 3);
  const DeviceArray<Element> device_a(a), device_b(b);
  const DeviceArray<Sum> device_c(old);
  Launch(MatrixProduct<Kind>, dim3(1), dim3(kWave), device_a.data(), device_b.data(),
         device_c.data());
  const std::vector<Sum> c = device_c.Get();
  Expect(ForAll(kSize * kSize,
                [&](int i) {
                  Sum want = old[i];
                  for (int k = 0; k < kDepth; ++k) {
                    want += static_cast<Sum>(a[i / kSize * kDepth + k]) *
                            static_cast<Sum>(b[k * kSize + i % kSize]);
                  }
                  return c[i] == want;
                }),
         what);
}

int main() {
  ExpectProduct<Halves>("16-bit floats");
  ExpectProduct<Bytes>("8-bit integers");
  ExpectProduct<Singles>("32-bit floats");
  ExpectProduct<Doubles>("64-bit floats");
  return ExitCode();
}
