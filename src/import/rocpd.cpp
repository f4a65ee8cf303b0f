// SPDX-License-Identifier: MIT
// A database of rocpd has a set of tables for each run. The run's id ends their names:
// rocpd_region_<id>. A call and the work that it submitted have the same rocpd_event.stack_id. In
// schema 3 the row of an event has its process, thread, agent, queue and times. In schema 4 it
// refers to a row of rocpd_track and to two of rocpd_timestamp instead.
#include "import/rocpd.h"

#include <algorithm>
#include <iterator>
#include <map>

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

  Status Run(ImportReport* report) {
    RTL_TRY(ReadProcesses());
    RTL_TRY(ReadAgents());
    RTL_TRY(ReadThreads());
    RTL_TRY(ReadRegions());
    RTL_TRY(ReadKernels());
    RTL_TRY(ReadCopies());
    RTL_TRY(ReadAllocations());
    RTL_TRY(LeaveRest());
    for (const auto& [id, process] : processes_) {
      trace_.Choose(process);
      RTL_TRY(trace_.EndProcess());
      report->Add(trace_.report());
    }
    return Status::Ok();
  }

 private:
  std::string Table(std::string_view name) const { return std::string(name) + run_; }
  std::string Quoted(std::string_view name) const { return QuotedName(Table(name)); }

  template <typename Take>
  Status Each(const std::string& sql, const Take& take) {
    Statement rows;
    RTL_TRY(database_.Prepare(sql, &rows));
    for (bool more = true;;) {
      RTL_TRY(rows.Step(&more));
      if (!more) return Status::Ok();
      RTL_TRY(take(rows));
    }
  }

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
      place.joins = " LEFT JOIN " + Quoted("rocpd_track") + " k ON k.id = " + alias + ".track_id";
    }
    place.pid = owner + ".pid";
    place.tid = owner + ".tid";
    place.agent = owner + ".agent_id";
    place.queue = owner + ".queue_id";
    const auto time = [&](const char* column, const char* joined) {
      const std::string id = std::string(column) + "_id";
      if (!database_.HasColumn(Table(table), id)) return alias + "." + QuotedName(column);
      place.joins += " LEFT JOIN " + Quoted("rocpd_timestamp") + " " + joined + " ON " + joined +
                     ".id = " + alias + "." + id;
      return std::string(joined) + ".value";
    };
    place.start = time(starts, "began");
    place.end = is_instant ? place.start : time(ends, "ended");
    return place;
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
    return Each("SELECT p.id, p.pid, p.command, n.hostname FROM " + Quoted("rocpd_info_process") +
                    " p LEFT JOIN " + Quoted("rocpd_info_node") + " n ON n.id = p.nid",
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
    return Each("SELECT a.id, a.pid, a.type, a.type_index, a.name, " +
                    Column("a", "rocpd_info_agent", "product_name") + " FROM " +
                    Quoted("rocpd_info_agent") + " a ORDER BY a.id",
                [&](const Statement& row) {
                  if (row.Text(2) != "GPU") return Status::Ok();
                  const uint64_t device =
                      row.IsNull(3) ? static_cast<uint64_t>(devices_.size()) : row.Unsigned(3);
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
    return Each("SELECT pid, tid, name FROM " + Quoted("rocpd_info_thread") +
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
      return Each("SELECT " + place.pid + ", t.tid, " + place.start + ", " + place.end +
                      ", n.string, c.string, e.stack_id, " + Column("e", "rocpd_event", "extdata") +
                      ", r.event_id FROM " + Quoted(table) + " r" + place.joins + " LEFT JOIN " +
                      Quoted("rocpd_info_thread") + " t ON t.id = " + place.tid + " LEFT JOIN " +
                      Quoted("rocpd_string") + " n ON n.id = " + name + ".name_id LEFT JOIN " +
                      Quoted("rocpd_event") + " e ON e.id = r.event_id LEFT JOIN " +
                      Quoted("rocpd_string") + " c ON c.id = e.category_id ORDER BY r.event_id",
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
                    const bool is_marker = row.Text(5).starts_with("MARKER");
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
    trace_.Leave("a sample of the track " + query::Copy(row.Text(4)));
    return Status::Ok();
  }

  Status TakeRegion(const Statement& row, std::string_view arguments) {
    Choose(row.Int(0));
    const std::string thread(row.Text(1));
    const std::string message = MessageOf(row.Text(7));
    return AddCall({.domain = row.Text(5),
                    .function = row.Text(4),
                    .message = message,
                    .arguments = arguments,
                    .result = {},
                    .thread = thread,
                    .correlation = row.Unsigned(6),
                    .start = row.Int(2),
                    .end = row.Int(3)},
                   &trace_);
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
    return Each(
        "SELECT " + place.pid + ", t.tid, " + place.start + ", " + place.end +
            ", s.kernel_name, s.display_name, " + place.agent + ", " + place.queue +
            ", e.stack_id, d.grid_size_x, d.grid_size_y, d.grid_size_z,"
            " d.workgroup_size_x, d.workgroup_size_y, d.workgroup_size_z, d.group_segment_size,"
            " d.private_segment_size, " +
            symbol("arch_vgpr_count") + ", " + symbol("sgpr_count") + " FROM " +
            Quoted("rocpd_kernel_dispatch") + " d" + place.joins + " LEFT JOIN " +
            Quoted("rocpd_info_kernel_symbol") + " s ON s.id = d.kernel_id LEFT JOIN " +
            Quoted("rocpd_info_thread") + " t ON t.id = " + place.tid + " LEFT JOIN " +
            Quoted("rocpd_event") + " e ON e.id = d.event_id",
        [&](const Statement& row) {
          Choose(row.Int(0));
          ImportedKernel kernel;
          kernel.device = Device(row, 6);
          if (kernel.device == kNoDevice) {
            trace_.Leave("a kernel on an agent that the file does not describe");
            return Status::Ok();
          }
          kernel.name = WithoutKd(row.Text(4));
          if (kernel.name.empty()) kernel.name = row.Text(5);
          if (kernel.name.empty()) kernel.name = "(unknown kernel)";
          kernel.thread = query::Narrow(row.Int(1));
          kernel.stream = row.Unsigned(7);
          kernel.correlation = row.Unsigned(8);
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
    return Each("SELECT " + place.pid + ", t.tid, " + place.start + ", " + place.end +
                    ", n.string, m.src_agent_id, m.dst_agent_id, m.size, e.stack_id FROM " +
                    Quoted("rocpd_memory_copy") + " m" + place.joins + " LEFT JOIN " +
                    Quoted("rocpd_string") + " n ON n.id = m.name_id LEFT JOIN " +
                    Quoted("rocpd_info_thread") + " t ON t.id = " + place.tid + " LEFT JOIN " +
                    Quoted("rocpd_event") + " e ON e.id = m.event_id",
                [&](const Statement& row) {
                  Choose(row.Int(0));
                  ImportedCopy copy;
                  copy.kind = CopyKindOf(row.Text(4));
                  copy.source = Device(row, 5);
                  copy.target = Device(row, 6);
                  copy.bytes = row.Unsigned(7);
                  copy.thread = query::Narrow(row.Int(1));
                  copy.correlation = row.Unsigned(8);
                  copy.start = row.Int(2);
                  copy.end = row.Int(3);
                  return trace_.Add(copy);
                });
  }

  Status ReadAllocations() {
    if (!database_.HasTable(Table("rocpd_memory_allocate"))) return Status::Ok();
    const Place place = PlaceOf("rocpd_memory_allocate", "m");
    return Each("SELECT " + place.pid + ", t.tid, " + place.start + ", " + place.end +
                    ", m.type, m.level, m.size, m.address, e.stack_id FROM " +
                    Quoted("rocpd_memory_allocate") + " m" + place.joins + " LEFT JOIN " +
                    Quoted("rocpd_info_thread") + " t ON t.id = " + place.tid + " LEFT JOIN " +
                    Quoted("rocpd_event") + " e ON e.id = m.event_id",
                [&](const Statement& row) {
                  Choose(row.Int(0));
                  const std::string thread(row.Text(1));
                  const std::string_view level = row.Text(5);
                  const std::string operation =
                      (level == "VIRTUAL" ? "VMEM_" : "") + query::Copy(row.Text(4));
                  return AddAllocation({.operation = operation,
                                        .is_scratch = level == "SCRATCH",
                                        .thread = thread,
                                        .correlation = row.Unsigned(8),
                                        .bytes = row.Unsigned(6),
                                        .address = row.Unsigned(7),
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

Status ImportRocpd(ForeignDatabase* database, const ImportedProcess& known, ImportedTrace* trace,
                   ImportReport* report) {
  const std::set<std::string> tables = database->tables();
  for (const std::string& table : tables) {
    if (!table.starts_with(kProcessTable)) continue;
    Rocpd run(database, table.substr(kProcessTable.size()), known, trace);
    RTL_TRY(run.Run(report));
  }
  return Status::Ok();
}

}  // namespace rtl::import
