// SPDX-License-Identifier: MIT
#include "trace/write/host_frames.h"

#include "trace/schema/schema.h"
#include "trace/schema/tables.h"
#include "trace/write/operator_writer.h"

namespace rtl::store {

Status HostFrameWriter::Open(const std::string& database, std::string_view how) {
  RTL_TRY(database_.Open(database, database));
  RTL_TRY(database_.Execute("PRAGMA synchronous = OFF; BEGIN"));
  RTL_TRY(database_.Execute(CreateSql(kOperatorTableDescription).c_str()));
  RTL_TRY(insert_.Prepare(database_, InsertSql(kOperatorTableDescription)));
  RTL_TRY(string_.Prepare(database_, "INSERT OR IGNORE INTO rocpd_string (string) VALUES (?)"));
  RTL_TRY(find_string_.Prepare(database_, "SELECT id FROM rocpd_string WHERE string = ?"));
  RTL_TRY(process_.Prepare(
      database_,
      "INSERT INTO rtl_process (pid, parent_pid, start_ticks, host, boot_id, executable, command,"
      " started, ended, mode, loaded_by, door, runtime, mode_reason, process_group, job)"
      " SELECT ?1, 0, 0, coalesce((SELECT value FROM rocpd_metadata WHERE tag = 'host'), ''),"
      " coalesce((SELECT value FROM rocpd_metadata WHERE tag = 'boot_id'), ''), '', ?2, ?3, ?3,"
      " 'untraced', '', '', '', 'only its Python stacks were sampled', 0, ''"));
  // If a pid was used twice: finds the later process.
  RTL_TRY(find_process_.Prepare(
      database_, "SELECT id FROM rtl_process WHERE pid = ? ORDER BY started DESC LIMIT 1"));
  Statement metadata;
  RTL_TRY(metadata.Prepare(database_, InsertSql(kMetadataTableDescription)));
  return metadata.Add(MetadataTable{.tag = kPythonTag, .value = std::string(how)});
}

Status HostFrameWriter::Intern(std::string_view text, int64_t* id) {
  const auto known = strings_.find(text);
  if (known != strings_.end()) {
    *id = known->second;
    return Status::Ok();
  }
  RTL_TRY(string_.Insert(text));
  bool found = false;
  RTL_TRY(find_string_.Find(text, &found, id));
  strings_.emplace(text, *id);
  return Status::Ok();
}

Status HostFrameWriter::ProcessOf(const HostFrame& frame, int64_t* row) {
  const auto known = processes_.find(frame.pid);
  if (known != processes_.end()) {
    *row = known->second;
    return Status::Ok();
  }
  const std::string pid = std::to_string(frame.pid);
  bool found = false;
  RTL_TRY(find_process_.Find(pid, &found, row));
  if (!found) {
    RTL_TRY(process_.Insert(frame.pid, frame.command, frame.start));
    RTL_TRY(find_process_.Find(pid, &found, row));
  }
  processes_.emplace(frame.pid, *row);
  return Status::Ok();
}

Status HostFrameWriter::Add(const HostFrame& frame) {
  OperatorTable row;
  int64_t file = 0;
  RTL_TRY(ProcessOf(frame, &row.process));
  row.tid = frame.tid;
  row.kind = static_cast<int64_t>(OperatorKind::kPythonFunction);
  RTL_TRY(Intern(frame.name, &row.name));
  RTL_TRY(Intern(frame.file, &file));
  row.inputs = file;
  row.start = frame.start;
  row.duration = frame.end - frame.start;
  return insert_.Add(row);
}

Status HostFrameWriter::Commit() {
  RTL_TRY(database_.Execute(
      "UPDATE rtl_process SET started = (SELECT min(start) FROM rtl_operator o"
      " WHERE o.process_id = rtl_process.id), ended = (SELECT max(start + duration)"
      " FROM rtl_operator o WHERE o.process_id = rtl_process.id) WHERE mode = 'untraced'"));
  RTL_TRY(database_.Execute("COMMIT"));
  database_.Close();
  return Status::Ok();
}

}  // namespace rtl::store
