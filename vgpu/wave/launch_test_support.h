// SPDX-License-Identifier: MIT
// launch_test_support.h: dispatches kernels of launch_test.s without a queue.
#pragma once

#include <hsa/amd_hsa_queue.h>
#include <hsa/hsa.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "vgpu/wave/launch.h"

namespace vgpu {

// Memory that GPU 0 sees at another address than the host.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(uint32_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  uint64_t va() const { return va_; }
  uint8_t* host() { return bytes_.data(); }
  template <class T>
  void Put(uint32_t offset, T value) {
    std::memcpy(bytes_.data() + offset, &value, sizeof value);
  }
  // An atomic load: kernels on other threads may be writing the word.
  uint32_t Word(uint32_t index) const {
    return __atomic_load_n(reinterpret_cast<const uint32_t*>(bytes_.data()) + index,
                           __ATOMIC_ACQUIRE);
  }

 private:
  std::vector<uint8_t> bytes_;
  uint64_t va_;
};

// One dispatch. The descriptor requests the kernarg segment and the workgroup id in x, and packet
// and queue are plain. A test changes what it needs before Run.
struct TestDispatch {
  // Kernel descriptor fields, see grid_launch.cpp.
  static constexpr uint32_t kKernargPtr = 1u << 3;
  static constexpr uint32_t kScratchOffset = 1u << 0;  // rsrc2
  static constexpr uint32_t kGroupIdX = 1u << 7;
  static constexpr uint32_t kGroupIdY = 1u << 8;
  static constexpr uint32_t kGroupIdZ = 1u << 9;
  static constexpr uint32_t kGroupInfo = 1u << 10;
  static constexpr uint32_t kItemIdsXyz = 2u << 11;

  TestDispatch(const char* kernel, uint32_t groups, uint32_t group_size, uint32_t output_bytes);

  void SetUserSgprs(uint32_t count) { rsrc2 = (rsrc2 & ~0x3eu) | count << 1; }
  DispatchResult Run(const std::atomic<bool>* stop = nullptr);
  uint32_t Out(uint32_t index) const { return output.Word(index); }

  uint32_t rsrc1 = 7;  // 32 VGPRs
  uint32_t rsrc2 = kGroupIdX | 2 << 1;
  uint16_t properties = kKernargPtr;
  hsa_kernel_dispatch_packet_t packet = {};
  amd_queue_t queue = {};
  uint64_t dispatch_id = 0;
  DeviceBuffer output;
  DeviceBuffer kernarg;  // starts with the output's address
  DeviceBuffer descriptor;

 private:
  uint64_t entry_;
};

}  // namespace vgpu
