// SPDX-License-Identifier: MIT
#include "import/json_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/support/temp_dir.h"

namespace rtl::import {
namespace {

// Writes what it gets: "{k:'text',n:#12,[true]}".
class Writer {
 public:
  bool Null() { return Add("null"); }
  bool Bool(bool value) { return Add(value ? "true" : "false"); }
  bool RawNumber(std::string_view text) { return Add("#" + std::string(text)); }
  bool String(std::string_view text) { return Add("'" + std::string(text) + "'"); }
  bool Key(std::string_view text) { return Add(std::string(text) + ":"); }
  bool StartObject() { return Add("{"); }
  bool EndObject() { return Add("}"); }
  bool StartArray() { return Add("["); }
  bool EndArray() { return Add("]"); }
  const Status& status() const { return status_; }
  const std::string& text() const { return text_; }

 private:
  bool Add(const std::string& text) {
    const char last = text_.empty() ? '{' : text_.back();
    const bool first = last == '{' || last == '[' || last == ':';
    const bool ends = text == "}" || text == "]";
    text_ += (first || ends ? "" : ",") + text;
    return true;
  }
  Status status_ = Status::Ok();
  std::string text_;
};

class JsonReaderTest : public testing::Test {
 protected:
  // The events, or what is wrong.
  std::string Read(const std::string& json) {
    const std::string path = dir_.File("text");
    std::ofstream(path, std::ios::binary) << json;
    TextInput input;
    EXPECT_TRUE(input.Open(path).ok());
    Writer writer;
    const Status read = ParseJson(path, &input, &writer, &repaired_);
    return read.ok() ? writer.text() : std::string(read.message()).substr(path.size() + 2);
  }

  test::TempDir dir_;
  uint64_t repaired_ = 0;
};

TEST_F(JsonReaderTest, ReadsValuesOfEveryKind) {
  EXPECT_EQ(Read(R"( {"a" : [1, -2.5e+3, "x", {}, []], "b":{"c":null}, "d": true, "e": false} )"),
            "{a:[#1,#-2.5e+3,'x',{},[]],b:{c:null},d:true,e:false}");
  EXPECT_EQ(Read("17"), "#17");
  EXPECT_EQ(Read(R"("a\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac")"), "'a\"\\/\b\f\n\r\tA\u00e9\u20ac'");
}

TEST_F(JsonReaderTest, ReplacesHalvesOfSurrogatePairs) {
  EXPECT_EQ(Read(R"(["\ud83d\ude00", "\ud800x", "\udc00", "\ud800\ud83d\ude00", "\ud800\n"])"),
            "['\U0001f600','\ufffdx','\ufffd','\ufffd\U0001f600','\ufffd\n']");
  EXPECT_EQ(repaired_, 4u);
  EXPECT_EQ(Read(R"(["\\ud800"])"), "['\\ud800']") << "a backslash, not an escape";
  EXPECT_EQ(repaired_, 0u);
}

TEST_F(JsonReaderTest, ReadsWhatToolsWriteBeyondJson) {
  EXPECT_EQ(Read("[NaN, -Infinity, nan, -inf]"), "[#NaN,#-Infinity,#nan,#-inf]");
  EXPECT_EQ(Read("[1, 2,]"), "[#1,#2]");
  EXPECT_EQ(Read("{\"a\":1,}"), "{a:#1}");
  EXPECT_EQ(Read("[{\"a\":1},\n"), "[{a:#1}]") << "an array that is not closed";
  EXPECT_EQ(Read("[{\"a\":1}"), "[{a:#1}]");
  EXPECT_EQ(Read("[\"a\nb\"]"), "['a\nb']");
}

TEST_F(JsonReaderTest, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(Read("{\"a\":[1"), "not valid JSON at byte 7 (the text ends too early)");
  EXPECT_EQ(Read("[{\"a\":1"), "not valid JSON at byte 7 (the text ends too early)");
  EXPECT_EQ(Read("\"abc"), "not valid JSON at byte 4 (the text ends too early)");
  EXPECT_EQ(Read("[1 2]"), "not valid JSON at byte 3 (a comma or ] is missing)");
  EXPECT_EQ(Read("{\"a\" 1}"), "not valid JSON at byte 5 (a colon is missing)");
  EXPECT_EQ(Read("{1:2}"), "not valid JSON at byte 1 (a name of a member is missing)");
  EXPECT_EQ(Read("[tru]"), "not valid JSON at byte 4 (a value is not known)");
  EXPECT_EQ(Read("[1.]"), "not valid JSON at byte 3 (a value is not known)");
  EXPECT_EQ(Read("[,1]"), "not valid JSON at byte 1 (a value is missing)");
  EXPECT_EQ(Read("[\"\\x\"]"), "not valid JSON at byte 4 (an escape in a text is not known)");
  EXPECT_EQ(Read("[\"\\u12g4\"]"), "not valid JSON at byte 7 (\\u without four digits)");
  EXPECT_EQ(Read("[] []"), "not valid JSON at byte 3 (more text follows the end)");
  EXPECT_EQ(Read(std::string("[1,\0]", 5)), "not valid JSON at byte 3 (a value is missing)");
}

// The buffer ends at every place of the text.
TEST_F(JsonReaderTest, ReadsTextsAndNumbersAcrossTheEndOfTheBuffer) {
  const std::string json = R"(["plain","a\"b\ud83d\ude00",-123.5e7,true,{"key":null}])";
  const std::string expected = Read(json);
  constexpr size_t kBuffer = size_t{256} << 10;
  for (size_t cut = 1; cut < json.size(); ++cut) {
    ASSERT_EQ(Read(std::string(kBuffer - cut, ' ') + json), expected) << cut;
  }
}

}  // namespace
}  // namespace rtl::import
