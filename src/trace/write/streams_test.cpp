// SPDX-License-Identifier: MIT
#include "trace/write/streams.h"

#include <gtest/gtest.h>
#include <string.h>

#include <string>
#include <vector>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/schema/store_test_support.h"

namespace rtl::store {
namespace {

constexpr int64_t kNone = -1;

class StreamsTest : public testing::Test {
 protected:
  int64_t Call(const char* name, std::vector<uint64_t> slots, uint64_t start, uint64_t end,
               uint16_t flags = kApiFlagOutputs) {
    ApiCallRecord record;
    record.api = test::TraceBuilder::CallNumber(name);
    record.start = start;
    record.end = end;
    record.slots = static_cast<uint16_t>(slots.size());
    record.flags = flags;
    record.text_bytes = static_cast<uint32_t>(slots.size() * 8);
    const std::string payload(reinterpret_cast<const char*>(slots.data()), record.text_bytes);
    return streams_.AddCall(record, ApiArguments(record, payload)).handle.value_or(kNone);
  }
  void Create(uint64_t handle, uint64_t end) {
    EXPECT_EQ(Call("hipStreamCreate", {0x7ffd, handle}, end - 5, end), kNone);
  }
  void Destroy(uint64_t handle, uint64_t start) {
    EXPECT_EQ(Call("hipStreamDestroy", {handle}, start, start + 5), static_cast<int64_t>(handle));
  }
  void Use(uint64_t handle, uint64_t start) {
    EXPECT_EQ(Call("hipStreamSynchronize", {handle}, start, start + 5),
              static_cast<int64_t>(handle));
  }
  // "number handle name created-destroyed", one per stream.
  std::vector<std::string> Rows() {
    std::vector<std::string> rows;
    const auto text = [](std::optional<int64_t> time) {
      return time.has_value() ? std::to_string(*time) : std::string("?");
    };
    for (const StreamRow& row : streams_.Rows()) {
      rows.push_back(std::to_string(row.number) + " " + std::to_string(row.handle) + " '" +
                     row.name + "' " + text(row.created) + "-" + text(row.destroyed));
    }
    return rows;
  }

  Streams streams_;
};

using Lines = std::vector<std::string>;

TEST(GivenNames, KeepsNamesInOrderAndLeavesOutUnknownKinds) {
  test::TempDir dir;
  const std::string path = dir.File("trace.db");
  test::TraceBuilder trace;
  trace.Name(Named::kThread, 101, 50, "loader");
  trace.Name(Named::kAgent, 0x55d0, 40, "the card");
  trace.Name(static_cast<Named>(9), 1, 60, "of a later version");
  trace.Name(Named::kStream, 0x90, 70, "work\xff");
  const Status written = trace.WriteDatabase(path);
  ASSERT_TRUE(written.ok()) << written.message();
  EXPECT_EQ(Ask(path, "SELECT pid, kind, target, time, name FROM rtl_name"),
            (Rows{"1000|thread|101|50|loader", "1000|agent|21968|40|the card",
                  "1000|stream|144|70|work?"}));
}

TEST_F(StreamsTest, NumbersStreamsInTheOrderOfTheirCreation) {
  Create(0x90, 100);
  Create(0x50, 200);
  Destroy(0x90, 300);
  EXPECT_EQ(Rows(), (Lines{"1 144 '' 100-300", "2 80 '' 200-?"}));
}

TEST_F(StreamsTest, AReusedHandleIsAnotherStreamInAnyOrderOfReading) {
  Destroy(0x50, 500);
  Use(0x50, 450);
  Create(0x50, 400);
  Use(0x50, 200);
  Destroy(0x50, 300);
  Create(0x50, 100);
  EXPECT_EQ(Rows(), (Lines{"1 80 '' 100-300", "2 80 '' 400-500"}));
}

TEST_F(StreamsTest, TheNextCreationEndsAStreamWhoseDestructionWasNotSeen) {
  Create(0x50, 100);
  Create(0x50, 400);
  EXPECT_EQ(Rows(), (Lines{"1 80 '' 100-399", "2 80 '' 400-?"}));
}

TEST_F(StreamsTest, HipsOwnStreamsHaveNames) {
  Create(0x50, 100);
  Use(2, 110);
  Use(1, 120);
  EXPECT_EQ(Call("hipMemcpy", {1, 2, 3, 1}, 130, 140), 0) << "says nothing of a stream";
  EXPECT_EQ(Rows(), (Lines{"0 0 'null stream' ?-?", "1 80 '' 100-?", "2 1 'legacy stream' ?-?",
                           "3 2 'per-thread stream' ?-?"}));
}

TEST_F(StreamsTest, DistinguishesAnEarlierStreamFromItsSuccessor) {
  Use(0x50, 10);
  Destroy(0x50, 20);
  Create(0x50, 100);
  Use(0x50, 110);
  EXPECT_EQ(Rows(), (Lines{"1 80 '' 100-?", "2 80 '' ?-20"}));
}

TEST_F(StreamsTest, ANameBelongsToTheStreamThatHasTheHandleAtThatTime) {
  streams_.Name(0x50, 450, "second");
  Create(0x50, 100);
  streams_.Name(0x50, 150, "first");
  streams_.Name(0x50, 160, "renamed");
  Destroy(0x50, 300);
  Create(0x50, 400);
  EXPECT_EQ(Rows(), (Lines{"1 80 'renamed' 100-300", "2 80 'second' 400-?"}));
}

TEST_F(StreamsTest, ACallThatCreatedNothingOrHasNoStreamIsNone) {
  EXPECT_EQ(Call("hipStreamCreate", {0x7ffd, 0x50}, 1, 2, 0), kNone) << "it has failed";
  EXPECT_EQ(Call("hipFree", {0x50}, 1, 2), kNone);
  EXPECT_EQ(Call("__hipPopCallConfiguration", {1, 2, 3, 4, 5, 6, 7, 0x50}, 1, 2), kNone);
  EXPECT_EQ(Rows(), Lines{});
}

}  // namespace
}  // namespace rtl::store
