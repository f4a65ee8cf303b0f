// SPDX-License-Identifier: MIT
#include "export/database.h"

#include <algorithm>

#include "export/new_database.h"
#include "export/table_copy.h"
#include "trace/schema/schema.h"

namespace rtl::exporting {
namespace {

// Before schema 8 these were tables. Here they are temporary tables, which hide the views of the
// same names.
constexpr char kWideCallsSql[] = R"sql(
CREATE TEMP TABLE rocpd_api (id INTEGER PRIMARY KEY, pid, tid, start, end, apiName_id, args_id,
                             result, process_id, rank, stream);
CREATE TEMP TABLE rocpd_kernelapi (api_id INTEGER PRIMARY KEY, stream, gridX, gridY, gridZ,
                                   workgroupX, workgroupY, workgroupZ, groupSegmentSize,
                                   privateSegmentSize, kernelName_id);
)sql";
constexpr char kNarrowCallsSql[] = R"sql(
INSERT INTO rtl_call_site (pid, tid, apiName_id, result, process_id, rank, stream)
SELECT DISTINCT pid, tid, apiName_id, result, process_id, rank, stream FROM temp.rocpd_api;
INSERT INTO rtl_call (id, site, start, duration, args_id)
SELECT a.id, s.id, a.start, a.end - a.start, a.args_id
FROM temp.rocpd_api a CROSS JOIN rtl_call_site s
  ON s.process_id = a.process_id AND s.tid = a.tid AND s.apiName_id = a.apiName_id
 AND s.pid = a.pid AND s.result IS a.result AND s.rank IS a.rank AND s.stream IS a.stream
ORDER BY a.id;
INSERT INTO rtl_launch_call (stream, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ,
                             groupSegmentSize, privateSegmentSize, kernelName_id)
SELECT DISTINCT stream, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ, groupSegmentSize,
       privateSegmentSize, kernelName_id FROM temp.rocpd_kernelapi;
INSERT INTO rtl_kernelapi (api_id, launch_call)
SELECT k.api_id, l.id FROM temp.rocpd_kernelapi k CROSS JOIN rtl_launch_call l
 USING (stream, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ, groupSegmentSize,
        privateSegmentSize, kernelName_id)
ORDER BY k.api_id;
DROP TABLE temp.rocpd_api;
DROP TABLE temp.rocpd_kernelapi;
)sql";

// *out is true if these are tables, as in a trace of an earlier schema.
Status HasWideCalls(const TableCopy& copy, bool* out) {
  std::vector<std::string> theirs;
  RTL_TRY(copy.Tables(copy.from().handle(), &theirs));
  *out = std::find(theirs.begin(), theirs.end(), "rocpd_api") != theirs.end();
  return Status::Ok();
}

Status CopyWideCalls(TableCopy* copy, store::Database* to) {
  RTL_TRY(to->Execute(kWideCallsSql));
  RTL_TRY(copy->CopyTable("rocpd_api"));
  RTL_TRY(copy->CopyTable("rocpd_kernelapi"));
  return to->Execute(kNarrowCallsSql);
}

// The new tables have this schema, whatever the version of the trace.
Status SetSchemaVersion(store::Database* to) {
  return to->Execute(("UPDATE rocpd_metadata SET value = '" +
                      std::to_string(store::kSchemaVersion) + "' WHERE tag = 'schema_version'")
                         .c_str());
}

}  // namespace

Status WriteDatabase(const std::string& path, const std::string& output, const Progress& progress,
                     const std::atomic<bool>* cancel, std::vector<std::string>* notes) {
  store::Database to;
  NewDatabase file(output);
  TableCopy copy(path, &to, file.bulk(), progress, cancel);
  RTL_TRY(copy.Open());
  RTL_TRY(file.Begin(&to));
  RTL_TRY(copy.MakeRareTables());
  bool wide = false;
  RTL_TRY(HasWideCalls(copy, &wide));
  RTL_TRY(copy.CopyKnown({}, nullptr, notes));
  if (wide) RTL_TRY(CopyWideCalls(&copy, &to));
  RTL_TRY(store::AddPresentNames(&to));
  RTL_TRY(SetSchemaVersion(&to));
  return file.Finish(&to, notes);
}

}  // namespace rtl::exporting
