// SPDX-License-Identifier: MIT
#include "capture/hip/hip_layout.h"

#include <gtest/gtest.h>
#include <string.h>

#include <string>
#include <vector>

#include "capture/hip/copy_arguments.h"
#include "model/api_calls.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

// HIP's data of one call, in its layout: the arguments begin at byte 16.
class HipData {
 public:
  template <typename T>
  HipData& Put(size_t offset, const T& value) {
    memcpy(bytes_ + offset, &value, sizeof value);
    return *this;
  }
  std::vector<uint64_t> Copy(const char* name, bool outputs = true, size_t capacity = 1024) {
    const HipLayout* layout = FindHipLayout(5, 2);
    const CallLayout* call = FindCall(*layout, name);
    if (call == nullptr) return {};
    uint8_t out[1024];
    copied = CopyArguments(layout->steps, *call, bytes_, outputs, out, capacity);
    std::vector<uint64_t> slots(copied.slots);
    memcpy(slots.data(), out, slots.size() * 8);
    texts.assign(reinterpret_cast<char*>(out) + slots.size() * 8, copied.bytes - slots.size() * 8);
    return slots;
  }

  CopiedArguments copied = {};
  std::string texts;

 private:
  alignas(8) uint8_t bytes_[1024] = {};
};

using Slots = std::vector<uint64_t>;

TEST(HipLayout, IsKnownForItsVersionAndNotGuessedForOthers) {
  ASSERT_NE(FindHipLayout(5, 2), nullptr);
  EXPECT_EQ(FindHipLayout(5, 1), nullptr);
  EXPECT_EQ(FindHipLayout(0, 0), nullptr);
  EXPECT_EQ(FindCall(*FindHipLayout(5, 2), "hipNoSuchThing"), nullptr);
}

TEST(HipLayout, PassesAFunctionAsInTheNearestVersionOfTheSameMajor) {
  const auto minor = [](uint32_t major, uint32_t wanted) {
    const HipLayout* const layout = FindHipAbi(major, wanted);
    return layout == nullptr || layout->major != major ? -1 : static_cast<int>(layout->minor);
  };
  EXPECT_EQ(minor(5, 0), 2);
  EXPECT_EQ(minor(5, 2), 2);
  EXPECT_EQ(minor(5, 3), 7);
  EXPECT_EQ(minor(5, 9), 7);
  EXPECT_EQ(minor(6, 2), 4);
  EXPECT_EQ(minor(7, 2), 2);
  EXPECT_EQ(minor(7, 13), 14);
  EXPECT_EQ(minor(7, 15), 14);
  EXPECT_EQ(minor(4, 5), -1);
  EXPECT_EQ(minor(8, 0), -1);
  EXPECT_EQ(minor(0, 0), -1);
}

struct Described {
  uint32_t major, minor, calls;
};

class HipVersion : public ::testing::TestWithParam<Described> {};

INSTANTIATE_TEST_SUITE_P(Of, HipVersion,
                         ::testing::Values(Described{5, 2, 333}, Described{5, 7, 363},
                                           Described{6, 4, 418}, Described{7, 2, 449},
                                           Described{7, 14, 483}));

TEST_P(HipVersion, HasEveryCallByName) {
  const HipLayout& layout = *FindHipLayout(GetParam().major, GetParam().minor);
  EXPECT_EQ(layout.count, GetParam().calls);
  for (size_t i = 0; i < layout.count; ++i) {
    ASSERT_EQ(FindCall(layout, layout.calls[i].name), &layout.calls[i]);
    const ApiCall* call = FindApiCall(layout.calls[i].number);
    ASSERT_NE(call, nullptr);
    EXPECT_STREQ(call->name, layout.calls[i].name);
    EXPECT_EQ(call->slots, layout.calls[i].slots) << call->name;
  }
}

TEST(HipLayout, CopiesPlainValues) {
  HipData data;
  data.Put<uint64_t>(16, 0xd5).Put<uint64_t>(24, 0x5c).Put<uint64_t>(32, 4096).Put<int>(40, 2);
  EXPECT_EQ(data.Copy("hipMemcpy"), (Slots{0xd5, 0x5c, 4096, 2}));
}

TEST(HipLayout, ExtendsTheSign) {
  HipData data;
  data.Put<uint64_t>(16, 0xd5).Put<int>(24, -3).Put<uint64_t>(32, 4096);
  EXPECT_EQ(data.Copy("hipMemset"), (Slots{0xd5, UINT64_MAX - 2, 4096}));
}

TEST(HipLayout, CopiesDimensions) {
  const uint32_t grid[3] = {1, 2, 3};
  const uint32_t block[3] = {4, 5, 6};
  HipData data;
  data.Put<uint64_t>(16, 0xf).Put(24, grid).Put(36, block);
  data.Put<uint64_t>(48, 0xa).Put<uint64_t>(64, 7).Put<uint64_t>(72, 0x5);
  EXPECT_EQ(data.Copy("hipLaunchKernel"),
            (Slots{0xf, 1 | uint64_t{2} << 32, 3, 4 | uint64_t{5} << 32, 6, 0xa, 7, 0x5}));
}

TEST(HipLayout, ReadsOutputsOnlyAfterASuccessfulCall) {
  const void* memory = reinterpret_cast<void*>(0x1000);
  const auto address = reinterpret_cast<uint64_t>(&memory);
  HipData data;
  data.Put(16, &memory).Put<uint64_t>(32, 64);
  EXPECT_EQ(data.Copy("hipMalloc", true), (Slots{address, 0x1000, 64}));
  EXPECT_EQ(data.copied.flags, kApiFlagOutputs);
  EXPECT_EQ(data.Copy("hipMalloc", false), (Slots{address, 0, 64}));
  EXPECT_EQ(data.copied.flags, 0);
  data.Put<uint64_t>(16, 0);
  EXPECT_EQ(data.Copy("hipMalloc", true), (Slots{0, 0, 64}));
}

TEST(HipLayout, CopiesTextsAfterTheSlots) {
  void* function = nullptr;
  const char* name = "gemm";
  HipData data;
  data.Put(16, &function).Put<uint64_t>(32, 0xb0).Put(40, name);
  EXPECT_EQ(data.Copy("hipModuleGetFunction"),
            (Slots{reinterpret_cast<uint64_t>(&function), 0, 0xb0, 4}));
  EXPECT_EQ(data.texts, "gemm");
  data.Put<uint64_t>(40, 0);
  EXPECT_EQ(data.Copy("hipModuleGetFunction").back(), kNullText);
}

TEST(HipLayout, TruncatesLongTexts) {
  const std::string name(kMaxCallText + 1, 'x');
  HipData data;
  data.Put<uint64_t>(16, 0).Put(40, name.c_str());
  EXPECT_EQ(data.Copy("hipModuleGetFunction").back(), kMaxCallText);
  EXPECT_EQ(data.texts, name.substr(1));
  EXPECT_NE(data.copied.flags & kApiFlagTruncated, 0);
  EXPECT_EQ(data.Copy("hipModuleGetFunction", true, 40).back(), 8u) << "all the available room";
}

}  // namespace
}  // namespace rtl::capture
