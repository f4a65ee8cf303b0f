// SPDX-License-Identifier: MIT
#include "export/rpd.h"

#include <memory>

#include "export/rpd_schema.h"
#include "export/sql.h"
#include "trace/read/trace_reader.h"
#include "trace/schema/database.h"
#include "trace/write/output_file.h"

namespace rtl::exporting {
namespace {

constexpr size_t kRpdCacheBytes = 16 << 20;

// Selects kernels and copies, and whether an API call is known to have made them.
constexpr char kSelectOps[] =
    "SELECT o.id, o.gpuId, o.queueId, o.sequenceId, o.start, o.\"end\", o.description_id,"
    " o.opType_id, type.string = 'KernelExecution', o.pid, o.tid, o.submit,"
    " o.id IN (SELECT op_id FROM rocpd_api_ops), o.gridX, o.gridY, o.gridZ, o.workgroupX,"
    " o.workgroupY, o.workgroupZ, o.groupSegmentSize, o.privateSegmentSize, coalesce(c.bytes, 0),"
    " coalesce(c.kind, 0), printf('0x%x', c.dst), printf('0x%x', c.src)"
    " FROM rocpd_op o JOIN rocpd_string type ON type.id = o.opType_id"
    " LEFT JOIN rtl_copy c ON c.op_id = o.id"
    " WHERE type.string = 'KernelExecution' OR c.op_id IS NOT NULL";
constexpr char kSelectMarkers[] =
    "SELECT o.pid, o.tid, o.start, o.\"end\", o.description_id FROM rocpd_op o"
    " JOIN rocpd_string type ON type.id = o.opType_id WHERE type.string = 'UserMarker'"
    " ORDER BY o.start, o.\"end\" DESC";
constexpr char kInsertApi[] =
    "INSERT INTO rocpd_api (id, pid, tid, start, \"end\", apiName_id, args_id, category_id,"
    " domain_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr char kInsertKernelApi[] =
    "INSERT INTO rocpd_kernelapi VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr char kInsertCopyApi[] =
    "INSERT INTO rocpd_copyapi VALUES (?, ?, ?, 0, 0, ?, ?, ?, 0, 0, ?, 0)";

// The columns that are copied unchanged.
constexpr struct {
  const char* select;
  const char* insert;
} kTakenOver[] = {
    {"SELECT id, string FROM rocpd_string", "INSERT INTO rocpd_string VALUES (?, ?)"},
    {"SELECT tag, value FROM rocpd_metadata WHERE tag <> 'schema_version' ORDER BY id",
     "INSERT INTO rocpd_metadata (tag, value) VALUES (?, ?)"},
    {"SELECT api_id, op_id FROM rocpd_api_ops WHERE op_id NOT IN (SELECT op_id FROM rtl_barrier)",
     "INSERT INTO rocpd_api_ops (api_id, op_id) VALUES (?, ?)"},
    {"SELECT api_id, stream, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ,"
     " groupSegmentSize, privateSegmentSize, kernelName_id FROM rocpd_kernelapi",
     kInsertKernelApi},
    {"SELECT api_id, stream, size, kind, dst, src, sync FROM rocpd_copyapi", kInsertCopyApi},
    {"SELECT deviceType, deviceId, monitorType, start, \"end\", value FROM rocpd_monitor",
     "INSERT INTO rocpd_monitor (deviceType, deviceId, monitorType, start, \"end\", value)"
     " VALUES (?, ?, ?, ?, ?, ?)"},
};

void BindUnchanged(sqlite3_stmt* read, sqlite3_stmt* write) {
  for (int i = 0; i < sqlite3_column_count(read); ++i) {
    (void)sqlite3_bind_value(write, i + 1, sqlite3_column_value(read, i));
  }
}

class RpdWriter {
 public:
  RpdWriter(const std::string& path, const Progress& progress, const std::atomic<bool>* cancel)
      : from_(path, progress, cancel) {}

  Status Run(const std::string& output, std::vector<std::string>* notes);

 private:
  Status Open();
  Status TextId(const char* text, int64_t* id);
  Status WriteApis();
  Status WriteMarkers();
  Status WriteOps();
  Status WriteSubmission(const query::Statement& op, bool is_kernel);

