// SPDX-License-Identifier: MIT
#include "trace/collect/event_window.h"

#include <gtest/gtest.h>

namespace rtl::store {
namespace {

std::unique_ptr<EventWindow> Make() {
  std::unique_ptr<EventWindow> window;
  EXPECT_TRUE(EventWindow::Make(1 << 20, "", {}, &window).ok());
  return window;
}

TEST(EventWindowTest, RefusesATriggerThatIsNoRegularExpression) {
  std::unique_ptr<EventWindow> window;
  EXPECT_FALSE(EventWindow::Make(1 << 20, "(", {}, &window).ok());
  EXPECT_EQ(window, nullptr);
}

TEST(EventWindowTest, GivesTheReasonsOfOneWindowTogether) {
  const auto window = Make();
  EXPECT_EQ(window->TakeDue(), "");
  window->Ask("mark \"slow\"");
  EXPECT_EQ(window->TakeDue(), "mark \"slow\"");
  EXPECT_EQ(window->TakeDue(), "");
  window->Ask("process 7 died");
  window->Ask("mark \"slow\"");
  window->Ask("mark \"slow\"");
  EXPECT_EQ(window->TakeDue(), "process 7 died and 2 more");
}

TEST(EventWindowTest, NumbersTheWindowsBeforeTheOutputsExtension) {
  const auto window = Make();
  EXPECT_EQ(window->NextName("runs.d/trace.db"), "runs.d/trace.1.db");
  EXPECT_EQ(window->NextName("runs.d/trace.db"), "runs.d/trace.2.db");
  EXPECT_EQ(window->NextName("runs.d/trace"), "runs.d/trace.3");
  EXPECT_EQ(window->named(), 3);
}

TEST(EventWindowTest, SumsTheEventsOfProcessesThatHaveLeftIt) {
  const auto window = Make();
  KindTotals kinds[kEventKindCount];
  kinds[0].submitted = 5;
  kinds[0].recorded = 3;
  window->AddLeft(kinds);
  window->AddLeft(kinds);
  EXPECT_EQ(window->left_kinds()[0].submitted, 10u);
  EXPECT_EQ(window->left_kinds()[0].recorded, 6u);
}

}  // namespace
}  // namespace rtl::store
