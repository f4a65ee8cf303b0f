// SPDX-License-Identifier: MIT
// Loads two code objects in turn and runs their kernels, each many times. The second often gets the
// address of the first. Ends with the last values of both.
// usage: module_reload FILE FILE ROUNDS, compiled from long_sum.hip and long_product.hip
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "hip_support.h"

namespace {

constexpr int kLanes = 64;

float Run(const char* path, const char* name) {
  hipModule_t module;
  hipFunction_t kernel;
  HIP_CHECK(hipModuleLoad(&module, path));
  HIP_CHECK(hipModuleGetFunction(&kernel, module, name));
  std::vector<float> values(2 * kLanes, 1);
  const size_t bytes = values.size() * sizeof(float);
  float* memory = nullptr;
  HIP_CHECK(hipMalloc(&memory, bytes));
  HIP_CHECK(hipMemcpy(memory, values.data(), bytes, hipMemcpyHostToDevice));
  void* arguments[] = {&memory};
  for (int i = 0; i < 4; ++i) {
    HIP_CHECK(hipModuleLaunchKernel(kernel, 8, 1, 1, kLanes, 1, 1, 0, nullptr, arguments, nullptr));
  }
  HIP_CHECK(hipMemcpy(values.data(), memory, bytes, hipMemcpyDeviceToHost));
  HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipModuleUnload(module));
  return values[kLanes];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  float sum = 0;
  float product = 0;
  for (int round = std::atoi(argv[3]); round > 0; --round) {
    sum = Run(argv[1], "long_sum");
    product = Run(argv[2], "long_product");
  }
  std::printf("sum %.0f, product %.0f\n", sum, product);
  return 0;
}
