// SPDX-License-Identifier: MIT
#include "trace/schema/schema.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "trace/schema/span_tables.h"
#include "trace/schema/tables.h"

namespace rtl::store {

constexpr char kMoreSql[] = R"sql(
-- Every row has its launch. The outer join lets SQLite leave out what a query does not ask for, and
-- keeps it from beginning with the launches.
CREATE VIEW rocpd_op AS
SELECT o.id, l.gpuId, l.queueId,
       coalesce(o.id + l.sequence + o.sequence, 0) AS sequenceId,
       l.completionSignal,
       l.origin + o.start AS start,
       l.origin + o.start + o.duration AS end,
       coalesce(l.description_id, o.packet) AS description_id,
       l.opType_id,
       CASE WHEN l.description_id IS NULL THEN o.link ELSE 0 END AS roctxId,
       CASE WHEN l.description_id IS NULL THEN 0 ELSE o.link END AS correlation_id,
       l.pid, l.tid,
       coalesce(l.origin + o.start - o.waited, 0) AS submit,
       l.gridX, l.gridY, l.gridZ, l.workgroupX, l.workgroupY, l.workgroupZ,
       l.groupSegmentSize, l.privateSegmentSize, l.kernel_id,
       coalesce(o.id + l.sequence + o.sequence + l.packet + o.packet, 0) AS packet,
       l.flags, l.process_id, l.rank
FROM rtl_op o LEFT JOIN rtl_launch l ON l.id = o.launch;
-- One table and subqueries, not a join: a LEFT JOIN to it then looks calls up by their id.
CREATE VIEW rocpd_api AS
SELECT c.id, (SELECT pid FROM rtl_call_site WHERE id = c.site) AS pid,
       (SELECT tid FROM rtl_call_site WHERE id = c.site) AS tid,
       c.start, c.start + c.duration AS end,
       (SELECT apiName_id FROM rtl_call_site WHERE id = c.site) AS apiName_id, c.args_id,
       c.id & 0xffffffffff AS correlation_id,
       (SELECT result FROM rtl_call_site WHERE id = c.site) AS result,
       (c.id >> 40) + 1 AS process_id,
       (SELECT rank FROM rtl_call_site WHERE id = c.site) AS rank,
       (SELECT stream FROM rtl_call_site WHERE id = c.site) AS stream
FROM rtl_call c;
-- The first operation of a call is in the call's row, others are here.
CREATE VIEW rocpd_api_ops AS
SELECT id, id AS api_id, op_id FROM rtl_call WHERE op_id IS NOT NULL
UNION ALL
SELECT -id, api_id, op_id FROM rtl_api_op;
-- What a launch call says, and its kernel. The call's site has it, or rtl_kernelapi.
CREATE VIEW rocpd_kernelapi AS
SELECT c.id AS api_id, l.stream, l.gridX, l.gridY, l.gridZ, l.workgroupX, l.workgroupY,
       l.workgroupZ, l.groupSegmentSize, l.privateSegmentSize, l.kernelName_id
FROM rtl_call c CROSS JOIN rtl_call_site s ON s.id = c.site
 CROSS JOIN rtl_launch_call l ON l.id = s.launch_call
UNION ALL
SELECT k.api_id, l.stream, l.gridX, l.gridY, l.gridZ, l.workgroupX, l.workgroupY, l.workgroupZ,
       l.groupSegmentSize, l.privateSegmentSize, l.kernelName_id
FROM rtl_kernelapi k CROSS JOIN rtl_launch_call l ON l.id = k.launch_call;

CREATE VIEW rtl_counter AS
SELECT v.process_id, v.dispatch, s.string AS name, sum(v.value) AS value, count(*) AS instances,
       max(v.flags & 2) / 2 AS not_modelled
FROM rtl_counter_value v JOIN rocpd_string s ON s.id = v.name_id
GROUP BY v.process_id, v.dispatch, v.name_id;

-- Kernels by name. Pct is the share of the sum of all kernel time.
CREATE VIEW top AS
WITH kernel AS (
  SELECT description_id, count(*) AS calls, sum(end - start) AS total, min(end - start) AS least,
         max(end - start) AS most
  FROM rocpd_op
  WHERE opType_id = (SELECT id FROM rocpd_string WHERE string = 'KernelExecution')
  GROUP BY description_id
)
SELECT string AS Name, calls AS Calls, total AS TotalNs, total / calls AS AvgNs, least AS MinNs,
       most AS MaxNs,
       coalesce(round(100.0 * total / nullif((SELECT sum(total) FROM kernel), 0), 2), 0.0) AS Pct
FROM kernel JOIN rocpd_string ON rocpd_string.id = description_id
ORDER BY total DESC, Name;

-- Per GPU, the time in which at least one kernel ran: where kernels overlap, the time counts
-- once. wall_ns is from the first start to the last end on any GPU of the trace.
CREATE VIEW busy AS
WITH kernel AS (
  SELECT gpuId, start, end FROM rocpd_op
  WHERE opType_id = (SELECT id FROM rocpd_string WHERE string = 'KernelExecution')
),
covered AS (
  SELECT gpuId, start, end,
         max(end) OVER (PARTITION BY gpuId ORDER BY start, end
                        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until
  FROM kernel
),
gpu AS (
  SELECT gpuId, count(*) AS ops, sum(max(0, end - max(start, coalesce(until, start)))) AS busy_ns
  FROM covered GROUP BY gpuId
),
wall AS (SELECT max(end) - min(start) AS wall_ns FROM kernel)
SELECT gpuId, coalesce(round(100.0 * busy_ns / nullif(wall_ns, 0), 2), 0.0) AS utilization_pct,
       ops, busy_ns, wall_ns
FROM gpu, wall
ORDER BY gpuId;

-- The stream of each call that works on one. A handle is used again for the next stream.
CREATE VIEW api_stream AS
SELECT a.id AS api_id, s.id AS stream_id, s.stream, s.name
FROM rtl_call a JOIN rtl_call_site c ON c.id = a.site JOIN rtl_stream s
  ON s.process_id = c.process_id AND s.handle = c.stream
 AND a.start BETWEEN coalesce(s.created, 0) AND coalesce(s.destroyed, a.start);

-- Which queues the kernels of each stream ran on.
CREATE VIEW stream_queue AS
SELECT s.stream_id, o.queueId AS queue_id, count(*) AS kernels, min(o.start) AS start,
       max(o.end) AS end
FROM api_stream s
JOIN rocpd_api_ops l ON l.api_id = s.api_id
JOIN rocpd_op o ON o.id = l.op_id
WHERE o.queueId > 0
GROUP BY s.stream_id, o.queueId;
)sql";

const char kGraphKernelsSql[] = R"sql(
WITH call AS (
  SELECT a.id AS api_id, a.process_id, a.start, name.string NOT LIKE 'hipGraphLaunch%' AS made,
         CASE WHEN name.string LIKE 'hipGraphLaunch%' THEN substr(args.string, length('graphExec=') + 1)
              ELSE substr(args.string, instr(args.string, ' -> ') + 4) END AS args
  FROM rocpd_api a
  JOIN rocpd_string name ON name.id = a.apiName_id
  JOIN rocpd_string args ON args.id = a.args_id
  WHERE (name.string IN ('hipGraphLaunch', 'hipGraphLaunch_spt') AND args.string LIKE 'graphExec=%')
     OR (name.string LIKE 'hipGraphInstantiate%' AND args.string LIKE 'pGraphExec=% -> %')
),
known AS (
  SELECT *, substr(args, 1, instr(args || ',', ',') - 1) AS address FROM call
),
numbered AS (
  SELECT *, sum(made) OVER (PARTITION BY process_id, address ORDER BY start) AS owner FROM known
),
launched AS (
  SELECT *, first_value(api_id) OVER one AS graph, sum(NOT made) OVER one - 1 AS launch
  FROM numbered WINDOW one AS (PARTITION BY process_id, address, owner ORDER BY start)
)
SELECT n.process_id, graph, address, launch,
       row_number() OVER (PARTITION BY n.api_id ORDER BY o.submit, o.packet) - 1 AS node,
       kernel.string AS kernel, o.start, o.end, n.api_id, o.id AS op_id
FROM launched n
JOIN rocpd_api_ops l ON l.api_id = n.api_id
JOIN rocpd_op o ON o.id = l.op_id
JOIN rocpd_string kernel ON kernel.id = o.description_id
WHERE NOT made AND o.opType_id = (SELECT id FROM rocpd_string WHERE string = 'KernelExecution')
)sql";