  SourceTrace from_;
  store::OutputFile file_;
  store::Database to_;
  store::Statement api_, link_, kernel_, copy_;
  int64_t last_api_ = 0;
  int64_t empty_ = 0;  // id of the empty text
  int64_t hip_ = 0;
  int64_t roctx_ = 0;
  int64_t marker_ = 0;
  int64_t launch_ = 0;
  int64_t copies_ = 0;
  int64_t submission_ = 0;
};

Status RpdWriter::Open() {
  // Only a trace of this project and of this version is accepted.
  std::unique_ptr<query::TraceReader> trace;
  RTL_TRY(query::TraceReader::Open(from_.path(), &trace));
  return from_.Open();
}

Status RpdWriter::TextId(const char* text, int64_t* id) {
  store::Statement find;
  store::Statement insert;
  RTL_TRY(find.Prepare(to_, "SELECT id FROM rocpd_string WHERE string = ?"));
  bool found = false;
  RTL_TRY(find.Find(text, &found, id));
  if (found) return Status::Ok();
  RTL_TRY(insert.Prepare(to_, "INSERT INTO rocpd_string (string) VALUES (?)"));
  RTL_TRY(insert.Insert(text));
  *id = sqlite3_last_insert_rowid(to_.handle());
  return Status::Ok();
}

Status RpdWriter::WriteApis() {
  constexpr char kSelect[] =
      "SELECT id, pid, tid, start, \"end\", apiName_id, args_id FROM rocpd_api";
  return from_.ForEach(kSelect, [&](const query::Statement& rows) {
    RTL_TRY(api_.Insert(rows.Int(0), rows.Int(1), rows.Int(2), rows.Int(3), rows.Int(4),
                        rows.Int(5), rows.Int(6), empty_, hip_));
    return from_.CountRow();
  });
}

Status RpdWriter::WriteMarkers() {
  return from_.ForEach(kSelectMarkers, [&](const query::Statement& rows) {
    RTL_TRY(api_.Insert(++last_api_, rows.Int(0), rows.Int(1), rows.Int(2), rows.Int(3), marker_,
                        rows.Int(4), empty_, roctx_));
    return from_.CountRow();
  });
}

Status RpdWriter::WriteOps() {
  store::Statement insert;
  RTL_TRY(insert.Prepare(to_, "INSERT INTO rocpd_op VALUES (?, ?, ?, ?, ?, ?, ?, ?, '')"));
  return from_.ForEach(kSelectOps, [&](const query::Statement& rows) {
    const bool is_kernel = rows.Int(8) != 0;
    RTL_TRY(insert.Insert(rows.Int(0), rows.Int(1), rows.Int(2), rows.Int(3), rows.Int(4),
                          rows.Int(5), is_kernel ? rows.Int(6) : empty_, rows.Int(7)));
    const bool is_linked = rows.Int(12) != 0;
    const bool was_submitted = rows.Int(10) > 0 && rows.Int(11) > 0;
    if (!is_linked && was_submitted) RTL_TRY(WriteSubmission(rows, is_kernel));
    return from_.CountRow();
  });
}

// Writes a call without a duration in place of a call that was not recorded, because RPD finds GPU
// work by its call.
Status RpdWriter::WriteSubmission(const query::Statement& op, bool is_kernel) {
  const int64_t submit = op.Int(11);
  RTL_TRY(api_.Insert(++last_api_, op.Int(9), op.Int(10), submit, submit,
                      is_kernel ? launch_ : copies_, submission_, empty_, hip_));
  RTL_TRY(link_.Insert(last_api_, op.Int(0)));
  if (!is_kernel) {
    // RPD's number of a hipMemcpyKind is one less than this project's. An unknown kind becomes
    // hipMemcpyDefault.
    const int64_t kind = op.Int(22) > 0 ? op.Int(22) - 1 : 4;
    return copy_.Insert(last_api_, "", op.Int(21), kind, op.Text(23), op.Text(24), 0);
  }
  const auto groups = [&](int axis) {
    const int64_t size = op.Int(16 + axis) > 0 ? op.Int(16 + axis) : 1;
    return (op.Int(13 + axis) + size - 1) / size;
  };
  return kernel_.Insert(last_api_, "", groups(0), groups(1), groups(2), op.Int(16), op.Int(17),
                        op.Int(18), op.Int(19), op.Int(20), op.Int(6));
}

Status RpdWriter::Run(const std::string& output, std::vector<std::string>* notes) {
  RTL_TRY(Open());
  RTL_TRY(file_.Make(output));
  RTL_TRY(to_.Open(file_.temporary(), output));
  RTL_TRY(to_.BeginBuilding(kRpdCacheBytes));
  RTL_TRY(to_.Execute(kRpdTablesSql));
  for (const auto& [select, insert] : kTakenOver) {
    RTL_TRY(from_.Copy(select, to_, insert, BindUnchanged));
  }
  const struct {
    const char* text;
    int64_t* id;
  } texts[] = {{"", &empty_},
               {"hip", &hip_},
               {"roctx", &roctx_},
               {"UserMarker", &marker_},
               {"hipLaunchKernel", &launch_},
               {"hipMemcpyAsync", &copies_},
               {"recorded: submission", &submission_}};
  for (const auto& [text, id] : texts) RTL_TRY(TextId(text, id));
  RTL_TRY(ReadNumber(from_.handle(), from_.path(), "SELECT max(id) FROM rocpd_api", &last_api_));
  RTL_TRY(api_.Prepare(to_, kInsertApi));
  RTL_TRY(link_.Prepare(to_, "INSERT INTO rocpd_api_ops (api_id, op_id) VALUES (?, ?)"));
  RTL_TRY(kernel_.Prepare(to_, kInsertKernelApi));
  RTL_TRY(copy_.Prepare(to_, kInsertCopyApi));
  RTL_TRY(WriteApis());
  RTL_TRY(WriteMarkers());
  RTL_TRY(WriteOps());
  for (store::Statement* statement : {&api_, &link_, &kernel_, &copy_}) statement->Finalize();
  RTL_TRY(to_.Execute(kRpdViewsSql));
  RTL_TRY(to_.Execute("COMMIT"));
  to_.Close();
  std::string written, note;
  RTL_TRY(file_.Publish(&written, &note));
  if (!note.empty()) notes->push_back(note);
  return Status::Ok();
}

}  // namespace

Status WriteRpd(const std::string& path, const std::string& output, const Progress& progress,
                const std::atomic<bool>* cancel, std::vector<std::string>* notes) {
  return RpdWriter(path, progress, cancel).Run(output, notes);
}

}  // namespace rtl::exporting
