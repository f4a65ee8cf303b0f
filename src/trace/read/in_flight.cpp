// SPDX-License-Identifier: MIT
// The kernels in flight at the end of processes, and the roctx ranges of their submission.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "trace/read/trace_reader.h"

namespace rtl::query {
namespace {

constexpr char kSelectTable[] =
    "SELECT count(*) FROM sqlite_master WHERE type IN ('table', 'view') AND name = ?1";
constexpr char kSelectFaults[] =
    "SELECT process_id, pid, coalesce(gpu, -1), time, address, reason FROM rtl_fault ORDER BY id";
// In the order of time. HSA's functions and HIP's report the same memory; duplicates do no harm.
constexpr char kSelectAllocations[] =
    "SELECT m.name = 'free', m.address, m.bytes, NULL, m.end FROM memory_allocation m"
    " WHERE m.process_id = ?1 AND m.end <= ?2 AND m.address IS NOT NULL"
    " UNION ALL "
    "SELECT n.string LIKE 'hip%Free%', NULL, NULL, a.string, c.end FROM rocpd_api c"
    " JOIN rocpd_string n ON n.id = c.apiName_id JOIN rocpd_string a ON a.id = c.args_id"
    " WHERE c.process_id = ?1 AND c.end <= ?2 AND coalesce(c.result, 0) = 0"
    " AND (n.string IN ('hipMalloc', 'hipMallocManaged', 'hipMallocAsync', 'hipExtMallocWithFlags',"
    "                   'hipHostMalloc', 'hipMallocHost', 'hipHostAlloc')"
    "      OR n.string IN ('hipFree', 'hipFreeAsync', 'hipHostFree', 'hipFreeHost'))"
    " ORDER BY 5";
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
  const int64_t state = rows.Int(7);  // earlier versions: 0 or 1
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

// The rows of one thread, and its open ranges while the markers are read.
struct Thread {
  std::vector<InFlightRow*> rows;  // by submission
  size_t next = 0;
  struct Range {
    int64_t name;
    uint64_t end;
  };
  std::vector<Range> open;
};

struct Allocation {
  uint64_t bytes = 0;
  bool freed = false;
};

// The number after `name` in "ptr=0x7ffe -> 0x7f4c60d00000, size=4096"; for a pointer to an output,
// the output's value. 0: none.
uint64_t Argument(std::string_view arguments, std::string_view name) {
  size_t at = arguments.find(name);
  if (at == std::string_view::npos) return 0;
  at += name.size();
  std::string_view value = arguments.substr(at, arguments.find(',', at) - at);
  constexpr std::string_view kWrote = " -> ";
  if (const size_t wrote = value.find(kWrote); wrote != std::string_view::npos) {
    value.remove_prefix(wrote + kWrote.size());
  }
  return std::strtoull(std::string(value).c_str(), nullptr, 0);
}

void ParseAllocation(std::string_view arguments, uint64_t* address, uint64_t* bytes) {
  *address = 0;
  for (const std::string_view name : {"ptr=", "dev_ptr=", "devPtr="}) {
    if (*address == 0) *address = Argument(arguments, name);
  }
  *bytes = 0;
  for (const std::string_view name : {"size=", "sizeBytes="}) {
    if (*bytes == 0) *bytes = Argument(arguments, name);
  }
}

}  // namespace

Status TraceReader::HasTable(std::string_view name, bool* out) {
  Statement table;
  RTL_TRY(table.Prepare(db_, path_, kSelectTable));
  RTL_TRY(table.Bind(1, name));
  bool has_row = false;
  RTL_TRY(table.Step(&has_row));
  *out = has_row && table.Int(0) != 0;
  return Status::Ok();
}

Status TraceReader::HasColumn(std::string_view table, std::string_view name, bool* out) {
  Statement column;
  RTL_TRY(column.Prepare(db_, path_, "SELECT count(*) FROM pragma_table_info(?1) WHERE name = ?2"));
  RTL_TRY(column.Bind(1, table));
  RTL_TRY(column.Bind(2, name));
  bool has_row = false;
  RTL_TRY(column.Step(&has_row));
  *out = has_row && column.Int(0) != 0;
  return Status::Ok();
}

Status TraceReader::Faults(std::vector<FaultRow>* out) {
  bool has_row = false;
  RTL_TRY(HasTable("rtl_fault", &has_row));
  if (!has_row) return Status::Ok();
  Statement rows;
  RTL_TRY(rows.Prepare(db_, path_, kSelectFaults));
  for (;;) {
    RTL_TRY(rows.Step(&has_row));
    if (!has_row) return Status::Ok();
    FaultRow fault;
    fault.process = rows.Int(0);
    fault.pid = static_cast<uint32_t>(rows.Int(1));
    fault.gpu = static_cast<int32_t>(rows.Int(2));
    fault.time = rows.Unsigned(3);
    fault.address = rows.Unsigned(4);
    fault.reason = static_cast<uint32_t>(rows.Int(5));
    if (has_spans_) RTL_TRY(NearestAllocation(&fault));
    out->push_back(fault);
  }
}

Status TraceReader::NearestAllocation(FaultRow* fault) {
  Statement rows;
  RTL_TRY(rows.Prepare(db_, path_, kSelectAllocations));
  RTL_TRY(rows.Bind(1, fault->process));
  RTL_TRY(rows.Bind(2, static_cast<int64_t>(fault->time)));
  std::map<uint64_t, Allocation> allocations;  // by address: the latest there
  for (bool has_row = false;;) {
    RTL_TRY(rows.Step(&has_row));
    if (!has_row) break;
    uint64_t address = rows.Unsigned(1);
    uint64_t bytes = rows.Unsigned(2);
    if (!rows.Text(3).empty()) ParseAllocation(rows.Text(3), &address, &bytes);
    if (address == 0) continue;
    const bool freed = rows.Int(0) != 0;
    if (freed) {
      const auto found = allocations.find(address);
      if (found != allocations.end()) found->second.freed = true;
    } else if (bytes != 0) {
      allocations.insert_or_assign(address, Allocation{bytes, false});
    }
  }
  uint64_t least = UINT64_MAX;
  for (const auto& [address, allocation] : allocations) {
    const uint64_t end = address + allocation.bytes;
    const uint64_t distance = fault->address < address ? address - fault->address
                              : fault->address < end   ? 0
                                                       : fault->address - end + 1;
    if (distance >= least) continue;
    least = distance;
    fault->near = address;
    fault->near_bytes = allocation.bytes;
    fault->near_freed = allocation.freed;
  }
  return Status::Ok();
}

Status TraceReader::InFlight(std::vector<InFlightRow>* out) {
  bool has_row = false;
  RTL_TRY(HasTable("rtl_in_flight", &has_row));
  if (!has_row) return Status::Ok();
  bool has_behind = false;  // earlier versions lack the column
  RTL_TRY(HasColumn("rtl_in_flight", "behind", &has_behind));
  char select[sizeof kSelectInFlight + sizeof "f.behind"];
  snprintf(select, sizeof select, kSelectInFlight, has_behind ? "f.behind" : "''");
  Statement rows;
  RTL_TRY(rows.Prepare(db_, path_, select));
  for (;;) {
    RTL_TRY(rows.Step(&has_row));
    if (!has_row) break;
    out->push_back(RowOf(rows));
  }
  return out->empty() ? Status::Ok() : AddRanges(out);
}

// Push/pop ranges nest on their thread.
Status TraceReader::AddRanges(std::vector<InFlightRow>* rows) {
  std::map<std::pair<int64_t, uint32_t>, Thread> threads;
  for (InFlightRow& row : *rows) threads[{row.process, row.tid}].rows.push_back(&row);
  for (auto& [id, thread] : threads) {
    std::stable_sort(
        thread.rows.begin(), thread.rows.end(),
        [](const InFlightRow* a, const InFlightRow* b) { return a->submitted < b->submitted; });
  }
  // Settles the rows submitted before `time`.
  const auto settle = [this](Thread* thread, uint64_t time) {
    for (; thread->next < thread->rows.size(); ++thread->next) {
      InFlightRow& row = *thread->rows[thread->next];
      if (row.submitted >= time) break;
      while (!thread->open.empty() && thread->open.back().end < row.submitted) {
        thread->open.pop_back();
      }
      if (thread->open.empty()) continue;
      std::string_view text;
      RTL_TRY(Text(thread->open.back().name, &text));
      row.range = std::string(text);
    }
    return Status::Ok();
  };
  MarkerCursor markers;
  RTL_TRY(MarkersByStart(&markers));
  for (;;) {
    MarkerRow marker;
    bool has_row = false;
    RTL_TRY(markers.Next(&marker, &has_row));
    if (!has_row) break;
    if (marker.is_mark || marker.is_start_stop) continue;
    const auto found = threads.find({marker.process, marker.tid});
    if (found == threads.end()) continue;
    Thread& thread = found->second;
    RTL_TRY(settle(&thread, marker.start));
    while (!thread.open.empty() && thread.open.back().end <= marker.start) thread.open.pop_back();
    thread.open.push_back({marker.name, marker.end});
  }
  for (auto& [id, thread] : threads) RTL_TRY(settle(&thread, UINT64_MAX));
  return Status::Ok();
}

}  // namespace rtl::query
