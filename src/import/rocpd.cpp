// SPDX-License-Identifier: MIT
// A database of rocpd has a set of tables for each run. The run's id ends their names:
// rocpd_region_<id>. A call and the work that it submitted have the same rocpd_event.stack_id. In
// schema 3 the row of an event has its process, thread, agent, queue and times. In schema 4 it
// refers to a row of rocpd_track and to two of rocpd_timestamp instead.
#include <algorithm>
#include <iterator>
#include <map>

#include "import/readers.h"
#include "import/rocprofv3_records.h"

namespace rtl::import {
namespace {

using query::Statement;

constexpr std::string_view kProcessTable = "rocpd_info_process";
constexpr std::string_view kSampleTable = "rocpd_sample";

// Reads the tables of one run.
class Rocpd {
 public:
  Rocpd(ForeignDatabase* database, std::string run, const ImportedProcess& known,
        ImportedTrace* trace)
      : database_(*database), run_(std::move(run)), known_(known), trace_(*trace) {}

  Status Run() {
    RTL_TRY(ReadProcesses());
    RTL_TRY(ReadAgents());
    RTL_TRY(ReadThreads());
    RTL_TRY(ReadRegions());
    RTL_TRY(ReadKernels());
    RTL_TRY(ReadCopies());
    RTL_TRY(ReadAllocations());
    RTL_TRY(LeaveRest());
    for (const auto& [id, process] : processes_) RTL_TRY(trace_.EndProcess(process));
    return Status::Ok();
  }

 private:
  std::string Table(std::string_view name) const { return std::string(name) + run_; }
  std::string Quoted(std::string_view name) const { return QuotedName(Table(name)); }

  // SQL for the process, agent, queue and times of a table's events: columns of the table, or
  // joined tables of schema 4.
  struct Place {
    std::string joins, pid, tid, agent, queue, start, end;
  };
  Place PlaceOf(std::string_view table, const std::string& alias, bool is_instant = false) {
    const char* const starts = is_instant ? "timestamp" : "start";
    const char* const ends = is_instant ? "timestamp" : "end";
    Place place;
    std::string owner = alias;
    if (database_.HasColumn(Table(table), "track_id")) {
      owner = "k";
      place.joins = Join("rocpd_track", "k", alias + ".track_id");
    }
    place.pid = owner + ".pid";
    place.tid = owner + ".tid";
    place.agent = owner + ".agent_id";
    place.queue = owner + ".queue_id";
    const auto time = [&](const char* column, const char* joined) {
      const std::string id = std::string(column) + "_id";
      if (!database_.HasColumn(Table(table), id)) return alias + "." + QuotedName(column);
      place.joins += Join("rocpd_timestamp", joined, alias + "." + id);
      return std::string(joined) + ".value";
    };
    place.start = time(starts, "began");
    place.end = is_instant ? place.start : time(ends, "ended");
    return place;
  }

  // SQL for the events of a table: process, thread, start, end, stack_id, then `columns`. `joins`:
  // further tables.
  std::string Select(std::string_view table, const std::string& alias, const Place& place,
                     const std::string& columns, const std::string& joins = "") {
    return "SELECT " + place.pid + ", t.tid, " + place.start + ", " + place.end + ", e.stack_id, " +
           columns + " FROM " + Quoted(table) + " " + alias + place.joins +
           Join("rocpd_info_thread", "t", place.tid) +
           Join("rocpd_event", "e", alias + ".event_id") + joins;
  }
  std::string Join(std::string_view table, const std::string& alias, const std::string& id) const {
    return " LEFT JOIN " + Quoted(table) + " " + alias + " ON " + alias + ".id = " + id;
  }

  std::string Column(const char* alias, const char* table, const char* column) {
    return database_.Column(alias, Table(table), column);
  }

