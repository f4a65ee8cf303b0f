// SPDX-License-Identifier: MIT
// call_sites.h: the common part of calls of an API (rtl_call_site). rocpd_api is a view over it and
// rtl_call, which has the columns that differ from call to call (docs/adr/0068-narrow-calls.md).
//
// Threads    one
// Errors     of the database
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "store/database.h"
#include "store/known_rows.h"

namespace rtl::store {

struct CallSite {
  int64_t pid = 0;
  int64_t tid = 0;
  int64_t name = 0;  // rocpd_string.id
  std::optional<int64_t> result;
  int64_t process = 0;  // rtl_process.id; gives pid and rank
  std::optional<int64_t> rank;
  std::optional<int64_t> stream;
};

class CallSites {
 public:
  // `last`: the highest id in the table.
  Status Prepare(const Database& database, int64_t last);
  // `id`: rtl_call_site.id.
  Status Find(const CallSite& site, int64_t* id);
  void Finalize() { insert_.Finalize(); }

 private:
  struct Key {
    int64_t process, tid, name, result, stream, given;
  };

  KnownRows<Key> known_;
  Statement insert_;
};

}  // namespace rtl::store
