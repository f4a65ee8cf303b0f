// SPDX-License-Identifier: MIT
#include "trace/schema/api_text.h"

#include <gtest/gtest.h>

#include <cstring>

namespace rtl::store {
namespace {

uint32_t NumberOf(std::string_view name) {
  for (uint32_t number = 1; FindApiCall(number) != nullptr; ++number) {
    if (name == FindApiCall(number)->name) return number;
  }
  return 0;
}

struct MadeCall {
  MadeCall(const char* name, std::vector<uint64_t> slots, std::string_view texts = "",
           uint16_t flags = kApiFlagOutputs) {
    record.api = NumberOf(name);
    record.slots = static_cast<uint16_t>(slots.size());
    record.flags = flags;
    payload.assign(reinterpret_cast<const char*>(slots.data()), slots.size() * 8);
    payload += texts;
  }
  std::string Text() const { return ApiArguments(record, payload).Text(); }

  ApiCallRecord record;
  std::string payload;
};

TEST(ApiText, ShowsPointersSizesAndEnumerators) {
  EXPECT_EQ(MadeCall("hipMemcpy", {0x7f00, 0xabc, 4096, 1}).Text(),
            "dst=0x7f00, src=0xabc, sizeBytes=4096, kind=hipMemcpyHostToDevice");
  EXPECT_EQ(MadeCall("hipMemcpy", {0, 0, 0, 99}).Text(), "dst=0x0, src=0x0, sizeBytes=0, kind=99");
}

TEST(ApiText, ShowsOutputValuesAfterASuccessfulCall) {
  EXPECT_EQ(MadeCall("hipMalloc", {0x7ffd, 0x1000, 64}).Text(), "ptr=0x7ffd -> 0x1000, size=64");
  EXPECT_EQ(MadeCall("hipMalloc", {0x7ffd, 0, 64}, "", 0).Text(), "ptr=0x7ffd, size=64");
}

TEST(ApiText, ShowsDimensions) {
  const uint64_t grid = 64 | uint64_t{2} << 32;
  EXPECT_EQ(
      MadeCall("hipLaunchKernel", {0x10, grid, 1, 256 | uint64_t{1} << 32, 1, 0x20, 512, 0x30})
          .Text(),
      "function_address=0x10, numBlocks={64,2,1}, dimBlocks={256,1,1}, args=0x20,"
      " sharedMemBytes=512, stream=0x30");
}

TEST(ApiText, ShowsTexts) {
  EXPECT_EQ(MadeCall("hipModuleGetFunction", {0x1, 0x2, 0x3, 4}, "gemm").Text(),
            "function=0x1 -> 0x2, module=0x3, kname=\"gemm\"");
  EXPECT_EQ(MadeCall("hipModuleGetFunction", {0x1, 0x2, 0x3, kNullText}).Text(),
            "function=0x1 -> 0x2, module=0x3, kname=null");
  // A length that exceeds the record.
  EXPECT_EQ(MadeCall("hipModuleGetFunction", {0x1, 0x2, 0x3, 400}, "gemm").Text(),
            "function=0x1 -> 0x2, module=0x3, kname=\"gemm\"");
}

TEST(ApiText, IsEmptyForAPayloadThatDoesNotFit) {
  EXPECT_EQ(MadeCall("hipMemcpy", {1, 2, 3}).Text(), "");
  MadeCall cut("hipMemcpy", {1, 2, 3, 4});
  cut.payload.resize(20);
  EXPECT_EQ(cut.Text(), "");
  MadeCall unknown("hipMemcpy", {});
  unknown.record.api = kFirstUnknownApi + 7;
  EXPECT_EQ(unknown.Text(), "");
}

}  // namespace
}  // namespace rtl::store
