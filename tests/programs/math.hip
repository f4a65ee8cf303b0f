// SPDX-License-Identifier: MIT
// Floating point in three widths: divisions, roots and transcendentals against the host's.
#include <hip/hip_fp16.h>

#include <cmath>

#include "hip_support.h"

using namespace programs;

constexpr int kCount = 1000;
constexpr int kKinds = 8;

__global__ void Single(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kCount) return;
  const float x = in[i];
  out[0 * kCount + i] = 1.0f / x;
  out[1 * kCount + i] = sqrtf(x);
  out[2 * kCount + i] = expf(-x);
  out[3 * kCount + i] = sinf(x);
  out[4 * kCount + i] = cosf(x);
  out[5 * kCount + i] = logf(x);
  out[6 * kCount + i] = powf(x, 1.5f);
  out[7 * kCount + i] = floorf(x) + truncf(-x) + fmodf(x, 0.75f);
}

__global__ void Double(const double* in, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kCount) return;
  const double x = in[i];
  out[0 * kCount + i] = 1.0 / x;
  out[1 * kCount + i] = sqrt(x);
  out[2 * kCount + i] = exp(-x);
  out[3 * kCount + i] = sin(x);
  out[4 * kCount + i] = cos(x);
  out[5 * kCount + i] = log(x);
  out[6 * kCount + i] = pow(x, 1.5);
  out[7 * kCount + i] = floor(x) + trunc(-x) + fma(x, x, 1.0);
}

__global__ void Half(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kCount) return;
  const __half x = __float2half(in[i]);
  out[0 * kCount + i] = __half2float(__hadd(x, x));
  out[1 * kCount + i] = __half2float(__hmul(x, __float2half(0.25f)));
  out[2 * kCount + i] = __half2float(__hfma(x, __float2half(2.0f), __float2half(1.0f)));
}

// Distance in units of the reference's size, never below an absolute floor of 1.
template <typename T>
bool Near(T got, T want, T tolerance) {
  return std::fabs(got - want) <= tolerance * std::fmax(T(1), std::fabs(want));
}

constexpr const char* kNames[kKinds] = {"division", "square root", "exp",   "sin",
                                        "cos",      "log",         "power", "rounding"};

template <typename T, typename Reference>
void Compare(const char* width, const std::vector<T>& in, const std::vector<T>& out, T tolerance,
             Reference reference) {
  for (int kind = 0; kind < kKinds; ++kind) {
    char what[64];
    std::snprintf(what, sizeof(what), "%s %s", width, kNames[kind]);
    Expect(ForAll(kCount,
                  [&](int i) {
                    return Near(out[kind * kCount + i], reference(kind, in[i]), tolerance);
                  }),
           what);
  }
}

void RunSingle() {
  std::vector<float> in(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = 0.01f * (i + 1);
  const DeviceArray<float> device_in(in), device_out(kKinds * kCount);
  Launch(Single, Blocks(kCount, 256), dim3(256), device_in.data(), device_out.data());
  Compare("single", in, device_out.Get(), 1e-6f, [](int kind, float x) {
    const float want[] = {
        1 / x,   sqrtf(x), expf(-x),      sinf(x),
        cosf(x), logf(x),  powf(x, 1.5f), floorf(x) + truncf(-x) + fmodf(x, 0.75f)};
    return want[kind];
  });
}

void RunDouble() {
  std::vector<double> in(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = 0.37 * (i + 1);
  const DeviceArray<double> device_in(in), device_out(kKinds * kCount);
  Launch(Double, Blocks(kCount, 256), dim3(256), device_in.data(), device_out.data());
  Compare("double", in, device_out.Get(), 1e-14, [](int kind, double x) {
    const double want[] = {1 / x,  sqrt(x), exp(-x),     sin(x),
                           cos(x), log(x),  pow(x, 1.5), floor(x) + trunc(-x) + fma(x, x, 1.0)};
    return want[kind];
  });
}

void RunHalf() {
  std::vector<float> in(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = 0.5f * (i - 500);  // exact in half precision
  const DeviceArray<float> device_in(in), device_out(3 * kCount);
  Launch(Half, Blocks(kCount, 256), dim3(256), device_in.data(), device_out.data());
  const std::vector<float> out = device_out.Get();
  Expect(ForAll(kCount, [&](int i) { return out[i] == in[i] * 2; }), "half addition");
  Expect(ForAll(kCount, [&](int i) { return out[kCount + i] == in[i] * 0.25f; }),
         "half multiplication");
  Expect(ForAll(kCount, [&](int i) { return out[2 * kCount + i] == in[i] * 2 + 1; }),
         "half multiply-add");
}

int main() {
  RunSingle();
  RunDouble();
  RunHalf();
  return ExitCode();
}
