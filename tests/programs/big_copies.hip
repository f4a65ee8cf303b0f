// SPDX-License-Identifier: MIT
// Copies to the device and back of sizes around the largest that one command of a copy engine can
// take, and the kernels that replace commands: copies on the device, and fills.
//   big_copies [MIB]   copies of MIB megabytes; without it 4 MiB - 1, 4 MiB, 4 MiB + 1, 64 MiB
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "hip_support.h"

using namespace programs;

constexpr size_t kMebi = size_t{1} << 20;
constexpr uint8_t kFill = 0xa5;
constexpr uint8_t kOld = 0x3c;

// Every address of the memory holds another value.
void SetPattern(uint8_t* bytes, size_t count, uint64_t seed) {
  for (size_t i = 0; i < count; i += 8) {
    const uint64_t word = (i + seed) * 0x9e3779b97f4a7c15;
    std::memcpy(bytes + i, &word, count - i < 8 ? count - i : 8);
  }
}

bool IsFilled(const uint8_t* bytes, size_t count, uint8_t value) {
  return count == 0 || (bytes[0] == value && std::memcmp(bytes, bytes + 1, count - 1) == 0);
}

class HostArray {
 public:
  explicit HostArray(size_t count) {
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void**>(&data_), count));
  }
  ~HostArray() { HIP_CHECK(hipHostFree(data_)); }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;
  uint8_t* data() const { return data_; }

 private:
  uint8_t* data_ = nullptr;
};

// To the device and back through memory that the copy engine reaches.
void CopyPinned(size_t count, const std::string& name) {
  const HostArray pinned(count), result(count);
  const DeviceArray<uint8_t> device(count);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  SetPattern(pinned.data(), count, 1);
  std::memset(result.data(), kOld, count);
  HIP_CHECK(hipMemcpyAsync(device.data(), pinned.data(), count, hipMemcpyHostToDevice, stream));
  HIP_CHECK(hipMemcpyAsync(result.data(), device.data(), count, hipMemcpyDeviceToHost, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipStreamDestroy(stream));
  Expect(std::memcmp(result.data(), pinned.data(), count) == 0, (name + ", pinned memory").c_str());
}

void CopyPageable(size_t count, const std::string& name) {
  const HostArray result(count);
  std::vector<uint8_t> pageable(count);
  const DeviceArray<uint8_t> device(count);
  SetPattern(pageable.data(), count, 7);
  HIP_CHECK(hipMemcpy(device.data(), pageable.data(), count, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(result.data(), device.data(), count, hipMemcpyDeviceToHost));
  Expect(std::memcmp(result.data(), pageable.data(), count) == 0,
         (name + ", from pageable memory").c_str());
  std::memset(pageable.data(), kOld, count);
  HIP_CHECK(hipMemcpy(pageable.data(), device.data(), count, hipMemcpyDeviceToHost));
  Expect(std::memcmp(result.data(), pageable.data(), count) == 0,
         (name + ", to pageable memory").c_str());
}

void CopyOnDevice(size_t count, const std::string& name) {
  const HostArray pinned(count), result(count);
  const DeviceArray<uint8_t> one(count), other(count);
  SetPattern(pinned.data(), count, 13);
  HIP_CHECK(hipMemcpy(one.data(), pinned.data(), count, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(other.data(), one.data(), count, hipMemcpyDeviceToDevice));
  HIP_CHECK(hipMemset(one.data(), kFill, count));
  HIP_CHECK(hipMemcpy(result.data(), other.data(), count, hipMemcpyDeviceToHost));
  Expect(std::memcmp(result.data(), pinned.data(), count) == 0, (name + ", on the device").c_str());
  HIP_CHECK(hipMemcpy(result.data(), one.data(), count, hipMemcpyDeviceToHost));
  Expect(IsFilled(result.data(), count, kFill), (name + ", filled").c_str());
}

int main(int argc, char** argv) {
  if (argc > 1) {
    CopyPinned(std::stoul(argv[1]) * kMebi, std::string(argv[1]) + " MiB");
    return ExitCode();
  }
  const std::pair<size_t, const char*> sizes[] = {{4 * kMebi - 1, "4 MiB - 1"},
                                                  {4 * kMebi, "4 MiB"},
                                                  {4 * kMebi + 1, "4 MiB + 1"},
                                                  {64 * kMebi, "64 MiB"}};
  for (const auto& [count, name] : sizes) {
    CopyPinned(count, name);
    CopyPageable(count, name);
  }
  CopyOnDevice(sizes[2].first, sizes[2].second);
  return ExitCode();
}
