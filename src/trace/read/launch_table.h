// SPDX-License-Identifier: MIT
// launch_table.h: finds the columns that rows of the same launch have in common, by id
// (rtl_launch).
//
// Threads    one
// Blocking   file I/O, once per launch
// Memory     IdCache::kMost launches; if there are more, launches are read again
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "trace/read/id_cache.h"
#include "trace/read/statement.h"

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

class LaunchTable {
 public:
  Status Prepare(sqlite3* db, const std::string& path);
  // *out is all zeros if no launch has this id. Valid until the next call.
  Status Find(int64_t id, const Launch** out) {
    *out = known_.Find(id);
    return *out != nullptr ? Status::Ok() : Read(id, out);
  }

 private:
  Status Read(int64_t id, const Launch** out);

  Statement by_id_;
  IdCache<Launch> known_;
};

}  // namespace rtl::query
