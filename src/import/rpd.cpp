// SPDX-License-Identifier: MIT
// A database of RPD has calls and markers in rocpd_api, GPU work in rocpd_op, and the links between
// them in rocpd_api_ops. A marker that RPD's table of autograd functions names is an operator.
// Databases of rocm-trace-lite have the same tables; the names of their keys differ.
#include <map>

#include "import/readers.h"
#include "import/rocprofv3_records.h"

namespace rtl::import {
namespace {

using query::Statement;

constexpr char kWithoutTimes[] = "an event without its times";

class Rpd {
 public:
  Rpd(ForeignDatabase* database, const ImportedProcess& known, ImportedTrace* trace)
      : database_(*database), known_(known), trace_(*trace) {}

  Status Run() {
    for (const char* table : {"rocpd_api", "rocpd_op", "rocpd_string", "rocpd_api_ops"}) {
      if (database_.HasTable(table)) continue;
      return Status::Error("%s: a database of RPD without its table %s", database_.shown().c_str(),
                           table);
    }
    RTL_TRY(ReadMetadata());
    RTL_TRY(ReadCalls());
    RTL_TRY(ReadWork());
    for (const char* table : {"rocpd_monitor", "rocpd_counter", "rocpd_stackframe",
                              "rocpd_kernelop", "rocpd_copyop"}) {  // before 2022
      if (!database_.HasTable(table)) continue;
      uint64_t rows = 0;
      RTL_TRY(database_.Count(table, &rows));
      if (rows != 0) trace_.Leave(std::string("a row of ") + table, rows);
    }
    for (const auto& [pid, process] : processes_) RTL_TRY(trace_.EndProcess(process));
    return Status::Ok();
  }

 private:
  Status ReadMetadata() {
    if (!database_.HasTable("rocpd_metadata")) return Status::Ok();
    return database_.Each("SELECT tag, value FROM rocpd_metadata", [&](const Statement& row) {
      if (row.Text(0) == "host") host_ = row.Text(1);
      if (row.Text(0) == "command") command_ = row.Text(1);
      return Status::Ok();
    });
  }

  void Choose(int64_t pid) {
    const auto known = processes_.find(pid);
    if (known != processes_.end()) return trace_.Choose(known->second);
    ImportedProcess facts = known_;
    facts.pid = static_cast<uint32_t>(pid);
    facts.host = host_;
    facts.command = command_;
    processes_.emplace(pid, trace_.BeginProcess(facts));
  }

  // The table with the texts of arguments. Version 3 of the schema keeps texts that occur once in a
  // table of their own.
  std::string ArgumentsTable() const {
    return database_.HasTable("rocpd_ustring") ? "rocpd_ustring" : "rocpd_string";
  }

  // SQL that joins a table whose rows describe calls. Empty if the database has no such table.
  std::string JoinByCall(const char* table, const char* alias) {
    const bool has_table = database_.HasTable(table);
    const char* const key = database_.HasColumn(table, "api_ptr_id") ? "api_ptr_id" : "api_id";
    return has_table ? std::string(" LEFT JOIN ") + table + " " + alias + " ON " + alias + "." +
                           key + " = a.id"
                     : "";
  }

  Status ReadCalls() {
    const bool has_operators = database_.HasTable("ext_autogradapi");
    return database_.Each(
        "SELECT a.pid, a.tid, a.start, a.end, a.id, n.string, g.string, " +
            std::string(has_operators ? "o.api_ptr_id, x.string, o.sizes" : "NULL, NULL, NULL") +
            " FROM rocpd_api a LEFT JOIN rocpd_string n ON n.id = a.apiName_id LEFT JOIN " +
            ArgumentsTable() + " g ON g.id = a.args_id" +
            (has_operators ? " LEFT JOIN ext_autogradapi o ON o.api_ptr_id = a.id"
                             " LEFT JOIN rocpd_string x ON x.id = o.autogradName_id"
                           : ""),
        [&](const Statement& row) { return TakeCall(row); });
  }

  // Whether a row is no call: this project's export writes such a row for the submission of a
  // packet whose call was not recorded.
  static bool IsSubmission(std::string_view arguments) {
    return arguments == "recorded: submission";
  }

  Status TakeCall(const Statement& row) {
    Choose(row.Int(0));
    const std::string thread = std::to_string(row.Int(1));
    if (row.IsNull(2) || row.IsNull(3)) return trace_.Skip(kWithoutTimes);
    const int64_t start = row.Int(2), end = row.Int(3);
    const std::string_view name = row.Text(5), text = row.Text(6);
    if (!row.IsNull(7)) {
      return trace_.Add(ImportedOperator{.name = row.Text(8).empty() ? text : row.Text(8),
                                         .inputs = row.Text(9),
                                         .thread = thread,
                                         .start = start,
                                         .end = end});
    }
    if (name == "UserMarker") {
      if (end <= start) return trace_.Add(ImportedMark{text, thread, start});
      return trace_.Add(ImportedRange{std::string(text), thread, start, end});
    }
    if (IsSubmission(text)) return Status::Ok();
    return trace_.Add(ImportedCall{.name = name,
                                   .thread = thread,
                                   .arguments = text,
                                   .correlation = row.Unsigned(4),
                                   .start = start,
                                   .end = end});
  }

