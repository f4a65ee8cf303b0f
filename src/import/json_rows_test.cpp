// SPDX-License-Identifier: MIT
#include "import/json_rows.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/support/temp_dir.h"

namespace rtl::import {
namespace {

// Writes what it gets: "table{key=value key=value}" and "path=value", each with a space behind it.
class RowWriter : public JsonRowReader {
 public:
  Status BeginPart() override { return Status::Ok(); }
  Status EndPart() override { return Status::Ok(); }
  Status TakeFact(std::string_view path, std::string_view value) override {
    text_.append(path).append("=").append(value).append(" ");
    return Status::Ok();
  }
  Status TakeRow(std::string_view path, const JsonRow& row) override {
    text_.append(path).append("{");
    for (size_t i = 0; i < row.size(); ++i) {
      if (i != 0) text_ += ' ';
      text_.append(row.key(i)).append("=").append(row.value(i));
      EXPECT_EQ(row.Text(row.key(i)), row.value(i));
    }
    text_ += "} ";
    return Status::Ok();
  }
  void TakeRepaired(uint64_t /*halves*/) override {}
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class JsonRowsTest : public testing::Test {
 protected:
  // What a part with this inside has, or what is wrong.
  std::string Read(const std::string& part) {
    const std::string path = dir_.File("rows.json");
    std::ofstream(path) << R"({"parts":[{)" << part << "}]}";
    RowWriter writer;
    const Status read = ReadJsonRows(path, "parts", &writer);
    return read.ok() ? writer.text() : std::string(read.message()).substr(path.size() + 2);
  }

  test::TempDir dir_;
};

TEST_F(JsonRowsTest, NestedFieldsHavePaths) {
  EXPECT_EQ(Read(R"("pid":7, "of":{"a":[{"id":{"handle":1}, "x":[5,{"y":6},[7]], "z":null}]})"),
            "pid=7 of.a{id.handle=1 x[0]=5 x[1].y=6 x[2][0]=7 z=} ");
}

TEST_F(JsonRowsTest, RowsNeedNotHaveTheFieldsOfTheRowBefore) {
  EXPECT_EQ(
      Read(R"("t":[{"a":1,"b":{"c":2,"d":3},"e":4}, {"a":1,"b":{"d":3},"e":4}, {"e":4,"a":1},)"
           R"( {"b":2,"a":{"c":5}}, {}, {"a":1,"b":{"c":2,"d":3},"e":4}],)"
           R"("u":[{"a":[1,2]},{"a":[1]},{"a":[1,2,3],"b":4},{"c":{"a":[1]}}])"),
      "t{a=1 b.c=2 b.d=3 e=4} t{a=1 b.d=3 e=4} t{e=4 a=1} t{b=2 a.c=5} t{} "
      "t{a=1 b.c=2 b.d=3 e=4} "
      "u{a[0]=1 a[1]=2} u{a[0]=1} u{a[0]=1 a[1]=2 a[2]=3 b=4} u{c.a[0]=1} ");
}

TEST_F(JsonRowsTest, APointInANameIsNoNesting) {
  EXPECT_EQ(Read(R"("t":[{"a":{"b":1},"a.b":2,"c":3},{"a.b":2,"a":{"b":1},"c":3}])"),
            "t{a.b=1 a.b=2 c=3} t{a.b=2 a.b=1 c=3} ");
}

// Each field's name has those around it.
TEST_F(JsonRowsTest, NamesThatMultiplyTheirLengthAreRefused) {
  std::string fields = "\"a\":1";
  for (int i = 0; i < 20'000; ++i) fields += ",\"" + std::to_string(i) + "\":1";
  const std::string name(1'000'000, 'n');
  EXPECT_EQ(Read("\"t\":[{\"" + name + "\":{" + fields + "}}]"),
            "has a value that is too long for a trace");
}

// Names that are not the same twice, as of a table by address, do not stay in memory.
TEST_F(JsonRowsTest, RowsWithNamesOfTheirOwnAreRead) {
  std::string rows;
  const std::string name(200, 'n');
  for (int i = 0; i < 100'000; ++i) {
    rows += (i == 0 ? "{\"" : ",{\"") + name + std::to_string(i) + "\":1}";
  }
  EXPECT_GT(Read("\"t\":[" + rows + "]").size(), 20'000'000u);
}

}  // namespace
}  // namespace rtl::import