  // The process may be one that the file does not describe.
  void Choose(int64_t id) {
    const auto known = processes_.find(id);
    if (known != processes_.end()) return trace_.Choose(known->second);
    ImportedProcess facts = known_;
    facts.pid = static_cast<uint32_t>(id);
    processes_.emplace(id, trace_.BeginProcess(facts));
  }

  Status ReadProcesses() {
    return database_.Each("SELECT p.id, p.pid, p.command, n.hostname FROM " +
                              Quoted(kProcessTable) + " p" + Join("rocpd_info_node", "n", "p.nid"),
                          [&](const Statement& row) {
                            ImportedProcess facts = known_;
                            facts.pid = query::Narrow(row.Int(1));
                            facts.command = row.Text(2);
                            facts.host = row.Text(3);
                            processes_.emplace(row.Int(0), trace_.BeginProcess(facts));
                            return Status::Ok();
                          });
  }

  Status ReadAgents() {
    return database_.Each("SELECT a.id, a.pid, a.type, a.type_index, a.name, " +
                              Column("a", "rocpd_info_agent", "product_name") + " FROM " +
                              Quoted("rocpd_info_agent") + " a ORDER BY a.id",
                          [&](const Statement& row) {
                            if (row.Text(2) != "GPU") return Status::Ok();
                            const uint64_t device = row.IsNull(3)
                                                        ? static_cast<uint64_t>(devices_.size())
                                                        : row.Unsigned(3);
                            devices_[row.Int(0)] = device;
                            Choose(row.Int(1));
                            ImportedDevice about;
                            about.name = row.Text(4);
                            about.product = row.Text(5);
                            trace_.NameDevice(device, std::move(about));
                            return Status::Ok();
                          });
  }

  Status ReadThreads() {
    return database_.Each("SELECT pid, tid, name FROM " + Quoted("rocpd_info_thread") +
                              " WHERE coalesce(name, '') != '' AND tid IS NOT NULL ORDER BY id",
                          [&](const Statement& row) {
                            Choose(row.Int(0));
                            trace_.NameThread(row.Text(1), row.Text(2));
                            return Status::Ok();
                          });
  }

  uint64_t Device(const Statement& row, int column) const {
    const auto known = row.IsNull(column) ? devices_.end() : devices_.find(row.Int(column));
    return known == devices_.end() ? kNoDevice : known->second;
  }

  // Regions and arguments both come in the order of their events, so the arguments of a region
  // follow each other.
  Status ReadRegions() {
    Statement arguments;
    bool has_argument = false;
    const bool has_arguments = database_.HasTable(Table("rocpd_arg"));
    if (has_arguments) {
      RTL_TRY(database_.Prepare("SELECT event_id, name, value FROM " + Quoted("rocpd_arg") +
                                    " ORDER BY event_id, position",
                                &arguments));
      RTL_TRY(arguments.Step(&has_argument));
    }
    std::string text;
    const auto read = [&](std::string_view table, const Place& place, const std::string& name) {
      const std::string columns = "n.string, c.string, " + Column("e", "rocpd_event", "extdata");
      return database_.Each(Select(table, "r", place, columns + ", r.event_id",
                                   Join("rocpd_string", "n", name + ".name_id") +
                                       Join("rocpd_string", "c", "e.category_id")) +
                                " ORDER BY r.event_id",
                            [&](const Statement& row) {
                              text.clear();
                              const int64_t event = row.IsNull(8) ? -1 : row.Int(8);
                              while (has_argument && arguments.Int(0) <= event) {
                                if (arguments.Int(0) == event) {
                                  if (!text.empty()) text += ", ";
                                  text += arguments.Text(1);
                                  text += '=';
                                  text += arguments.Text(2);
                                }
                                RTL_TRY(arguments.Step(&has_argument));
                              }
                              const bool is_marker = row.Text(6).starts_with("MARKER");
                              if (table == kSampleTable && !is_marker) return TakeSample(row);
                              return TakeRegion(row, text);
                            });
    };
    RTL_TRY(read("rocpd_region", PlaceOf("rocpd_region", "r"), "r"));
    if (!database_.HasTable(Table(kSampleTable))) return Status::Ok();
    if (has_arguments) {
      RTL_TRY(arguments.Rewind());
      RTL_TRY(arguments.Step(&has_argument));
    }
    return read(kSampleTable, PlaceOf(kSampleTable, "r", true), "k");
  }

