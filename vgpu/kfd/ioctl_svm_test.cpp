// SPDX-License-Identifier: MIT
// The driver call about shared virtual memory, as libhsakmt makes it.
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "vgpu/kfd/ioctls.h"
#include "vgpu/mem/address_space.h"

namespace vgpu {
namespace {

using Attribute = kfd_ioctl_svm_attribute;

class SvmCall : public ::testing::Test {
 protected:
  static constexpr uint64_t kBytes = 16 * 4096;

  void SetUp() override {
    ASSERT_NE(GetDriver(), nullptr);
    void* const memory =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    va_ = reinterpret_cast<uint64_t>(memory);
  }
  void TearDown() override {
    MemoryChanged(va_, kBytes);
    EXPECT_EQ(munmap(reinterpret_cast<void*>(va_), kBytes), 0);
  }

  // The call's result; `attributes` becomes what it filled in.
  static int Call(uint32_t op, uint64_t va, uint64_t bytes, std::vector<Attribute>* attributes) {
    const size_t size = sizeof(kfd_ioctl_svm_args) + attributes->size() * sizeof(Attribute);
    std::vector<char> buffer(size);
    kfd_ioctl_svm_args head{};
    head.start_addr = va;
    head.size = bytes;
    head.op = op;
    head.nattr = static_cast<uint32_t>(attributes->size());
    std::memcpy(buffer.data(), &head, sizeof(head));
    std::memcpy(buffer.data() + sizeof(head), attributes->data(), size - sizeof(head));
    const unsigned long request = _IOC(_IOC_READ | _IOC_WRITE, 'K', 0x20, size);
    const int result = KfdIoctl(*GetDriver(), request, buffer.data());
    std::memcpy(attributes->data(), buffer.data() + sizeof(head), size - sizeof(head));
    return result;
  }
  int Set(std::vector<Attribute> attributes) const {
    return Call(KFD_IOCTL_SVM_OP_SET_ATTR, va_, kBytes, &attributes);
  }
  Attribute Get(uint32_t type, uint32_t value = 0) const {
    std::vector<Attribute> attributes = {{type, value}};
    EXPECT_EQ(Call(KFD_IOCTL_SVM_OP_GET_ATTR, va_, kBytes, &attributes), 0);
    return attributes[0];
  }

  uint64_t va_ = 0;
};

TEST_F(SvmCall, GivesAGpuAccessToTheProcessesOwnMemory) {
  EXPECT_EQ(Translate(0, va_, kBytes), nullptr);
  ASSERT_EQ(Set({{KFD_IOCTL_SVM_ATTR_ACCESS, GpuIdOf(0)}}), 0);
  EXPECT_EQ(Translate(0, va_, kBytes), reinterpret_cast<uint8_t*>(va_));
  EXPECT_EQ(Get(KFD_IOCTL_SVM_ATTR_ACCESS, GpuIdOf(0)).type, uint32_t{KFD_IOCTL_SVM_ATTR_ACCESS});
  ASSERT_EQ(Set({{KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE, GpuIdOf(0)}}), 0);
  EXPECT_EQ(Get(KFD_IOCTL_SVM_ATTR_ACCESS, GpuIdOf(0)).type,
            uint32_t{KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE});
  ASSERT_EQ(Set({{KFD_IOCTL_SVM_ATTR_NO_ACCESS, GpuIdOf(0)}}), 0);
  EXPECT_EQ(Get(KFD_IOCTL_SVM_ATTR_ACCESS, GpuIdOf(0)).type,
            uint32_t{KFD_IOCTL_SVM_ATTR_NO_ACCESS});
  EXPECT_EQ(Translate(0, va_, kBytes), nullptr);
}

TEST_F(SvmCall, AGpuDoesNotSeeWhatTheProcessUnmapped) {
  ASSERT_EQ(Set({{KFD_IOCTL_SVM_ATTR_ACCESS, GpuIdOf(0)}}), 0);
  MemoryChanged(va_ + 4096, 100);  // a part stands for its page
  EXPECT_NE(Translate(0, va_, 4096), nullptr);
  EXPECT_EQ(Translate(0, va_ + 4096, 1), nullptr);
  EXPECT_NE(Translate(0, va_ + 8192, 4096), nullptr);
}

TEST_F(SvmCall, RemembersLocationsFlagsAndGranularity) {
  EXPECT_EQ(Get(KFD_IOCTL_SVM_ATTR_PREFETCH_LOC).value, 0xffffffffu);
  ASSERT_EQ(Set({{KFD_IOCTL_SVM_ATTR_PREFERRED_LOC, GpuIdOf(0)},
                 {KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, 0},
                 {KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_RO},
                 {KFD_IOCTL_SVM_ATTR_CLR_FLAGS, KFD_IOCTL_SVM_FLAG_COHERENT},
                 {KFD_IOCTL_SVM_ATTR_GRANULARITY, 4}}),
            0);
  EXPECT_EQ(Get(KFD_IOCTL_SVM_ATTR_PREFERRED_LOC).value, GpuIdOf(0));
  EXPECT_EQ(Get(KFD_IOCTL_SVM_ATTR_PREFETCH_LOC).value, 0u);
  EXPECT_EQ(Get(KFD_IOCTL_SVM_ATTR_SET_FLAGS).value, 9u);
  EXPECT_EQ(Get(KFD_IOCTL_SVM_ATTR_CLR_FLAGS).value, ~9u);
  EXPECT_EQ(Get(KFD_IOCTL_SVM_ATTR_GRANULARITY).value, 4u);
}

TEST_F(SvmCall, RefusesWhatTheDriverRefuses) {
  EXPECT_EQ(Set({{KFD_IOCTL_SVM_ATTR_ACCESS, 77}}), -EINVAL) << "no such GPU";
  EXPECT_EQ(Set({{KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, 0xffffffff}}), -EINVAL);
  EXPECT_EQ(Set({{KFD_IOCTL_SVM_ATTR_SET_FLAGS, 0x10000}}), -EINVAL);
  EXPECT_EQ(Set({{99, 0}}), -EINVAL);
  std::vector<Attribute> none;
  EXPECT_EQ(Call(KFD_IOCTL_SVM_OP_SET_ATTR, va_ + 1, kBytes, &none), -EINVAL);
  EXPECT_EQ(Call(KFD_IOCTL_SVM_OP_SET_ATTR, va_, 0, &none), -EINVAL);
  EXPECT_EQ(Call(2, va_, kBytes, &none), -EINVAL);
  const uint64_t hole = 0x10000;  // below what a process may map
  EXPECT_EQ(Call(KFD_IOCTL_SVM_OP_SET_ATTR, hole, 4096, &none), -EFAULT);
}

}  // namespace
}  // namespace vgpu
