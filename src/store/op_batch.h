// SPDX-License-Identifier: MIT
// op_batch.h: moves rows of rtl_op into the database, kBlockRows at a time. One INSERT … SELECT
// from a virtual table over them costs a fraction of a bound INSERT per row
// (benchmarks/store_bench.cpp). In a packed trace the rows become a block.
//
// Memory     kBlockRows rows
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "store/database.h"
#include "store/packed_block.h"

namespace rtl::store {

class OpBatch {
 public:
  Status Prepare(const Database& database);
  // `origin`: that of the row's launch. Ids only grow.
  Status Add(int64_t id, const NarrowOp& row, int64_t origin, bool is_marker);
  Status Flush();
  void Finalize() { insert_.Finalize(); }

  // The rows of the virtual table. Their ids are consecutive.
  struct Rows {
    int64_t first_id = 0;
    std::vector<NarrowOp> rows;
  };

 private:
  // The earliest and the latest time of some rows.
  struct Span {
    int64_t first = INT64_MAX;
    int64_t last = INT64_MIN;
    void Add(int64_t time) {
      first = std::min(first, time);
      last = std::max(last, time);
    }
  };
  Status Pack();

  Rows batch_;
  std::unique_ptr<BlockPacker> packer_;  // null: rows are stored as rows
  std::string block_;
  Span starts_, submits_;  // of the batch
  int64_t markers_ = 0;    // in the batch
  Statement insert_;
};

}  // namespace rtl::store