  // A sample is a value that was read at one moment, of a hardware counter or of the system.
  Status TakeSample(const Statement& row) {
    Choose(row.Int(0));
    return trace_.Skip("a sample of the track " + query::Copy(row.Text(5)));
  }

  Status TakeRegion(const Statement& row, std::string_view arguments) {
    Choose(row.Int(0));
    const std::string thread(row.Text(1));
    const std::string message = MessageOf(row.Text(7));
    Rocprofv3Call call;
    call.domain = row.Text(6);
    call.name = row.Text(5);
    call.message = message;
    call.arguments = arguments;
    call.thread = thread;
    call.correlation = row.Unsigned(4);
    call.start = row.Int(2);
    call.end = row.Int(3);
    return AddCall(call, &trace_);
  }

  // The message in {"message": "…"}, the JSON that rocprofv3 writes for a marker.
  static std::string MessageOf(std::string_view json) {
    constexpr std::string_view kKey = "\"message\"";
    size_t at = json.find(kKey);
    if (at == std::string_view::npos) return "";
    at = json.find('"', at + kKey.size());
    std::string text;
    for (++at; at < json.size() && json[at] != '"'; ++at) {
      if (json[at] == '\\' && at + 1 < json.size()) {
        ++at;
        text += json[at] == 'n' ? '\n' : json[at] == 't' ? '\t' : json[at];
      } else {
        text += json[at];
      }
    }
    return text;
  }

  Status ReadKernels() {
    const Place place = PlaceOf("rocpd_kernel_dispatch", "d");
    const auto symbol = [&](const char* column) {
      return Column("s", "rocpd_info_kernel_symbol", column);
    };
    return database_.Each(
        Select("rocpd_kernel_dispatch", "d", place,
               "s.kernel_name, s.display_name, " + place.agent + ", " + place.queue +
                   ", d.grid_size_x, d.grid_size_y, d.grid_size_z, d.workgroup_size_x,"
                   " d.workgroup_size_y, d.workgroup_size_z, d.group_segment_size,"
                   " d.private_segment_size, " +
                   symbol("arch_vgpr_count") + ", " + symbol("sgpr_count"),
               Join("rocpd_info_kernel_symbol", "s", "d.kernel_id")),
        [&](const Statement& row) {
          Choose(row.Int(0));
          ImportedKernel kernel;
          kernel.device = Device(row, 7);
          if (kernel.device == kNoDevice) {
            return trace_.Skip("a kernel on an agent that the file does not describe");
          }
          kernel.name = WithoutKd(row.Text(5));
          if (kernel.name.empty()) kernel.name = row.Text(6);
          if (kernel.name.empty()) kernel.name = "(unknown kernel)";
          kernel.thread = query::Narrow(row.Int(1));
          kernel.stream = row.Unsigned(8);
          kernel.correlation = row.Unsigned(4);
          kernel.start = row.Int(2);
          kernel.end = row.Int(3);
          for (int i = 0; i < 3; ++i) {
            kernel.grid[i] = query::Narrow(row.Int(9 + i));
            kernel.workgroup[i] = query::Narrow(row.Int(12 + i));
          }
          kernel.group_segment = query::Narrow(row.Int(15));
          kernel.private_segment = query::Narrow(row.Int(16));
          kernel.registers = query::Narrow(row.Int(17));
          kernel.scalar_registers = query::Narrow(row.Int(18));
          return trace_.Add(kernel);
        });
  }

