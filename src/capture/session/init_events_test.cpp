// SPDX-License-Identifier: MIT
#include "capture/session/init_events.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/memory_sink.h"

namespace rtl::capture {
namespace {

class InitEventsTest : public testing::Test {
 protected:
  // "1 60200 0" of each event: operation, version, instance.
  std::vector<std::string> Written() const {
    std::vector<std::string> written;
    for (const auto& event : sink_.events()) {
      written.push_back(std::to_string(event.record.operation) + " " +
                        std::to_string(event.value(0)) + " " + std::to_string(event.value(1)));
    }
    return written;
  }
  static std::string Event(InitOperation runtime, const char* rest) {
    return std::to_string(static_cast<unsigned>(runtime)) + " " + rest;
  }

  support::MemorySink sink_;
  InitEvents events_;
};

TEST_F(InitEventsTest, NotesALibraryOnceAndEachFurtherInstance) {
  events_.Note(&sink_, InitOperation::kHip, 60200, 0);
  events_.Note(&sink_, InitOperation::kHip, 60200, 0);
  events_.Note(&sink_, InitOperation::kHip, 70000, 1);
  EXPECT_EQ(Written(), (std::vector<std::string>{Event(InitOperation::kHip, "60200 0"),
                                                 Event(InitOperation::kHip, "70000 1")}));
}

TEST_F(InitEventsTest, RemembersWhatRegisteredBeforeTheTraceIsOpen) {
  EXPECT_TRUE(events_.Remember(InitOperation::kRccl, 22000, 0));
  EXPECT_TRUE(Written().empty());
  events_.NoteRemembered(&sink_);
  events_.Note(&sink_, InitOperation::kRccl, 22000, 0);
  EXPECT_EQ(Written(), std::vector<std::string>{Event(InitOperation::kRccl, "22000 0")});
  events_.BeginAnewInChild();
  events_.NoteRemembered(&sink_);
  EXPECT_EQ(Written().size(), 2u) << "the child's trace has it, too";
}

TEST_F(InitEventsTest, RemembersABoundedNumber) {
  for (size_t i = 0; i < InitEvents::kMostRegistered; ++i)
    EXPECT_TRUE(events_.Remember(InitOperation::kHip, i, i));
  EXPECT_FALSE(events_.Remember(InitOperation::kHip, 1, 99));
}

TEST_F(InitEventsTest, WritesNothingWithoutASinkAndCountsWhatFindsNoRoom) {
  InitEvents::Write(nullptr, InitOperation::kHsa, 10100, 0);
  sink_.SetFull(true);
  InitEvents::Write(&sink_, InitOperation::kHsa, 10100, 0);
  EXPECT_TRUE(Written().empty());
  EXPECT_EQ(sink_.submitted(EventKind::kInit), 1u);
  EXPECT_EQ(sink_.loss(Loss::kSpoolFull, EventKind::kInit), 1u);
}

}  // namespace
}  // namespace rtl::capture
