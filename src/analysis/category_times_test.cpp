// SPDX-License-Identifier: MIT
#include "analysis/category_times.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/read/query_test_support.h"

namespace rtl::analysis {
namespace {

using test::TraceBuilder;

class CategoryTimesTest : public testing::Test {
 protected:
  CategoryTimesTest() {
    gpu_ = trace_.Gpu("gfx90a");
    queue_ = trace_.Queue(gpu_);
    other_queue_ = trace_.Queue(gpu_);
  }
  void Kernel(const char* name, uint64_t start, uint64_t end, bool on_other = false) {
    trace_.Dispatch(on_other ? other_queue_ : queue_, trace_.Kernel(name),
                    {.start = start, .end = end});
  }
  void Copy(uint64_t start, uint64_t end) {
    CopyRecord copy;
    copy.head = {RecordType::kCopy, 0, 101};
    copy.copy = ++copies_;
    copy.start = start;
    copy.end = end;
    copy.dst_agent = gpu_;
    copy.kind = CopyKind::kHostToDevice;
    trace_.Copy(copy);
  }
  std::vector<WorkShares> Shares(const KernelCategories& categories = {}) {
    const std::string path = dir_.File("trace.db");
    query::ExpectOk(trace_.WriteDatabase(path));
    auto reader = query::OpenTrace(path);
    std::vector<WorkShares> shares;
    query::ExpectOk(TimeByCategory(*reader, categories, &shares));
    return shares;
  }

  test::TempDir dir_;
  TraceBuilder trace_;
  uint32_t gpu_ = 0, queue_ = 0, other_queue_ = 0;
  uint64_t copies_ = 0;
};

//                1000    1100    1200    1300    1400    1500
//  computation    ├────gemm──────┤       ├─add─┤
//  communication          ├──all reduce──┤
//  copies                                ├────copy──────┤
TEST_F(CategoryTimesTest, OnlyWhatNothingHidesIsExposed) {
  Kernel("Cijk_gemm", 1000, 1200);
  Kernel("ncclDevKernel_AllReduce", 1100, 1300, true);
  Kernel("elementwise_add", 1300, 1400);
  Copy(1300, 1500);
  const std::vector<WorkShares> gpus = Shares();
  ASSERT_EQ(gpus.size(), 1u);
  const WorkShares& shares = gpus[0];
  EXPECT_EQ(shares.elapsed(), 500u);
  EXPECT_EQ(shares.computation, 300u);
  EXPECT_EQ(shares.communication, 200u);
  EXPECT_EQ(shares.exposed_communication, 100u);
  EXPECT_EQ(shares.copies, 200u);
  EXPECT_EQ(shares.exposed_copies, 100u);
  EXPECT_EQ(shares.busy, 500u);
  EXPECT_EQ(shares.idle(), 0u);
  ASSERT_EQ(shares.categories.size(), 4u);
  const CategoryTime& gemm = shares.categories[0];
  EXPECT_EQ(gemm.category, "GEMM");
  EXPECT_EQ(gemm.total, 200u);
  EXPECT_EQ(gemm.alone, 100u);
}

TEST_F(CategoryTimesTest, WorkOfOneCategoryThatOverlapsIsBusyOnce) {
  Kernel("Cijk_a", 1000, 1200);
  Kernel("Cijk_b", 1100, 1150, true);
  Kernel("__amd_rocclr_copyBuffer", 1400, 1500);
  const std::vector<WorkShares> gpus = Shares();
  ASSERT_EQ(gpus.size(), 1u);
  EXPECT_EQ(gpus[0].idle(), 200u);
  EXPECT_EQ(gpus[0].exposed_copies, 100u) << "a kernel that copies is a copy";
  ASSERT_EQ(gpus[0].categories.size(), 2u);
  EXPECT_EQ(gpus[0].categories[0].total, 250u);
  EXPECT_EQ(gpus[0].categories[0].busy, 200u);
  EXPECT_EQ(gpus[0].categories[0].alone, 200u);
  EXPECT_EQ(gpus[0].categories[0].kernels, 2u);
}

TEST_F(CategoryTimesTest, EachGpuHasItsOwn) {
  Kernel("ncclDevKernel_AllReduce", 1000, 1200);
  trace_.Dispatch(trace_.Queue(trace_.Gpu("gfx90a")), trace_.Kernel("Cijk_gemm"),
                  {.start = 1000, .end = 1300});
  const std::vector<WorkShares> gpus = Shares();
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[0].exposed_communication, 200u) << "computation of another GPU hides nothing";
  EXPECT_EQ(gpus[1].exposed_communication, 0u);
}

}  // namespace
}  // namespace rtl::analysis