  Status ReadCopies() {
    const Place place = PlaceOf("rocpd_memory_copy", "m");
    return database_.Each(
        Select("rocpd_memory_copy", "m", place, "n.string, m.src_agent_id, m.dst_agent_id, m.size",
               Join("rocpd_string", "n", "m.name_id")),
        [&](const Statement& row) {
          Choose(row.Int(0));
          ImportedCopy copy;
          copy.kind = CopyKindOf(row.Text(5));
          copy.source = Device(row, 6);
          copy.target = Device(row, 7);
          copy.bytes = row.Unsigned(8);
          copy.thread = query::Narrow(row.Int(1));
          copy.correlation = row.Unsigned(4);
          copy.start = row.Int(2);
          copy.end = row.Int(3);
          return trace_.Add(copy);
        });
  }

  Status ReadAllocations() {
    if (!database_.HasTable(Table("rocpd_memory_allocate"))) return Status::Ok();
    const Place place = PlaceOf("rocpd_memory_allocate", "m");
    return database_.Each(
        Select("rocpd_memory_allocate", "m", place, "m.type, m.level, m.size, m.address"),
        [&](const Statement& row) {
          Choose(row.Int(0));
          const std::string thread(row.Text(1));
          const std::string_view level = row.Text(6);
          const std::string operation =
              (level == "VIRTUAL" ? "VMEM_" : "") + query::Copy(row.Text(5));
          return AddAllocation({.operation = operation,
                                .is_scratch = level == "SCRATCH",
                                .thread = thread,
                                .correlation = row.Unsigned(4),
                                .bytes = row.Unsigned(7),
                                .address = row.Unsigned(8),
                                .start = row.Int(2),
                                .end = row.Int(3)},
                               &trace_);
        });
  }

  // Counts the rows of tables that are not imported. They are not assigned to processes.
  Status LeaveRest() {
    constexpr std::string_view kRead[] = {
        "rocpd_metadata",        "rocpd_string",      "rocpd_timestamp",
        "rocpd_track",           "rocpd_event",       "rocpd_arg",
        "rocpd_region",          kSampleTable,        "rocpd_blob_event",
        "rocpd_kernel_dispatch", "rocpd_memory_copy", "rocpd_memory_allocate"};
    if (processes_.empty()) return Status::Ok();
    trace_.Choose(processes_.begin()->second);
    const std::set<std::string> tables = database_.tables();
    for (const std::string& table : tables) {
      if (!table.starts_with("rocpd_") || !table.ends_with(run_)) continue;
      const std::string name = table.substr(0, table.size() - run_.size());
      const bool is_read = std::find(std::begin(kRead), std::end(kRead), name) != std::end(kRead);
      if (is_read || name.starts_with("rocpd_info_")) continue;
      uint64_t rows = 0;
      RTL_TRY(database_.Count(table, &rows));
      if (rows == 0) continue;
      trace_.Leave(name == "rocpd_pmc_event"       ? "a value of a hardware counter"
                   : name == "rocpd_gpu_pc_sample" ? "a PC sample"
                                                   : "a row of " + name,
                   rows);
    }
    return Status::Ok();
  }

  ForeignDatabase& database_;
  const std::string run_;  // the ending of the tables' names
  const ImportedProcess& known_;
  ImportedTrace& trace_;
  std::map<int64_t, size_t> processes_;  // process by rocpd_info_process.id
  std::map<int64_t, uint64_t> devices_;  // device by rocpd_info_agent.id
};

}  // namespace

bool IsRocpd(const ForeignDatabase& database) {
  const auto first = database.tables().lower_bound(std::string(kProcessTable));
  return first != database.tables().end() && first->starts_with(kProcessTable);
}

Status ImportRocpd(ForeignDatabase* database, const ImportedProcess& known, ImportedTrace* trace) {
  const std::set<std::string> tables = database->tables();
  for (const std::string& table : tables) {
    if (!table.starts_with(kProcessTable)) continue;
    Rocpd run(database, table.substr(kProcessTable.size()), known, trace);
    RTL_TRY(run.Run());
  }
  return Status::Ok();
}

}  // namespace rtl::import
