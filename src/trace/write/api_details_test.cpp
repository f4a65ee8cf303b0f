// SPDX-License-Identifier: MIT
#include "trace/write/api_details.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/schema/schema.h"
#include "trace/schema/store_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;

struct Call {
  Call(const char* name, std::vector<uint64_t> slots) {
    record.api = TraceBuilder::CallNumber(name);
    record.slots = static_cast<uint16_t>(slots.size());
    payload.assign(reinterpret_cast<const char*>(slots.data()), slots.size() * 8);
  }
  ApiArguments arguments() const { return ApiArguments(record, payload); }

  ApiCallRecord record;
  std::string payload;
};

constexpr uint64_t Pair(uint64_t low, uint64_t high) { return low | high << 32; }

TEST(ApiDetails, FindsTheDimensionsOfALaunchInEveryForm) {
  const auto blocks = FindLaunch(
      Call("hipLaunchKernel", {0xf, Pair(8, 2), 3, Pair(64, 4), 1, 0xa, 512, 0x5}).arguments());
  ASSERT_TRUE(blocks.has_value());
  EXPECT_EQ(blocks->grid[0], 8u);
  EXPECT_EQ(blocks->grid[1], 2u);
  EXPECT_EQ(blocks->grid[2], 3u);
  EXPECT_EQ(blocks->workgroup[0], 64u);
  EXPECT_EQ(blocks->workgroup[1], 4u);
  EXPECT_EQ(blocks->shared_bytes, 512u);
  EXPECT_EQ(blocks->stream, 0x5u);
  const auto items = FindLaunch(
      Call("hipExtModuleLaunchKernel", {0xf, 512, 2, 3, 64, 5, 6, 128, 0x7, 0, 0, 0, 0, 0})
          .arguments());
  ASSERT_TRUE(items.has_value());
  EXPECT_EQ(items->grid[0], 512u);
  EXPECT_EQ(items->grid[2], 3u);
  EXPECT_EQ(items->workgroup[1], 5u);
  EXPECT_EQ(items->shared_bytes, 128u);
  EXPECT_EQ(items->stream, 0x7u);
}

TEST(ApiDetails, FindsBytesAndDirectionOfACopy) {
  const auto plain = FindCopy(Call("hipMemcpy", {0xd, 0x5, 4096, 2}).arguments());
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(plain->dst, 0xdu);
  EXPECT_EQ(plain->src, 0x5u);
  EXPECT_EQ(plain->bytes, 4096u);
  EXPECT_EQ(plain->kind, 2);
  EXPECT_TRUE(plain->sync);
  const auto named = FindCopy(Call("hipMemcpyHtoDAsync", {0xd, 0x5, 64, 0x7}).arguments());
  ASSERT_TRUE(named.has_value());
  EXPECT_EQ(named->kind, 1);
  EXPECT_FALSE(named->sync);
  EXPECT_EQ(named->stream, 0x7u);
  const auto flat = FindCopy(Call("hipMemcpy2D", {0xd, 100, 0x5, 100, 80, 10, 3}).arguments());
  ASSERT_TRUE(flat.has_value());
  EXPECT_EQ(flat->bytes, 800u);
}

TEST(ApiDetails, ClassifiesOtherCallsCorrectly) {
  const Call graph("hipGraphLaunch", {1, 2});
  EXPECT_FALSE(FindLaunch(graph.arguments()).has_value());
  EXPECT_FALSE(FindCopy(graph.arguments()).has_value());
  const Call host("hipLaunchHostFunc", {1, 2, 3});
  EXPECT_FALSE(FindLaunch(host.arguments()).has_value());
}

TEST(ApiDetails, NamesTheKernelInEitherOrderOfReading) {
  test::TempDir dir;
  const std::string path = dir.File("trace.db");
  TraceBuilder trace;
  const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
  const uint32_t kernel = trace.Kernel("_Z4gemmPf");
  const uint32_t launch = TraceBuilder::CallNumber("hipModuleLaunchKernel");
  const auto call = [&](uint64_t correlation) {
    trace.Call(launch, {0xf, 4, 2, 1, 64, 1, 1, 512, 0x70, 0, 0},
               {.start = 100, .end = 110, .correlation = correlation});
  };
  const auto dispatch = [&](uint64_t correlation) {
    trace.Dispatch(queue, kernel, {.start = 200, .end = 210, .correlation = correlation});
  };
  call(1);
  dispatch(1);
  dispatch(2);
  call(2);
  call(3);  // its kernel was lost
  trace.Call(TraceBuilder::CallNumber("hipMemcpy"), {0xd, 0x5, 4096, 1},
             {.start = 300, .end = 310, .correlation = 4});
  CollectResult result;
  ASSERT_TRUE(trace.WriteDatabase(path, &result).ok());
  EXPECT_EQ(Ask(path,
                "SELECT api_id, stream, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ,"
                " groupSegmentSize, s.string FROM rocpd_kernelapi"
                " JOIN rocpd_string s ON s.id = kernelName_id ORDER BY api_id"),
            (Rows{"1|0x70|4|2|1|64|1|1|512|gemm(float*)", "2|0x70|4|2|1|64|1|1|512|gemm(float*)",
                  "3|0x70|4|2|1|64|1|1|512|(unknown kernel)"}));
  EXPECT_EQ(Ask(path, "SELECT * FROM rocpd_copyapi"), Rows{"4|0x0|4096|0xd|0x5|1|1"});
}

}  // namespace
}  // namespace rtl::store
