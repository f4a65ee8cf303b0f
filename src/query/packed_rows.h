// SPDX-License-Identifier: MIT
// packed_rows.h: the kernels of a packed trace in order of time, without SQLite's sorter. A thread
// that keeps ahead of the caller reads blocks in the order of their first row and merges them where
// they overlap.
//
// Threads    one of its own; the public functions belong to one other thread
// Blocking   file I/O
// Memory     kMostOpenRows rows, their launches, and four batches of 8192
// Errors     as Status, with the path of the trace in it; a block is not trusted
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "query/launch_table.h"

namespace rtl::query {

enum class RowOrder : uint8_t { kSubmit, kStart };

struct PackedRow {
  uint64_t key = 0;  // the sort key of the rows
  int64_t id = 0;
  int64_t launch_id = 0;
  const Launch* launch = nullptr;  // valid until the next call of Next
  uint64_t submit = 0;             // 0: not known
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t dispatch = 0;
  uint64_t packet = 0;
  uint64_t correlation = 0;
};

class PackedRows {
 public:
  static constexpr uint64_t kMostOpenRows = 1 << 18;

  // Rows of the type `type`. *out stays null, and SQLite has to sort, when there is no thread or
  // when merging the overlapping blocks would take more than `most_open_rows`. `cancel` may be
  // null.
  static Status Open(const std::string& path, int64_t type, RowOrder order,
                     const std::atomic<bool>* cancel, std::unique_ptr<PackedRows>* out,
                     uint64_t most_open_rows = kMostOpenRows);
  ~PackedRows();
  PackedRows(const PackedRows&) = delete;
  PackedRows& operator=(const PackedRows&) = delete;

  // Null after the last row. The row is valid until the next call.
  Status Next(const PackedRow** row);

 private:
  class Producer;
  struct Batch;

  PackedRows();
  Status NextBatch();

  std::unique_ptr<Producer> producer_;
  std::unique_ptr<Batch> batch_;
  size_t at_ = 0;
};

}  // namespace rtl::query
