// SPDX-License-Identifier: MIT
#include "parquet/reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "parquet/encodings.h"
#include "tests/support/temp_dir.h"

namespace rtl::parquet {
namespace {

// A column for the writer.
struct Written {
  Type type = Type::kInt64;
  std::vector<int64_t> numbers;
  std::vector<uint8_t> present;
  std::vector<std::string> texts;
};

Written Numbers(size_t rows, const std::function<int64_t(size_t)>& number) {
  Written out;
  for (size_t i = 0; i < rows; ++i) out.numbers.push_back(number(i));
  return out;
}

class ParquetReaderTest : public testing::Test {
 protected:
  void Write(size_t rows, const std::vector<Written>& data, size_t groups = 1) {
    std::vector<Column> columns;
    std::vector<std::vector<std::string_view>> texts;
    for (const Written& column : data) {
      columns.push_back({"c" + std::to_string(columns.size()), column.type});
      texts.emplace_back(column.texts.begin(), column.texts.end());
    }
    std::vector<Values> values;
    for (size_t i = 0; i < data.size(); ++i) {
      values.push_back({data[i].numbers, data[i].present, texts[i]});
    }
    std::unique_ptr<Writer> writer;
    ASSERT_TRUE(Writer::Create(path_, columns, &writer).ok());
    for (size_t i = 0; i < groups; ++i) ASSERT_TRUE(writer->WriteGroup(rows, values).ok());
    ASSERT_TRUE(writer->Commit().ok());
  }

  std::string Bytes() const {
    std::ostringstream bytes;
    bytes << std::ifstream(path_, std::ios::binary).rdbuf();
    return bytes.str();
  }

  // Reads everything; the first error.
  Status ReadAll(const std::vector<Type>& types, std::vector<std::vector<ReadColumn>>* out) {
    std::unique_ptr<Reader> reader;
    RTL_TRY(Reader::Open(path_, &reader));
    for (const RowGroup& group : reader->footer().groups) {
      std::vector<ReadColumn>& columns = out->emplace_back(types.size());
      for (size_t i = 0; i < types.size(); ++i) {
        RTL_TRY(reader->Read(group, "c" + std::to_string(i), types[i], &columns[i]));
        const ReadColumn& column = columns[i];
        // Every row has its value, whatever the file says.
        for (size_t row = 0; row < static_cast<size_t>(group.rows); ++row) {
          if (column.IsNull(row) || types[i] != Type::kText) continue;
          EXPECT_LT(static_cast<size_t>(column.numbers.at(row)), column.texts.size());
        }
      }
    }
    return Status::Ok();
  }

  void ExpectSame(const Written& written, const ReadColumn& read) {
    for (size_t row = 0; row < written.numbers.size(); ++row) {
      const bool is_null = !written.present.empty() && written.present[row] == 0;
      ASSERT_EQ(read.IsNull(row), is_null) << row;
      if (is_null) continue;
      if (written.type == Type::kText) {
        ASSERT_EQ(read.texts[static_cast<size_t>(read.numbers[row])],
                  written.texts[static_cast<size_t>(written.numbers[row])]);
      } else {
        ASSERT_EQ(read.numbers[row], written.numbers[row]) << row;
      }
    }
  }

  std::vector<Written> EveryKind(size_t rows) {
    constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    std::vector<Written> data;
    data.push_back(Numbers(rows, [](size_t) { return -7; }));
    data.push_back(Numbers(rows, [](size_t i) { return static_cast<int64_t>(i % 5); }));
    data.push_back(Numbers(rows, [](size_t i) { return static_cast<int64_t>(i * i * 1000003); }));
    data.push_back(Numbers(rows, [&](size_t i) { return i % 2 == 0 ? kLeast : kMost; }));
    data.push_back(Numbers(rows, [&](size_t) { return static_cast<int64_t>(random_()); }));
    for (const size_t part : {3, 40}) {
      data.push_back(Numbers(rows, [&](size_t) { return static_cast<int64_t>(random_() >> 9); }));
      for (size_t i = 0; i < rows; ++i) data.back().present.push_back(random_() % part == 0);
    }
    for (const size_t different : {size_t{1}, size_t{20}, rows}) {
      Written texts = Numbers(rows, [&](size_t i) { return static_cast<int64_t>(i % different); });
      texts.type = Type::kText;
      for (size_t i = 0; i < different; ++i) {
        texts.texts.push_back(std::string(i % 70, 'x') + std::to_string(i));
      }
      data.push_back(std::move(texts));
    }
    Written reals =
        Numbers(rows, [&](size_t i) { return static_cast<int64_t>(random_() >> i % 9); });
    reals.type = Type::kDouble;
    data.push_back(std::move(reals));
    return data;
  }

