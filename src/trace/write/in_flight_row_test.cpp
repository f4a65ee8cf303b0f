// SPDX-License-Identifier: MIT
#include "trace/write/in_flight_row.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/support/temp_dir.h"
#include "trace/write/asks.h"
#include "trace/write/claim.h"

namespace rtl::store {
namespace {

InFlightRow SomeRow() {
  InFlightRow row;
  row.pid = 17;
  row.queue = 3;
  row.packet = uint64_t{1} << 62;
  row.state = InFlightRow::State::kWaits;
  row.until = 99;
  row.grid[2] = 7;
  row.workgroup[0] = 64;
  row.stream = -1;
  row.name = "gemm(float*,\tint)\n";
  row.range = "step";
  return row;
}

TEST(InFlightRow, IsReadAsItWasWrittenAndItsTextsStayOnTheirLine) {
  std::vector<InFlightRow> rows;
  ASSERT_TRUE(ParseInFlight(FormatInFlight({SomeRow(), SomeRow()}), &rows).ok());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].pid, 17u);
  EXPECT_EQ(rows[1].packet, uint64_t{1} << 62);
  EXPECT_EQ(rows[1].state, InFlightRow::State::kWaits);
  EXPECT_FALSE(rows[1].is_barrier);
  EXPECT_EQ(rows[1].until, 99u);
  EXPECT_EQ(rows[1].grid[2], 7u);
  EXPECT_EQ(rows[1].workgroup[0], 64u);
  EXPECT_EQ(rows[1].stream, -1);
  EXPECT_EQ(rows[1].name, "gemm(float*, int) ");
  EXPECT_EQ(rows[1].call, "");
  EXPECT_EQ(rows[1].range, "step");
  EXPECT_TRUE(rows[1].alive);
}

TEST(InFlightRow, RejectsAMalformedAnswer) {
  for (const char* text : {"1\t2\n", "no line", "\n"}) {
    std::vector<InFlightRow> rows;
    EXPECT_FALSE(ParseInFlight(text, &rows).ok()) << text;
  }
}

TEST(InFlightRow, AnswersARequestInTheSpoolAndLeavesNoFile) {
  test::TempDir dir;
  const std::string spool = dir.File("spool");
  std::filesystem::create_directory(spool);
  Claim claim;
  ASSERT_TRUE(claim.Take(spool));
  std::vector<InFlightRow> rows;
  Status asked = Status::Ok();
  std::thread asker([&] { asked = AskInFlight(spool, 60'000'000'000, &rows); });
  while (!HasAsks(spool, kAskInFlight)) std::this_thread::yield();
  AnswerInFlight(spool, [] { return std::vector<InFlightRow>{SomeRow()}; });
  asker.join();
  EXPECT_TRUE(asked.ok()) << asked.message();
  EXPECT_EQ(rows.size(), 1u);
  RemoveClaim(spool);
  EXPECT_TRUE(std::filesystem::is_empty(spool));
}

TEST(InFlightRow, TellsTheUserWhatToDoWithoutAnAnswer) {
  test::TempDir dir;
  std::vector<InFlightRow> rows;
  const std::string spool = dir.File("spool");
  std::filesystem::create_directory(spool);
  const auto expect_advice = [&](uint64_t limit_ns) {
    const Status asked = AskInFlight(spool, limit_ns, &rows);
    EXPECT_NE(std::string(asked.message()).find("rtl collect --spool"), std::string::npos);
  };
  {
    Claim claim;
    ASSERT_TRUE(claim.Take(spool));
    expect_advice(1);
    RemoveClaim(spool);
  }
  // Nothing reads the spool, so that there is nothing to wait for.
  expect_advice(UINT64_MAX);
  EXPECT_TRUE(std::filesystem::is_empty(spool));
  EXPECT_FALSE(AskInFlight(dir.File("none"), 1, &rows).ok());
}

}  // namespace
}  // namespace rtl::store
