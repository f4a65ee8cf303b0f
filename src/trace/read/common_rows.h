// SPDX-License-Identifier: MIT
// common_rows.h: finds by id the columns that many rows have in common: those of a launch
// (rtl_launch), and those of a call site (rtl_call_site).
//
// Threads    one
// Blocking   file I/O, once per id
// Memory     IdCache::kMost rows; if there are more, rows are read again
#pragma once

#include <cstdint>

#include "base/status.h"
#include "trace/read/id_cache.h"
#include "trace/read/statement.h"
#include "trace/read/trace_database.h"

namespace rtl::query {

struct Launch {
  // The origins from which the numbers in the launch's rows count.
  uint64_t origin = 0;
  uint64_t sequence = 0;
  uint64_t packet = 0;
  int64_t process = 0;
  uint32_t pid = 0;
  uint32_t tid = 0;
  int32_t gpu = 0;
  int64_t queue = 0;
  int64_t kernel = 0;
  int64_t name = 0;  // 0: there is no name
  bool has_name = false;
  int64_t flags = 0;
  int64_t type = 0;
  uint32_t grid[3] = {};
  uint32_t workgroup[3] = {};
  uint32_t group_segment = 0;
  uint32_t private_segment = 0;
};

struct CallSite {
  bool is_known = false;  // false: the trace has no such site
  bool has_result = false;
  bool has_stream = false;
  uint32_t pid = 0;
  uint32_t tid = 0;
  int64_t process = 0;
  int64_t name = 0;
  int64_t result = 0;
  uint64_t stream = 0;  // the handle of the stream
};

template <typename Row>
class CommonRows {
 public:
  Status Prepare(const TraceDatabase& database);
  // *out is all zeros if no row has this id. Valid until the next call.
  Status Find(int64_t id, const Row** out) {
    *out = known_.Find(id);
    return *out != nullptr ? Status::Ok() : Read(id, out);
  }

 private:
  Status Read(int64_t id, const Row** out);

  Statement by_id_;
  IdCache<Row> known_;
};

using LaunchTable = CommonRows<Launch>;
using CallSites = CommonRows<CallSite>;

}  // namespace rtl::query
