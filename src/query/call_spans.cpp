// SPDX-License-Identifier: MIT
// Calls in few columns: the width of a row dominates the cost of sorting ten million calls.
#include "query/trace_reader.h"

namespace rtl::query {
namespace {

constexpr char kSelectNarrowSpans[] = "SELECT site, start, duration FROM rtl_call";
constexpr char kNarrowByStart[] = " ORDER BY start, duration DESC, id";
constexpr char kSelectSite[] =
    "SELECT process_id, pid, tid, apiName_id, result FROM rtl_call_site WHERE id = ?1";
constexpr char kSelectWideSpans[] =
    "SELECT process_id, pid, tid, apiName_id, start, \"end\", result FROM rocpd_api";
constexpr char kWideByStart[] = " ORDER BY start, \"end\" DESC, id";

}  // namespace

Status TraceReader::CallSpansByStart(CallSpanCursor* out) {
  return OpenCallSpans(narrow_calls_ ? kNarrowByStart : kWideByStart, out);
}

Status TraceReader::CallSpans(CallSpanCursor* out) { return OpenCallSpans("", out); }

Status TraceReader::OpenCallSpans(const char* order, CallSpanCursor* out) {
  out->selection_ = selection_;
  out->has_sites_ = narrow_calls_;
  if (narrow_calls_) RTL_TRY(out->site_by_id_.Prepare(db_, path_, kSelectSite));
  const std::string sql =
      std::string(narrow_calls_ ? kSelectNarrowSpans : kSelectWideSpans) + order;
  return out->statement_.Prepare(db_, path_, sql.c_str());
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
  RTL_TRY(statement_.Step(has_row));
  if (!*has_row) return Status::Ok();
  const Statement& s = statement_;
  if (!has_sites_) {
    *row = {s.Int(0),
            static_cast<uint32_t>(s.Int(1)),
            static_cast<uint32_t>(s.Int(2)),
            s.Int(3),
            s.Unsigned(4),
            s.Unsigned(5),
            !s.IsNull(6) && s.Int(6) != 0};
    return Status::Ok();
  }
  const Site* site = nullptr;
  RTL_TRY(FindSite(s.Int(0), &site));
  *row = {site->process, site->pid,     site->tid,
          site->name,    s.Unsigned(1), s.Unsigned(1) + s.Unsigned(2),
          site->failed};
  return Status::Ok();
}

}  // namespace rtl::query