namespace {

// The statement without the comments before it and without the end of its last line.
std::string_view Bare(std::string_view statement) {
  if (statement.ends_with('\n')) statement.remove_suffix(1);
  for (;;) {
    const size_t begin = statement.find_first_not_of(" \n");
    if (begin == std::string_view::npos) return {};
    statement.remove_prefix(begin);
    if (!statement.starts_with("--")) return statement;
    statement.remove_prefix(std::min(statement.find('\n'), statement.size()));
  }
}

// Executes statements, each of which ends with a semicolon and a new line.
Status Make(Database* database, Statement* view, std::string_view sql) {
  constexpr std::string_view kCreateView = "CREATE VIEW ";
  while (!sql.empty()) {
    const size_t end = std::min(sql.find(";\n"), sql.size());
    const std::string_view statement = Bare(sql.substr(0, end));
    sql.remove_prefix(std::min(end + 2, sql.size()));
    if (statement.starts_with(kCreateView)) {
      const size_t begin = kCreateView.size();
      const std::string_view name = statement.substr(begin, statement.find(' ', begin) - begin);
      RTL_TRY(view->Insert(name, statement));
    } else if (!statement.empty()) {
      RTL_TRY(database->Execute(std::string(statement).c_str()));
    }
  }
  return Status::Ok();
}

// Empty: the tag does not have the name `from`, or begin with it.
std::string Renamed(std::string_view tag, std::string_view from, std::string_view to) {
  const bool is_prefix = from.ends_with('.');
  if (is_prefix ? !tag.starts_with(from) : tag != from) return {};
  return std::string(to) + std::string(tag.substr(from.size()));
}

std::string Quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

}  // namespace

