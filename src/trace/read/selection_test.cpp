// SPDX-License-Identifier: MIT
#include "trace/read/selection.h"

#include <gtest/gtest.h>

#include "trace/read/query_test_support.h"

namespace rtl::query {
namespace {

//  time             100      200      300      400
//  rank 0, GPU 0    gemm [100,150)    gemm [300,350)
//          GPU 1             copy [200,250)
//          range    step [90,160)
//  rank 1, GPU 0             gemm [200,220)
//          range                      step [300,400)
class SelectionOf : public testing::Test {
 protected:
  void SetUp() override {
    trace_.Rank(0, 2);
    trace_.Queue(0);
    trace_.Queue(1);
    trace_.Kernel("gemm");
    trace_.Kernel("copy");
    trace_.Add({.kernel = 1, .queue = 1, .start = 100, .end = 150});
    trace_.Add({.kernel = 2, .queue = 2, .start = 200, .end = 250});
    trace_.Add({.kernel = 1, .queue = 1, .start = 300, .end = 350});
    trace_.Push(1, 90, "step");
    trace_.Pop(1, 160);
    trace_.NextProcess();
    trace_.Rank(1, 2);
    trace_.Queue(0);
    trace_.Kernel("gemm");
    trace_.Add({.kernel = 1, .queue = 1, .start = 200, .end = 220});
    trace_.Push(1, 300, "step");
    trace_.Pop(1, 400);
    trace_.Finish();
  }

  // The starts of the selected kernels, which are the same for spans and for kernels.
  std::vector<uint64_t> Starts(const SelectionRequest& request) {
    const std::vector<uint64_t> starts =
        StartsIn<KernelSpanCursor, KernelSpan>(path_, request, &TraceReader::SpansByStart);
    EXPECT_EQ((StartsIn<KernelCursor, KernelRow>(path_, request, &TraceReader::KernelsBySubmit)),
              starts);
    return starts;
  }

  template <typename Cursor, typename Row>
  static std::vector<uint64_t> StartsIn(const std::string& path, const SelectionRequest& request,
                                        Status (TraceReader::*open)(Cursor*)) {
    const auto reader = OpenTrace(path);
    Selection selection;
    ExpectOk(Selection::Make(*reader, request, &selection));
    reader->Select(&selection);
    Cursor cursor;
    ExpectOk(((*reader).*open)(&cursor));
    std::vector<uint64_t> starts;
    for (bool has_row = true;;) {
      Row row;
      ExpectOk(cursor.Next(&row, &has_row));
      if (!has_row) return starts;
      starts.push_back(row.start);
    }
  }

  std::string Complaint(const SelectionRequest& request) {
    const auto reader = OpenTrace(path_);
    Selection selection;
    const Status made = Selection::Make(*reader, request, &selection);
    EXPECT_FALSE(made.ok());
    const std::string message = made.message();
    return message.substr(std::min(message.size(), path_.size()));
  }

  static constexpr uint64_t kBegan = test::TraceBuilder::kOpened;
  using Times = std::vector<uint64_t>;

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
  TestTrace trace_{path_};
};

TEST_F(SelectionOf, AnEmptyRequestIsEverything) {
  EXPECT_EQ(Starts({}), Times({100, 200, 200, 300}));
}

TEST_F(SelectionOf, KernelsSelectsByNameInEveryProcess) {
  EXPECT_EQ(Starts({.kernel = "^ge"}), Times({100, 200, 300}));
  EXPECT_EQ(Starts({.kernel = "copy|nothing"}), Times({200}));
  EXPECT_EQ(Complaint({.kernel = "nothing"}), ": no kernel in it matches nothing");
  EXPECT_NE(ComplaintOfPattern("gemm("), "");
  EXPECT_EQ(ComplaintOfPattern("gemm"), "");
}

TEST_F(SelectionOf, GpuAndRankSelect) {
  EXPECT_EQ(Starts({.gpu = 1}), Times({200}));
  EXPECT_EQ(Starts({.rank = 1}), Times({200}));
  EXPECT_EQ(Starts({.rank = 0, .gpu = 0}), Times({100, 300}));
  EXPECT_EQ(Complaint({.gpu = 2}), ": the trace has no GPU 2");
  EXPECT_EQ(Complaint({.rank = 2}), ": no process in it has rank 2");
}

TEST_F(SelectionOf, TimesSelectOverlappingRows) {
  EXPECT_EQ(Starts({.from = 149 - kBegan, .to = 200 - kBegan}), Times({100}));
  EXPECT_EQ(Starts({.from = 150 - kBegan, .to = 201 - kBegan}), Times({200, 200}));
  EXPECT_EQ(Starts({.from = 250 - kBegan}), Times({300}));
}

TEST_F(SelectionOf, ARangeSelectsInItsOwnProcess) {
  EXPECT_EQ(Starts({.range = "step"}), Times({100}));
  EXPECT_EQ(Complaint({.range = "stop"}), ": no range in it is named stop");
}

TEST_F(SelectionOf, MarkersAreSelectedByRankAndTime) {
  const auto markers = [&](const SelectionRequest& request) {
    return StartsIn<MarkerCursor, MarkerRow>(path_, request, &TraceReader::MarkersByStart);
  };
  EXPECT_EQ(markers({.rank = 1}), Times({300}));
  EXPECT_EQ(markers({.to = 300 - kBegan}), Times({90}));
  EXPECT_EQ(markers({.kernel = "copy"}), Times({90, 300}));
}

TEST(SelectionRequest, IsDescribedInWords) {
  EXPECT_EQ((SelectionRequest{.kernel = "gemm", .from = 1'500'000'000, .gpu = 0}).AsText(),
            "kernels that match gemm, of GPU 0, from 1.5 s");
}

}  // namespace
}  // namespace rtl::query
