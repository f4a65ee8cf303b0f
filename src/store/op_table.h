// SPDX-License-Identifier: MIT
// op_table.h: fills rocpd_op in bulk: rows are gathered in memory and moved by one INSERT … SELECT
// from a virtual table over them, which costs a fraction of a bound INSERT per row
// (benchmarks/store_bench.cpp).
//
// Memory     kBatchRows rows
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "store/database.h"

namespace rtl::store {

// One row of rocpd_op, but for its id, which is its position in the order of Add.
struct OpRow {
  int64_t gpu = 0;
  int64_t queue = 0;  // rtl_queue.id
  int64_t sequence = 0;
  uint64_t hsa_queue = 0;  // kernels: in completionSignal
  bool is_kernel = false;  // has a completionSignal
  int64_t start = 0;
  int64_t end = 0;
  int64_t description = 0;
  int64_t op_type = 0;
  int64_t roctx = 0;
  int64_t correlation = 0;
  int64_t pid = 0;
  int64_t tid = 0;
  int64_t submit = 0;
  uint32_t grid[3] = {};
  uint32_t workgroup[3] = {};
  uint32_t group_segment = 0;
  uint32_t private_segment = 0;
  int64_t kernel = 0;  // rtl_kernel.id; zero for markers
  int64_t packet = 0;
  int64_t flags = 0;
  int64_t process = 0;  // rtl_process.id
  int64_t rank = -1;    // -1: NULL
};

// What the records of kernels, copies and barriers have in common.
template <typename Record>
void SetTimes(const Record& record, OpRow* row) {
  row->start = static_cast<int64_t>(record.start);
  row->end = static_cast<int64_t>(record.end);
  row->submit = static_cast<int64_t>(record.submitted);
  row->tid = record.head.thread;
  row->correlation = static_cast<int64_t>(record.correlation);
}

class OpTable {
 public:
  static constexpr size_t kBatchRows = 8192;

  Status Prepare(const Database& database);
  Status Add(const OpRow& row) {
    batch_.push_back(row);
    return batch_.size() < kBatchRows ? Status::Ok() : Flush();
  }
  Status Flush();
  void Finalize() { insert_.Finalize(); }

 private:
  std::vector<OpRow> batch_;  // what the virtual table shows
  Statement insert_;
};

// "hwq=0x<queue> wg=x,y,z grid=x,y,z" of a kernel. `out` has room for kCompletionTextBytes; returns
// the length. Not terminated.
inline constexpr size_t kCompletionTextBytes = 112;
size_t FormatCompletionSignal(const OpRow& row, char* out);

}  // namespace rtl::store
