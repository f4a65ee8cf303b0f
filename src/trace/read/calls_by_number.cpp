// SPDX-License-Identifier: MIT
#include "trace/read/calls_by_number.h"

#include <vector>

namespace rtl::query {

Status CallsByNumber::Last(uint64_t* out) const {
  return database_.Number("SELECT max(id) FROM rocpd_api", out);
}

Status CallsByNumber::LastCorrelation(uint64_t* out) const {
  return database_.Number("SELECT coalesce(max(correlation_id), 0) FROM rocpd_api", out);
}

Status CallsByNumber::StreamOf(int64_t process, uint64_t correlation, StreamUse* out, bool* found) {
  if (!stream_by_id_.is_prepared()) {
    RTL_TRY(database_.Prepare(
        "SELECT stream, start FROM rocpd_api WHERE id = ?1 AND stream IS NOT NULL",
        &stream_by_id_));
  }
  // As described in docs/formats/database.md#what-happened. An id that wraps around finds no call.
  const uint64_t id = correlation + (static_cast<uint64_t>(process - 1) << 40);
  RTL_TRY(stream_by_id_.Bind(1, static_cast<int64_t>(id)));
  RTL_TRY(stream_by_id_.Step(found));
  if (!*found) return Status::Ok();
  out->handle = stream_by_id_.Unsigned(0);
  out->time = stream_by_id_.Unsigned(1);
  return stream_by_id_.Rewind();
}

// Foreign traces may have ids that are far apart. The number of calls cannot exceed the bytes of
// the file, so each id beyond that number has an entry of its own.
Status CallsByNumber::Works(WorkOfCalls* out) const {
  uint64_t room = 0;
  RTL_TRY(database_.Number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
                           &room));
  return database_.ReadRows("SELECT api_id FROM rocpd_api_ops", [&](const Statement& rows) {
    const int64_t api = rows.Int(0);
    if (api < 0) return;
    std::vector<uint8_t>& few = out->few[api / WorkOfCalls::kIdsOfAProcess];
    const auto place = static_cast<size_t>(api % WorkOfCalls::kIdsOfAProcess);
    if (place >= few.size()) {
      const size_t more = place + 1 - few.size();
      if (more > room) {
        ++out->many[api];
        return;
      }
      room -= more;
      few.resize(place + 1);
    }
    if (few[place] < WorkOfCalls::kMany - 1) {
      ++few[place];
      return;
    }
    uint32_t& many = out->many[api];
    many = few[place] < WorkOfCalls::kMany ? WorkOfCalls::kMany : many + 1;
    few[place] = WorkOfCalls::kMany;
  });
}

}  // namespace rtl::query
