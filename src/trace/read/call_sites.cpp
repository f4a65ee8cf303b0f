// SPDX-License-Identifier: MIT
#include "trace/read/call_sites.h"

namespace rtl::query {

Status CallSites::Prepare(sqlite3* db, const std::string& path) {
  return by_id_.Prepare(db, path,
                        "SELECT process_id, pid, tid, apiName_id, result, stream"
                        " FROM rtl_call_site WHERE id = ?1");
}

Status CallSites::Read(int64_t id, const CallSite** out) {
  RTL_TRY(by_id_.Bind(1, id));
  CallSite site;
  RTL_TRY(by_id_.Step(&site.is_known));
  if (site.is_known) {
    site.process = by_id_.Int(0);
    site.pid = Narrow(by_id_.Int(1));
    site.tid = Narrow(by_id_.Int(2));
    site.name = by_id_.Int(3);
    site.has_result = !by_id_.IsNull(4);
    site.result = by_id_.Int(4);
    site.has_stream = !by_id_.IsNull(5);
    site.stream = by_id_.Unsigned(5);
    RTL_TRY(by_id_.Rewind());
  }
  *out = known_.Add(id, site);
  return Status::Ok();
}

}  // namespace rtl::query
