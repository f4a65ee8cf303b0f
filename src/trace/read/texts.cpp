// SPDX-License-Identifier: MIT
#include "trace/read/texts.h"

#include <utility>

namespace rtl::query {

Status Texts::Prepare(const TraceDatabase& database) {
  return database.Prepare("SELECT string FROM rocpd_string WHERE id = ?1", &by_id_);
}

Status Texts::Find(int64_t id, std::string_view* out) {
  const auto known = known_.find(id);
  if (known != known_.end()) {
    *out = known->second;
    return Status::Ok();
  }
  RTL_TRY(by_id_.Bind(1, id));
  bool has_row = false;
  RTL_TRY(by_id_.Step(&has_row));
  std::string text;
  if (has_row) {
    text = Copy(by_id_.Text(0));
    RTL_TRY(by_id_.Rewind());
  }
  if (bytes_ + text.size() > kMostBytes) {
    known_.clear();
    bytes_ = 0;
  }
  bytes_ += text.size() + sizeof(std::string) * 2;
  *out = known_.insert_or_assign(id, std::move(text)).first->second;
  return Status::Ok();
}

}  // namespace rtl::query
