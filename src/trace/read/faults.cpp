// SPDX-License-Identifier: MIT
// Reads the memory faults of a trace, and for each fault finds the allocation that is nearest to
// its address.
#include <cstdlib>

#include "trace/read/trace_tables.h"

namespace rtl::query {
namespace {

constexpr char kSelectFaults[] =
    "SELECT process_id, pid, coalesce(gpu, -1), time, address, reason FROM rtl_fault ORDER BY id";
// In the order of time. HSA's functions and HIP's functions may report the same memory, which does
// no harm.
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

struct Allocation {
  uint64_t bytes = 0;
  bool freed = false;
};

// The number after `name` in a text such as "ptr=0x7ffe -> 0x7f4c60d00000, size=4096". For a
// pointer to an output argument, the value of the output. 0 if there is none.
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

// Finds the allocation that contains the address of a fault, or the one nearest to it.
Status FindAllocation(const TraceDatabase& database, FaultRow* fault) {
  Statement rows;
  RTL_TRY(database.Prepare(kSelectAllocations, &rows));
  RTL_TRY(rows.Bind(1, fault->process));
  RTL_TRY(rows.Bind(2, static_cast<int64_t>(fault->time)));
  // indexed by address; the latest allocation at each address
  std::map<uint64_t, Allocation> allocations;
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

}  // namespace

Status TraceTables::Faults(std::vector<FaultRow>* out) const {
  bool has_table = false;
  RTL_TRY(database_.HasTable("rtl_fault", &has_table));
  if (!has_table) return Status::Ok();
  RTL_TRY(database_.ReadRows(kSelectFaults, [&](const Statement& rows) {
    FaultRow& fault = out->emplace_back();
    fault.process = rows.Int(0);
    fault.pid = Narrow(rows.Int(1));
    fault.gpu = static_cast<int32_t>(rows.Int(2));
    fault.time = rows.Unsigned(3);
    fault.address = rows.Unsigned(4);
    fault.reason = Narrow(rows.Int(5));
  }));
  if (!version_.has_spans()) return Status::Ok();
  for (FaultRow& fault : *out) RTL_TRY(FindAllocation(database_, &fault));
  return Status::Ok();
}

}  // namespace rtl::query