std::string EarlierTag(std::string_view tag) {
  for (const TagAlias& alias : kTagAliases) {
    if (std::string name = Renamed(tag, alias.present, alias.earlier); !name.empty()) return name;
  }
  return {};
}

std::string PresentTag(std::string_view earlier) {
  for (const TagAlias& alias : kTagAliases) {
    if (std::string name = Renamed(earlier, alias.earlier, alias.present); !name.empty())
      return name;
  }
  return {};
}

Status AddPresentNames(Database* database) {
  // A tag is compared by its first letters, as far as the name has any.
  for (const auto& [earlier, present] : kTagAliases) {
    const auto is = [](std::string_view name) {
      return (name.ends_with('.') ? "substr(tag, 1, " + std::to_string(name.size()) + ")" : "tag") +
             " = " + Quoted(name);
    };
    RTL_TRY(database->Execute(
        ("INSERT INTO rocpd_metadata (tag, value) SELECT " + Quoted(present) + " || substr(tag, " +
         std::to_string(earlier.size() + 1) + "), value FROM rocpd_metadata WHERE " + is(earlier) +
         " AND NOT EXISTS (SELECT 1 FROM rocpd_metadata WHERE " + is(present) + ") ORDER BY id")
            .c_str()));
  }
  return database->Execute(
      (std::string("INSERT INTO rtl_process_counter (process_id, pid, kind, counter, value)"
                   " SELECT process_id, pid, kind, ") +
       Quoted(kSubmittedCounter) +
       ", value FROM rtl_process_counter WHERE counter = " + Quoted(kEarlierSubmittedCounter) +
       " AND NOT EXISTS (SELECT 1 FROM rtl_process_counter WHERE counter = " +
       Quoted(kSubmittedCounter) + ") ORDER BY rowid")
          .c_str());
}

std::string SchemaSql() {
  std::string sql;
  for (const TableDescription* table : kTables) {
    if (!table->is_rare) sql += CreateSql(*table);
  }
  return sql + kMoreSql;
}

// The views are only stored: executing their statements takes six times as long as for all the
// tables, and a connection that writes does not need them.
Status CreateSchema(Database* database) {
  Statement view;
  RTL_TRY(database->Execute("PRAGMA writable_schema = ON"));
  RTL_TRY(view.Prepare(*database,
                       "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)"
                       " VALUES ('view', ?1, ?1, 0, ?2)"));
  RTL_TRY(Make(database, &view, SchemaSql()));
  RTL_TRY(Make(database, &view, SpanTablesSql()));
  RTL_TRY(Make(database, &view, kGapViewSql));
  RTL_TRY(Make(database, &view, std::string("CREATE VIEW graph_kernel AS") + kGraphKernelsSql));
  view.Finalize();
  return database->Execute("PRAGMA writable_schema = OFF");
}

}  // namespace rtl::store
