// SPDX-License-Identifier: MIT
// hip_support.h: the parts that all HIP programs of this folder share.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <vector>

#include "check.h"

namespace programs {

inline void HipCheck(hipError_t status, const char* what) {
  if (status != hipSuccess) Die(what, hipGetErrorString(status));
}
#define HIP_CHECK(call) ::programs::HipCheck((call), #call)

// Device memory of the current GPU; freed at the end of its scope.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : count_(count) {
    HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) { Put(values); }
  ~DeviceArray() { HIP_CHECK(hipFree(data_)); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  void Put(const std::vector<T>& values) {
    HIP_CHECK(hipMemcpy(data_, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
  }
  void Clear() { HIP_CHECK(hipMemset(data_, 0, count_ * sizeof(T))); }
  std::vector<T> Get() const {
    std::vector<T> values(count_);
    HIP_CHECK(hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }
  T* data() const { return data_; }

 private:
  size_t count_;
  T* data_ = nullptr;
};

// Launches on the default stream, or on `stream`, and ends the program when a launch is refused.
template <typename... Parameters, typename... Arguments>
void LaunchOn(hipStream_t stream, void (*kernel)(Parameters...), dim3 grid, dim3 block,
              Arguments... arguments) {
  kernel<<<grid, block, 0, stream>>>(static_cast<Parameters>(arguments)...);
  HIP_CHECK(hipGetLastError());
}
template <typename... Parameters, typename... Arguments>
void Launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, Arguments... arguments) {
  LaunchOn(nullptr, kernel, grid, block, arguments...);
}

// Number of blocks of `block` threads that cover `count` elements.
inline dim3 Blocks(int count, int block) { return dim3((count + block - 1) / block); }

// True when test(i) is true for every i below count.
template <typename Test>
bool ForAll(int count, Test test) {
  for (int i = 0; i < count; ++i) {
    if (!test(i)) return false;
  }
  return true;
}

}  // namespace programs
