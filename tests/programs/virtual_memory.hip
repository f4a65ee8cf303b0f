// SPDX-License-Identifier: MIT
// Addresses are reserved first and get memory later: two pieces in one range, a piece at two
// addresses, a second GPU.
#include "hip_support.h"

using namespace programs;

namespace {

constexpr int kBlock = 256;

__global__ void Count(int* values, int from, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = from + i;
}

hipMemAllocationProp PinnedOn(int device) {
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.location.type = hipMemLocationTypeDevice;
  properties.location.id = device;
  return properties;
}

void Allow(void* address, size_t bytes, int device) {
  hipMemAccessDesc access{};
  access.location.type = hipMemLocationTypeDevice;
  access.location.id = device;
  access.flags = hipMemAccessFlagsProtReadWrite;
  HIP_CHECK(hipMemSetAccess(address, bytes, &access, 1));
}

// A reserved range whose halves are two pieces of memory.
class Range {
 public:
  explicit Range(int device) {
    const hipMemAllocationProp properties = PinnedOn(device);
    HIP_CHECK(
        hipMemGetAllocationGranularity(&half_, &properties, hipMemAllocationGranularityMinimum));
    HIP_CHECK(hipMemAddressReserve(&address_, 2 * half_, 0, nullptr, 0));
    for (int i = 0; i < 2; ++i) {
      HIP_CHECK(hipMemCreate(&pieces_[i], half_, &properties, 0));
      HIP_CHECK(hipMemMap(At(i), half_, 0, pieces_[i], 0));
      Allow(At(i), half_, device);
    }
  }
  ~Range() {
    for (int i = 0; i < 2; ++i) {
      HIP_CHECK(hipMemUnmap(At(i), half_));
      HIP_CHECK(hipMemRelease(pieces_[i]));
    }
    HIP_CHECK(hipMemAddressFree(address_, 2 * half_));
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

  void* At(int half) const { return static_cast<char*>(address_) + half * half_; }
  size_t half() const { return half_; }
  int count() const { return static_cast<int>(2 * half_ / sizeof(int)); }
  int* values() const { return static_cast<int*>(address_); }
  hipMemGenericAllocationHandle_t piece(int i) const { return pieces_[i]; }

  bool Holds(int from) const {
    std::vector<int> values(count());
    HIP_CHECK(hipMemcpy(values.data(), address_, 2 * half_, hipMemcpyDeviceToHost));
    return ForAll(count(), [&](int i) { return values[i] == from + i; });
  }

 private:
  size_t half_ = 0;
  void* address_ = nullptr;
  hipMemGenericAllocationHandle_t pieces_[2] = {};
};

void Fill(const Range& range, int from) {
  Launch(Count, Blocks(range.count(), kBlock), dim3(kBlock), range.values(), from, range.count());
  HIP_CHECK(hipDeviceSynchronize());
}

// The first piece, mapped at a second address as well.
bool IsTheSameTwice(const Range& range) {
  void* alias = nullptr;
  HIP_CHECK(hipMemAddressReserve(&alias, range.half(), 0, nullptr, 0));
  HIP_CHECK(hipMemMap(alias, range.half(), 0, range.piece(0), 0));
  Allow(alias, range.half(), 0);
  int value = 0;
  HIP_CHECK(hipMemcpy(&value, static_cast<int*>(alias) + 5, sizeof(value), hipMemcpyDeviceToHost));
  HIP_CHECK(hipMemUnmap(alias, range.half()));
  HIP_CHECK(hipMemAddressFree(alias, range.half()));
  return value == 105;
}

}  // namespace

int main() {
  Range range(0);
  Fill(range, 100);
  Expect(range.Holds(100), "a kernel writes two pieces as one range");
  Expect(IsTheSameTwice(range), "a piece is the same at another address");
  for (int i = 0; i < 2; ++i) Allow(range.At(i), range.half(), 1);
  HIP_CHECK(hipSetDevice(1));
  Fill(range, 200);
  HIP_CHECK(hipSetDevice(0));
  Expect(range.Holds(200), "another GPU writes it when it may");
  return ExitCode();
}
