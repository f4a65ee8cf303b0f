// SPDX-License-Identifier: MIT
#include "query/call_rows.h"

namespace rtl::query {
namespace {

const char* const kCallColumns[] = {"site", "start", "duration"};
enum CallColumn { kSite, kCallStart, kCallDuration };

}  // namespace

Status CallRows::Open(const TableFile& file) { return rows_.Open(file, "rtl_call", kCallColumns); }

Status CallRows::Next(CallRow* row, bool* has_row) {
  RTL_TRY(rows_.Next(has_row));
  if (!*has_row) return Status::Ok();
  row->key = {.time = rows_.Int(kCallStart), .then = ~rows_.Int(kCallDuration), .id = rows_.id()};
  row->site = rows_.Int(kSite);
  return Status::Ok();
}

}  // namespace rtl::query
