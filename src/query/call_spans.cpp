// SPDX-License-Identifier: MIT
// Calls in few columns: the width of a row dominates the cost of sorting ten million calls.
#include "query/trace_reader.h"

namespace rtl::query {
namespace {

constexpr char kSelectSite[] =
    "SELECT process_id, pid, tid, apiName_id, result FROM rtl_call_site WHERE id = ?1";
constexpr char kSelectWideSpans[] =
    "SELECT process_id, pid, tid, apiName_id, start, \"end\", result FROM rocpd_api";
constexpr char kWideByStart[] = " ORDER BY start, \"end\" DESC, id";

}  // namespace

Status TraceReader::CallSpansByStart(CallSpanCursor* out) {
  if (!narrow_calls_) return OpenWideCallSpans(kWideByStart, out);
  CallRows rows;
  RTL_TRY(OpenCallRows(out, &rows));
  out->is_sorted_ = true;
  return out->sorted_.Open(std::move(rows));
}

Status TraceReader::CallSpans(CallSpanCursor* out) {
  return narrow_calls_ ? OpenCallRows(out, &out->rows_) : OpenWideCallSpans("", out);
}

Status TraceReader::OpenWideCallSpans(const char* order, CallSpanCursor* out) {
  out->selection_ = selection_;
  const std::string sql = std::string(kSelectWideSpans) + order;
  return out->statement_.Prepare(db_, path_, sql.c_str());
}

Status TraceReader::OpenCallRows(CallSpanCursor* out, CallRows* rows) {
  out->selection_ = selection_;
  out->has_sites_ = true;
  RTL_TRY(out->site_by_id_.Prepare(db_, path_, kSelectSite));
  return rows->Open(tables_);
}

Status CallSpanCursor::FindSite(int64_t id, const Site** out) {
  if (last_ != nullptr && id == last_id_) {
    *out = last_;
    return Status::Ok();
  }
  auto known = sites_.find(id);
  if (known == sites_.end()) {
    if (sites_.size() >= kMostSites) sites_.clear();
    RTL_TRY(site_by_id_.Bind(1, id));
    bool has_row = false;
    RTL_TRY(site_by_id_.Step(&has_row));
    Site site;  // all zeros when there is none
    if (has_row) {
      site = {site_by_id_.Int(0), static_cast<uint32_t>(site_by_id_.Int(1)),
              static_cast<uint32_t>(site_by_id_.Int(2)), site_by_id_.Int(3),
              !site_by_id_.IsNull(4) && site_by_id_.Int(4) != 0};
      RTL_TRY(site_by_id_.Rewind());
    }
    known = sites_.emplace(id, site).first;
  }
  last_id_ = id;
  *out = last_ = &known->second;
  return Status::Ok();
}

Status CallSpanCursor::NextRow(CallSpan* row, bool* has_row) {
  if (!has_sites_) return NextWideRow(row, has_row);
  CallRow call;
  RTL_TRY(is_sorted_ ? sorted_.Next(&call, has_row) : rows_.Next(&call, has_row));
  if (!*has_row) return Status::Ok();
  const Site* site = nullptr;
  RTL_TRY(FindSite(call.site, &site));
  *row = {site->process, site->pid,    site->tid,
          site->name,    call.start(), call.start() + call.duration(),
          site->failed};
  return Status::Ok();
}

Status CallSpanCursor::NextWideRow(CallSpan* row, bool* has_row) {
  RTL_TRY(statement_.Step(has_row));
  if (!*has_row) return Status::Ok();
  const Statement& s = statement_;
  *row = {s.Int(0),
          static_cast<uint32_t>(s.Int(1)),
          static_cast<uint32_t>(s.Int(2)),
          s.Int(3),
          s.Unsigned(4),
          s.Unsigned(5),
          !s.IsNull(6) && s.Int(6) != 0};
  return Status::Ok();
}

}  // namespace rtl::query
