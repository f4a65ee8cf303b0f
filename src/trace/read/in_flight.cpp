// SPDX-License-Identifier: MIT
// Reads the kernels that were in flight at the end of processes, and the roctx ranges in which they
// were submitted.
#include <algorithm>
#include <cstdio>
#include <map>

#include "trace/read/trace_reader.h"

namespace rtl::query {
namespace {

constexpr char kSelectInFlight[] =
    "SELECT f.process_id, f.pid, f.tid, f.gpu, f.queue, f.packet, f.barrier, f.waits, k.string,"
    " f.submitted, f.looked, f.until, f.gridX, f.gridY, f.gridZ, f.workgroupX, f.workgroupY,"
    " f.workgroupZ, n.string, s.stream, %s"
    " FROM rtl_in_flight f LEFT JOIN rocpd_string k ON k.id = f.name_id"
    " LEFT JOIN rocpd_api a ON a.id = f.api_id LEFT JOIN rocpd_string n ON n.id = a.apiName_id"
    " LEFT JOIN api_stream s ON s.api_id = a.id"
    " ORDER BY f.process_id, f.queue, f.packet";

InFlightRow RowOf(const Statement& rows) {
  InFlightRow row;
  row.process = rows.Int(0);
  row.pid = static_cast<uint32_t>(rows.Int(1));
  row.tid = static_cast<uint32_t>(rows.Int(2));
  row.gpu = static_cast<int32_t>(rows.Int(3));
  row.queue = static_cast<uint32_t>(rows.Int(4));
  row.packet = rows.Unsigned(5);
  row.is_barrier = rows.Int(6) != 0;
  const int64_t state = rows.Int(7);  // in traces of earlier versions only 0 or 1
  const bool known = state == 0 || state == 1;
  row.state = known ? static_cast<InFlightRow::State>(state) : InFlightRow::State::kUnknown;
  row.name = std::string(rows.Text(8));
  row.submitted = rows.Unsigned(9);
  row.looked = rows.Unsigned(10);
  row.until = rows.Unsigned(11);
  for (int axis = 0; axis < 3; ++axis) {
    row.grid[axis] = static_cast<uint32_t>(rows.Int(12 + axis));
    row.workgroup[axis] = static_cast<uint32_t>(rows.Int(15 + axis));
  }
  row.call = std::string(rows.Text(18));
  if (!rows.IsNull(19)) row.stream = rows.Int(19);
  row.behind = std::string(rows.Text(20));
  return row;
}

// The rows of one thread, and the thread's open ranges while the markers are read.
struct Thread {
  std::vector<InFlightRow*> rows;  // in the order of submission
  size_t next = 0;
  struct Range {
    int64_t name;
    uint64_t end;
  };
  std::vector<Range> open;
};

// Adds to each row the ranges around its submission. Push and pop nest on their thread.
Status AddRanges(TraceReader& trace, std::vector<InFlightRow>* rows) {
  std::map<std::pair<int64_t, uint32_t>, Thread> threads;
  for (InFlightRow& row : *rows) threads[{row.process, row.tid}].rows.push_back(&row);
  for (auto& [id, thread] : threads) {
    std::stable_sort(
        thread.rows.begin(), thread.rows.end(),
        [](const InFlightRow* a, const InFlightRow* b) { return a->submitted < b->submitted; });
  }
  // Completes the rows that were submitted before `time`.
  const auto settle = [&trace](Thread* thread, uint64_t time) {
    for (; thread->next < thread->rows.size(); ++thread->next) {
      InFlightRow& row = *thread->rows[thread->next];
      if (row.submitted >= time) break;
      while (!thread->open.empty() && thread->open.back().end < row.submitted) {
        thread->open.pop_back();
      }
      if (thread->open.empty()) continue;
      std::string_view text;
      RTL_TRY(trace.Text(thread->open.back().name, &text));
      row.range = std::string(text);
    }
    return Status::Ok();
  };
  MarkerCursor markers;
  RTL_TRY(trace.MarkersByStart(&markers));
  const auto take = [&](const MarkerRow& marker) {
    if (marker.is_mark || marker.is_start_stop) return Status::Ok();
    const auto found = threads.find({marker.process, marker.tid});
    if (found == threads.end()) return Status::Ok();
    Thread& thread = found->second;
    RTL_TRY(settle(&thread, marker.start));
    while (!thread.open.empty() && thread.open.back().end <= marker.start) thread.open.pop_back();
    thread.open.push_back({marker.name, marker.end});
    return Status::Ok();
  };
  RTL_TRY(markers.Each(take));
  for (auto& [id, thread] : threads) RTL_TRY(settle(&thread, UINT64_MAX));
  return Status::Ok();
}

}  // namespace

Status TraceReader::InFlight(std::vector<InFlightRow>* out) {
  bool has_table = false;
  RTL_TRY(database_.HasTable("rtl_in_flight", &has_table));
  if (!has_table) return Status::Ok();
  bool has_behind = false;  // traces of earlier versions lack the column
  RTL_TRY(database_.HasColumn("rtl_in_flight", "behind", &has_behind));
  char select[sizeof kSelectInFlight + sizeof "f.behind"];
  snprintf(select, sizeof select, kSelectInFlight, has_behind ? "f.behind" : "''");
  RTL_TRY(database_.ReadRows(select, [&](const Statement& row) { out->push_back(RowOf(row)); }));
  return out->empty() ? Status::Ok() : AddRanges(*this, out);
}

}  // namespace rtl::query
