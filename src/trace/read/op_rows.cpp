// SPDX-License-Identifier: MIT
#include "trace/read/op_rows.h"

namespace rtl::query {
namespace {

const char* const kOpColumns[] = {"launch",   "start",  "duration", "waited",
                                  "sequence", "packet", "link"};
enum OpColumn { kLaunch, kStart, kDuration, kWaited, kSequence, kPacket, kLink };

SortKey KeyOf(OpOrder order, uint64_t start, const TableRows& rows) {
  SortKey key{.time = static_cast<int64_t>(start), .then = 0, .id = rows.id()};
  const int64_t waited = rows.Int(kWaited);
  if (order == OpOrder::kSubmit && waited > 0) {
    key.time = static_cast<int64_t>(start - static_cast<uint64_t>(waited));
  }
  if (order == OpOrder::kStartOuterFirst) key.then = ~rows.Int(kDuration);
  return key;
}

}  // namespace

Status OpRows::Open(const TableFile& file, LaunchTable* launches, int64_t type, OpOrder order) {
  launches_ = launches;
  type_ = type;
  order_ = order;
  return rows_.Open(file, "rtl_op", kOpColumns);
}

Status OpRows::Next(OpRow* row, bool* has_row) {
  const Launch* launch = nullptr;
  for (;;) {
    RTL_TRY(rows_.Next(has_row));
    if (!*has_row) return Status::Ok();
    RTL_TRY(launches_->Find(rows_.Int(kLaunch), &launch));
    if (launch->type == type_) break;
  }
  row->launch = rows_.Int(kLaunch);
  row->start = launch->origin + rows_.Unsigned(kStart);
  row->duration = rows_.Unsigned(kDuration);
  row->submit = rows_.IsNull(kWaited) ? 0 : row->start - rows_.Unsigned(kWaited);
  row->sequence = rows_.Unsigned(kSequence);
  row->packet = rows_.Unsigned(kPacket);
  row->link = rows_.Unsigned(kLink);
  row->key = KeyOf(order_, row->start, rows_);
  return Status::Ok();
}

}  // namespace rtl::query
