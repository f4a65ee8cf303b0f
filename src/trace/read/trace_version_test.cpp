// SPDX-License-Identifier: MIT
#include "trace/read/trace_version.h"

#include <gtest/gtest.h>

#include "trace/read/query_test_support.h"
#include "trace/schema/schema.h"

namespace rtl::query {
namespace {

class AVersion : public testing::Test {
 protected:
  // Empty tables with the names of a trace of schema 6, and its metadata.
  void Make(int schema) {
    for (const char* table :
         {"rocpd_string", "rtl_op", "rtl_launch", "rtl_process", "rtl_agent", "rtl_queue",
          "rtl_kernel", "rtl_process_counter", "rtl_queue_loss", "rtl_copy", "rtl_barrier",
          "rtl_name", "rtl_stream", "rocpd_api", "rocpd_api_ops"}) {
      Table(table);
    }
    ExecuteSql(path_, "CREATE TABLE rocpd_metadata (id INTEGER PRIMARY KEY, tag, value)");
    Tag("schema_version", std::to_string(schema));
  }
  void Table(const std::string& name) { ExecuteSql(path_, "CREATE TABLE " + name + " (id)"); }
  void Tag(const std::string& tag, const std::string& value) {
    ExecuteSql(path_,
               "INSERT INTO rocpd_metadata (tag, value) VALUES ('" + tag + "', '" + value + "')");
  }
  Status Read() {
    TraceDatabase database;
    RTL_TRY(database.Open(path_));
    return version_.Read(database);
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("some.db");
  TraceVersion version_;
};

TEST_F(AVersion, HasTheTagsAndTheirNumbers) {
  Make(6);
  Tag("lost", "12");
  Tag("host", "somewhere");
  Tag("lost", "13");
  ExpectOk(Read());
  EXPECT_EQ(version_.metadata().at("host"), "somewhere");
  EXPECT_EQ(version_.Number("lost"), 13u) << "the later one";
  EXPECT_EQ(version_.Number("host"), 0u);
  EXPECT_EQ(version_.Number("no such tag"), 0u);
  EXPECT_EQ(version_.schema(), 6);
}

TEST_F(AVersion, SaysWhatItsSchemaLacks) {
  Make(6);
  ExpectOk(Read());
  EXPECT_FALSE(version_.has_spans());
  EXPECT_FALSE(version_.HasTableOf(EventKind::kHsaCall));
  EXPECT_FALSE(version_.has_narrow_calls());
  EXPECT_FALSE(version_.has_links_in_calls());
}

TEST_F(AVersion, HasSpansButNoCallsOfRcclInSchema9) {
  Make(9);
  for (const char* table : {"rtl_call", "rtl_call_site", "rtl_place"}) Table(table);
  for (size_t i = 0; i < kEventKindCount; ++i) {
    const SpanKind* const kind = FindSpanKind(static_cast<EventKind>(i));
    const bool is_rccl = static_cast<EventKind>(i) == EventKind::kRcclCall;
    if (kind != nullptr && !is_rccl) Table(std::string("rtl_") + kind->view);
  }
  ExpectOk(Read());
  EXPECT_TRUE(version_.has_spans());
  EXPECT_TRUE(version_.HasTableOf(EventKind::kHsaCall));
  EXPECT_FALSE(version_.HasTableOf(EventKind::kRcclCall));
  EXPECT_TRUE(version_.has_narrow_calls());
  EXPECT_FALSE(version_.has_links_in_calls());
}

TEST_F(AVersion, RefusesATraceWithoutATableOfItsSchema) {
  Make(8);
  EXPECT_FALSE(Read().ok()) << "calls have been in rtl_call since schema 8";
}

TEST_F(AVersion, NamesTheSourceOfAnImportedTrace) {
  Make(6);
  ExpectOk(Read());
  EXPECT_EQ(SourceOf(version_.metadata()), nullptr);
  Tag(store::kSourceTag, "rocpd");
  ExpectOk(Read());
  ASSERT_NE(SourceOf(version_.metadata()), nullptr);
  EXPECT_EQ(*SourceOf(version_.metadata()), "rocpd");
}

}  // namespace
}  // namespace rtl::query
