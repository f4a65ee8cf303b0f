// SPDX-License-Identifier: MIT
// spool_test_support.h: fixtures of the tests of writer and reader.
#pragma once

#include <gtest/gtest.h>
#include <string.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "spool/directory.h"
#include "spool/reader.h"
#include "spool/writer.h"
#include "tests/support/temp_dir.h"

namespace rtl::spool {

// A dispatch with a distinct id.
inline bool WriteDispatch(Writer& writer, uint32_t thread, uint64_t id) {
  DispatchRecord record;
  record.head.type = RecordType::kDispatch;
  record.head.thread = thread;
  record.dispatch = id;
  return writer.Write(&record, sizeof record, nullptr, 0);
}

// The same with bytes behind it, so that it is never packed.
inline constexpr size_t kLongDispatchBytes = kMostPackedBytes + 8;
inline bool WriteLongDispatch(Writer& writer, uint32_t thread, uint64_t id) {
  DispatchRecord record;
  record.head.type = RecordType::kDispatch;
  record.head.thread = thread;
  record.dispatch = id;
  constexpr char kZeros[kLongDispatchBytes - sizeof record] = {};
  return writer.Write(&record, sizeof record, kZeros, sizeof kZeros);
}

inline bool WriteMark(Writer& writer, const std::string& text) {
  MarkRecord record;
  record.head.type = RecordType::kMark;
  record.text_bytes = static_cast<uint32_t>(text.size());
  return writer.Write(&record, sizeof record, text.data(), text.size());
}

inline Status OpenWriter(Writer& writer, const test::TempDir& dir, size_t limit_segments = 256,
                         uint64_t room_wait_ns = 0) {
  WriterOptions options;
  options.room_wait_ns = room_wait_ns;
  options.directory = dir.path().c_str();
  options.limit_bytes = limit_segments * kSegmentBytes;
  return writer.Open(options);
}

// Every record read from one process, in order.
class Collected {
 public:
  explicit Collected(const test::TempDir& dir, bool keep = false) {
    std::vector<std::string> stems;
    EXPECT_TRUE(ListProcesses(dir.path(), &stems).ok());
    EXPECT_EQ(stems.size(), 1u);
    if (stems.size() != 1) return;
    const Status opened = ProcessReader::Open(dir.path(), stems[0], keep, &reader_);
    EXPECT_TRUE(opened.ok()) << opened.message();
  }

  uint64_t Poll() {
    uint64_t records = 0;
    const Status polled = reader_->Poll([this](const RecordView& view) { Add(view); }, &records);
    EXPECT_TRUE(polled.ok()) << polled.message();
    return records;
  }

  ProcessReader& reader() { return *reader_; }
  bool valid() const { return reader_ != nullptr; }
  const std::map<uint32_t, std::vector<uint64_t>>& dispatches() const { return dispatches_; }
  size_t total() const { return total_; }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  void Add(const RecordView& view) {
    ++total_;
    if (view.head->type == RecordType::kDispatch) {
      dispatches_[view.head->thread].push_back(view.As<DispatchRecord>().dispatch);
    }
    if (view.head->type == RecordType::kMark) texts_.emplace_back(view.text);
  }

  std::unique_ptr<ProcessReader> reader_;
  std::map<uint32_t, std::vector<uint64_t>> dispatches_;  // by thread
  std::vector<std::string> texts_;
  size_t total_ = 0;
};

// 1, 2, …, n
inline std::vector<uint64_t> UpTo(uint64_t n) {
  std::vector<uint64_t> ids(n);
  for (uint64_t i = 0; i < n; ++i) ids[i] = i + 1;
  return ids;
}

}  // namespace rtl::spool
