// SPDX-License-Identifier: MIT
// op_batch.h: moves rows of rtl_op into the database, kBatchRows at a time. One INSERT … SELECT
// from a virtual table over them costs a fraction of a bound INSERT per row
// (benchmarks/store_bench.cpp).
//
// Memory     kBatchRows rows
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "store/database.h"

namespace rtl::store {

// One row of rtl_op but for its id; columns as docs/formats/database.md has them.
struct NarrowOp {
  static constexpr int64_t kNull = INT64_MIN;
  int64_t launch;
  int64_t start;
  int64_t duration;
  int64_t waited;    // or kNull
  int64_t sequence;  // or kNull
  int64_t packet;
  int64_t link;
};

inline constexpr size_t kBatchRows = 8192;

class OpBatch {
 public:
  Status Prepare(const Database& database);
  // Ids only grow.
  Status Add(int64_t id, const NarrowOp& row);
  Status Flush();
  void Finalize() { insert_.Finalize(); }

  // The rows of the virtual table. Their ids are consecutive.
  struct Rows {
    int64_t first_id = 0;
    std::vector<NarrowOp> rows;
  };

 private:
  Rows batch_;
  Statement insert_;
};

}  // namespace rtl::store
