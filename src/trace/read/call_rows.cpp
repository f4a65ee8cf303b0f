// SPDX-License-Identifier: MIT
#include "trace/read/call_rows.h"

namespace rtl::query {
namespace {

const char* const kCallColumns[] = {"site", "start", "duration", "args_id"};
enum CallColumn { kSite, kCallStart, kCallDuration, kArguments };
// The row id of a copy is that of its call.
const char* const kCopyColumns[] = {"size", "kind"};
enum CopyColumn { kCopySize, kCopyKind };

}  // namespace

Status CallRows::Open(const TableFile& file, CallCopies copies) {
  with_copies_ = copies == CallCopies::kRead;
  if (with_copies_) RTL_TRY(copies_.Open(file, "rocpd_copyapi", kCopyColumns));
  RTL_TRY(rows_.Open(file, "rtl_call", kCallColumns));
  Rewind();
  return Status::Ok();
}

void CallRows::Rewind() {
  rows_.Rewind();
  if (with_copies_) copies_.Rewind();
  is_at_start_ = true;
}

Status CallRows::Next(CallRow* row, bool* has_row) {
  RTL_TRY(rows_.Next(has_row));
  if (!*has_row) return Status::Ok();
  row->key = {.time = rows_.Int(kCallStart), .then = ~rows_.Int(kCallDuration), .id = rows_.id()};
  row->site = rows_.Int(kSite);
  row->arguments = rows_.Int(kArguments);
  row->copied = 0;
  row->copy_kind = -1;
  return with_copies_ ? FindCopy(row) : Status::Ok();
}

Status CallRows::FindCopy(CallRow* row) {
  if (is_at_start_) RTL_TRY(copies_.Next(&has_copy_));
  is_at_start_ = false;
  while (has_copy_ && copies_.id() < row->key.id) RTL_TRY(copies_.Next(&has_copy_));
  if (!has_copy_ || copies_.id() != row->key.id) return Status::Ok();
  row->copied = copies_.Unsigned(kCopySize);
  if (!copies_.IsNull(kCopyKind)) row->copy_kind = static_cast<int32_t>(copies_.Int(kCopyKind));
  return Status::Ok();
}

}  // namespace rtl::query