  static std::vector<Type> TypesOf(const std::vector<Written>& data) {
    std::vector<Type> types;
    for (const Written& column : data) types.push_back(column.type);
    return types;
  }

  std::mt19937_64 random_{42};
  test::TempDir dir_;
  const std::string path_ = dir_.File("rows.parquet");
};

TEST_F(ParquetReaderTest, ReadsWhatTheWriterWrites) {
  for (const size_t rows : {1, 2, 7, 8, 9, 31, 32, 33, 128, 129, 130, 1000, 5000}) {
    const std::vector<Written> data = EveryKind(rows);
    Write(rows, data, 2);
    std::vector<std::vector<ReadColumn>> groups;
    const Status status = ReadAll(TypesOf(data), &groups);
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(groups.size(), 2U);
    for (const auto& group : groups) {
      for (size_t i = 0; i < data.size(); ++i) {
        SCOPED_TRACE(testing::Message() << rows << " rows, column " << i);
        ExpectSame(data[i], group[i]);
      }
    }
  }
}

TEST_F(ParquetReaderTest, AColumnThatTheFileDoesNotHaveIsNull) {
  Write(3, {Numbers(3, [](size_t i) { return static_cast<int64_t>(i); })});
  std::unique_ptr<Reader> reader;
  ASSERT_TRUE(Reader::Open(path_, &reader).ok());
  ReadColumn column;
  ASSERT_TRUE(reader->Read(reader->footer().groups[0], "other", Type::kInt64, &column).ok());
  EXPECT_TRUE(column.IsNull(0) && column.IsNull(2));
}

TEST_F(ParquetReaderTest, AColumnOfAnotherTypeIsRefused) {
  Write(3, {Numbers(3, [](size_t i) { return static_cast<int64_t>(i); })});
  std::vector<std::vector<ReadColumn>> groups;
  EXPECT_STREQ(ReadAll({Type::kText}, &groups).message(), "it was not written by rtl convert");
}

// An answer or an error, and never a value beyond the texts: the reader's checks, not its luck.
TEST_F(ParquetReaderTest, DamageIsAnErrorOrOtherValues) {
  const std::vector<Written> data = EveryKind(300);
  Write(300, data);
  const std::string whole = Bytes();
  size_t errors = 0;
  for (int i = 0; i < 600; ++i) {
    std::string bytes = whole;
    for (uint64_t flips = 1 + random_() % 3; flips > 0; --flips) {
      // The footer and the heads of pages are the interesting part.
      const size_t from_end = random_() % (i % 2 == 0 ? bytes.size() : bytes.size() / 4);
      bytes[bytes.size() - 1 - from_end] = static_cast<char>(random_());
    }
    if (i % 10 == 0) bytes.resize(random_() % bytes.size());
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
    std::vector<std::vector<ReadColumn>> groups;
    if (!ReadAll(TypesOf(data), &groups).ok()) ++errors;
  }
  EXPECT_GT(errors, 200U);
}

TEST_F(ParquetReaderTest, RunsAndDifferencesThatEndTooEarlyAreErrors) {
  std::vector<int64_t> numbers(300);
  for (int64_t& number : numbers) number = static_cast<int64_t>(random_() >> 20);
  std::string deltas;
  PutDeltas(numbers, &deltas);
  std::vector<uint32_t> positions(300);
  for (uint32_t& position : positions) position = static_cast<uint32_t>(random_() % 1000);
  std::string runs;
  PutRuns(positions, 10, &runs);
  std::vector<int64_t> read(numbers.size());
  std::vector<uint32_t> read_positions(positions.size());
  const auto padded = [](std::string text) { return text.append(kPadding, '\0'); };
  const std::string all_deltas = padded(deltas);
  const std::string all_runs = padded(runs);
  EXPECT_TRUE(TakeDeltas(std::string_view(all_deltas).substr(0, deltas.size()), read));
  EXPECT_EQ(read, numbers);
  EXPECT_TRUE(TakeRuns(std::string_view(all_runs).substr(0, runs.size()), 10, read_positions));
  EXPECT_EQ(read_positions, positions);
  for (size_t size = 0; size < deltas.size(); ++size) {
    EXPECT_FALSE(TakeDeltas(std::string_view(all_deltas).substr(0, size), read)) << size;
  }
  for (size_t size = 0; size < runs.size(); ++size) {
    EXPECT_FALSE(TakeRuns(std::string_view(all_runs).substr(0, size), 10, read_positions)) << size;
  }
}

}  // namespace
}  // namespace rtl::parquet