  Status ReadWork() {
    // Work without a linked call belongs to the first process. A database without events has one,
    // too.
    if (processes_.empty()) Choose(0);
    const int64_t first = processes_.begin()->first;
    std::string columns;
    for (const char* column : {"gridX", "gridY", "gridZ", "workgroupX", "workgroupY", "workgroupZ",
                               "groupSegmentSize", "privateSegmentSize"}) {
      columns += ", " + database_.Column("k", "rocpd_kernelapi", column);
    }
    const bool has_names = database_.HasColumn("rocpd_kernelapi", "kernelName_id");
    columns += has_names ? ", kn.string" : ", NULL";
    for (const char* column : {"size", "kind"}) {
      columns += ", " + database_.Column("c", "rocpd_copyapi", column);
    }
    int64_t before = -1;
    return database_.Each(
        "SELECT o.gpuId, o.queueId, o.start, o.end, d.string, t.string, a.pid, a.tid, a.id" +
            columns +
            ", a.start, ag.string, o.id"
            " FROM rocpd_op o LEFT JOIN rocpd_string d ON d.id = o.description_id"
            " LEFT JOIN rocpd_string t ON t.id = o.opType_id"
            " LEFT JOIN rocpd_api_ops l ON l.op_id = o.id LEFT JOIN rocpd_api a ON a.id = "
            "l.api_id" +
            JoinByCall("rocpd_kernelapi", "k") +
            (has_names ? " LEFT JOIN rocpd_string kn ON kn.id = k.kernelName_id" : "") +
            JoinByCall("rocpd_copyapi", "c") + " LEFT JOIN " + ArgumentsTable() +
            " ag ON ag.id = a.args_id",
        [&](const Statement& row) {
          // A second row of the same operation: rows of one operation follow each other.
          if (row.Int(22) == before) {
            return trace_.Skip("a further call of the same work: its link");
          }
          before = row.Int(22);
          Choose(row.IsNull(6) ? first : row.Int(6));
          if (row.IsNull(2) || row.IsNull(3)) return trace_.Skip(kWithoutTimes);
          const std::string_view type = row.Text(5);
          if (type.starts_with("Copy") || type.starts_with("Memcpy")) return TakeCopy(row, type);
          if (type.find("Barrier") != std::string_view::npos) return trace_.Skip("a barrier");
          return TakeKernel(row, type);
        });
  }

  Status TakeKernel(const Statement& row, std::string_view type) {
    ImportedKernel kernel;
    kernel.name = row.Text(4);
    if (kernel.name.empty()) kernel.name = row.Text(17);
    if (kernel.name.empty()) kernel.name = type;  // "FillBuffer"
    kernel.device = row.Unsigned(0);
    kernel.stream = row.Unsigned(1);
    kernel.start = row.Int(2);
    kernel.end = row.Int(3);
    kernel.thread = query::Narrow(row.Int(7));
    if (IsSubmission(row.Text(21))) {
      kernel.submitted = row.Int(20);
    } else {
      kernel.correlation = row.Unsigned(8);
    }
    for (int i = 0; i < 3; ++i) {
      kernel.grid[i] = query::Narrow(row.Int(9 + i));
      kernel.workgroup[i] = query::Narrow(row.Int(12 + i));
      kernel.grid[i] *= kernel.workgroup[i];  // the call's grid is in workgroups
    }
    kernel.group_segment = query::Narrow(row.Int(15));
    kernel.private_segment = query::Narrow(row.Int(16));
    return trace_.Add(kernel);
  }

  Status TakeCopy(const Statement& row, std::string_view type) {
    constexpr CopyKind kByHip[] = {CopyKind::kHostToHost, CopyKind::kHostToDevice,
                                   CopyKind::kDeviceToHost, CopyKind::kDeviceToDevice};
    ImportedCopy copy;
    copy.kind = CopyKindOf(type);
    const int64_t by_hip = row.IsNull(19) ? -1 : row.Int(19);
    if (copy.kind == CopyKind::kUnknown && by_hip >= 0 && by_hip < 4) copy.kind = kByHip[by_hip];
    const uint64_t device = row.Unsigned(0);
    if (copy.kind != CopyKind::kHostToDevice && copy.kind != CopyKind::kHostToHost)
      copy.source = device;
    if (copy.kind != CopyKind::kDeviceToHost && copy.kind != CopyKind::kHostToHost)
      copy.target = device;
    copy.bytes = row.Unsigned(18);
    copy.start = row.Int(2);
    copy.end = row.Int(3);
    copy.thread = query::Narrow(row.Int(7));
    if (IsSubmission(row.Text(21))) {
      copy.submitted = row.Int(20);
    } else {
      copy.correlation = row.Unsigned(8);
    }
    return trace_.Add(copy);
  }

  ForeignDatabase& database_;
  const ImportedProcess& known_;
  ImportedTrace& trace_;
  std::map<int64_t, size_t> processes_;  // process by pid
  std::string host_, command_;
};

}  // namespace

bool IsRpd(const ForeignDatabase& database) {
  return (database.HasTable("rocpd_api") || database.HasTable("rocpd_op")) &&
         !database.HasTable("rtl_process");
}

Status ImportRpd(ForeignDatabase* database, const ImportedProcess& known, ImportedTrace* trace) {
  return Rpd(database, known, trace).Run();
}

}  // namespace rtl::import
