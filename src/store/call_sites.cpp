// SPDX-License-Identifier: MIT
#include "store/call_sites.h"

namespace rtl::store {

Status CallSites::Prepare(const Database& database, int64_t last) {
  known_.Begin(last);
  return insert_.Prepare(database,
                         "INSERT INTO rtl_call_site (id, pid, tid, apiName_id, result, process_id,"
                         " rank, stream) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
}

Status CallSites::Find(const CallSite& site, int64_t* id) {
  const int64_t given = (site.result.has_value() ? 1 : 0) | (site.stream.has_value() ? 2 : 0);
  const Key key = {
      site.process, site.tid, site.name, site.result.value_or(0), site.stream.value_or(0), given};
  if (!known_.Add(key, id)) return Status::Ok();
  return insert_.Insert(*id, site.pid, site.tid, site.name, site.result, site.process, site.rank,
                        site.stream);
}

}  // namespace rtl::store
