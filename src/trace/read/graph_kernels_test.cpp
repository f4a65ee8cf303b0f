// SPDX-License-Identifier: MIT
#include "trace/read/graph_kernels.h"

#include <gtest/gtest.h>

#include "trace/read/query_test_support.h"

namespace rtl::query {
namespace {

class KernelsOfGraphs : public testing::Test {
 protected:
  KernelsOfGraphs() {
    trace_.Queue(0);
    trace_.Kernel("gemm");
  }
  void Finish() {
    trace_.Finish();
    ExpectOk(database_.Open(path_));
  }
  // "launch node" of the kernel; empty: it belongs to no graph.
  std::string PlaceOf(Statement* by_kernel, int64_t kernel) {
    ExpectOk(by_kernel->Bind(1, kernel));
    bool has_row = false;
    ExpectOk(by_kernel->Step(&has_row));
    if (!has_row) return "";
    const std::string place =
        std::to_string(by_kernel->Int(1)) + " " + std::to_string(by_kernel->Int(2));
    ExpectOk(by_kernel->Rewind());
    return place;
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
  TestTrace trace_{path_};
  TraceDatabase database_;
  GraphKernels graphs_{&database_};
};

TEST_F(KernelsOfGraphs, AreNotSearchedWithoutLaunchesOfGraphs) {
  trace_.Add({.start = 10, .end = 20});
  Finish();
  Statement by_kernel;
  ExpectOk(graphs_.Prepare(&by_kernel));
  EXPECT_FALSE(by_kernel.is_prepared());
}

TEST_F(KernelsOfGraphs, AreNumberedByLaunchAndNodeForEveryStatement) {
  for (uint64_t i = 0; i < 2; ++i) {
    const uint64_t at = 1000 * (i + 1);
    trace_.GraphLaunch({.start = at, .end = at + 100, .correlation = 7 + i});
    for (uint64_t node = 0; node < 2; ++node) {
      const uint64_t start = at + 200 + 100 * node;
      trace_.Add(
          {.submit = at + 10 + node, .start = start, .end = start + 50, .correlation = 7 + i});
    }
  }
  trace_.Add({.start = 4000, .end = 4100});
  Finish();
  Statement first, second;
  ExpectOk(graphs_.Prepare(&first));
  ExpectOk(graphs_.Prepare(&second));
  for (Statement* by_kernel : {&first, &second}) {
    std::vector<std::string> places;
    for (int64_t kernel = 1; kernel <= 5; ++kernel) places.push_back(PlaceOf(by_kernel, kernel));
    EXPECT_EQ(places, (std::vector<std::string>{"0 0", "0 1", "1 0", "1 1", ""}));
  }
}

}  // namespace
}  // namespace rtl::query
