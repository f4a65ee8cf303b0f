// SPDX-License-Identifier: MIT
#include "trace/read/requested_events.h"

#include "tests/support/earlier_schemas.h"
#include "trace/read/query_test_support.h"

namespace rtl::query {
namespace {

class RequestedEventsTest : public ::testing::Test {
 protected:
  RequestedEvents Load() {
    ExpectOk(builder_.WriteDatabase(path_));
    return LoadAgain();
  }
  RequestedEvents LoadAgain() {
    RequestedEvents requested;
    ExpectOk(requested.Load(*OpenTrace(path_)));
    return requested;
  }

  test::TempDir dir_;
  const std::string path_ = dir_.File("t.db");
  test::TraceBuilder builder_ = test::TraceBuilder::ThreeKernelsOnTwoQueues();
};

TEST_F(RequestedEventsTest, AreThoseOfTheProcessWhetherTheyHappenedOrNot) {
  builder_.Events(EventSet(EventKind::kHipCall, EventKind::kBarrier));
  const RequestedEvents requested = Load();
  EXPECT_FALSE(requested.ToAdvise(EventKind::kHipCall));
  EXPECT_FALSE(requested.ToAdvise(EventKind::kBarrier));
  EXPECT_FALSE(requested.ToAdvise(EventKind::kKernel)) << "there are some";
  EXPECT_TRUE(requested.ToAdvise(EventKind::kCompilerCall)) << "no part of a word is one";
  EXPECT_TRUE(requested.ToAdvise(EventKind::kCounter));
}

TEST_F(RequestedEventsTest, AnotherProcessWithoutThemWouldHaveMore) {
  builder_.Events(EventSet(EventKind::kHipCall)).NextProcess().Events(EventSet(EventKind::kKernel));
  EXPECT_TRUE(Load().ToAdvise(EventKind::kHipCall));
}

TEST_F(RequestedEventsTest, OfAnEarlierTraceTheModeIsKnown) {
  builder_.Mode("hip", "requested");
  EXPECT_TRUE(Load().Made(EventKind::kHipCall));
  ExecuteSql(path_, test::kMakeEarlierNamesSql);
  ExecuteSql(path_, "ALTER TABLE rtl_process DROP COLUMN events");
  EXPECT_TRUE(LoadAgain().Made(EventKind::kHipCall));
  EXPECT_TRUE(LoadAgain().ToAdvise(EventKind::kCounter));
}

TEST_F(RequestedEventsTest, NothingIsAdvisedAboutTracesOfOtherTools) {
  (void)Load();
  ExecuteSql(path_, "INSERT INTO rocpd_metadata (tag, value) VALUES ('source', 'torch.profiler')");
  EXPECT_FALSE(LoadAgain().ToAdvise(EventKind::kHipCall));
  EXPECT_FALSE(LoadAgain().Made(EventKind::kHipCall));
}

}  // namespace
}  // namespace rtl::query
