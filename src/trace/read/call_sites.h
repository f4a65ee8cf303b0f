// SPDX-License-Identifier: MIT
// call_sites.h: finds the columns that calls of the same site have in common, by id
// (rtl_call_site).
//
// Threads    one
// Blocking   file I/O, once per site
// Memory     IdCache::kMost sites; if there are more, sites are read again
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "trace/read/id_cache.h"
#include "trace/read/statement.h"

namespace rtl::query {

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

class CallSites {
 public:
  Status Prepare(sqlite3* db, const std::string& path);
  // *out is all zeros if no site has this id. Valid until the next call.
  Status Find(int64_t id, const CallSite** out) {
    *out = known_.Find(id);
    return *out != nullptr ? Status::Ok() : Read(id, out);
  }

 private:
  Status Read(int64_t id, const CallSite** out);

  Statement by_id_;
  IdCache<CallSite> known_;
};

}  // namespace rtl::query
