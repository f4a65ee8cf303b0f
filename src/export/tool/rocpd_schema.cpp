// SPDX-License-Identifier: MIT
#include "export/tool/rocpd_schema.h"

#include <algorithm>
#include <sstream>

namespace rtl::exporting::tool {
namespace {

// One table, with its columns after id and guid. "tid>info_thread": the id of a row in that table;
// "!": never NULL; ":t": text; ":r": a fraction; ":j": JSON.
struct TableFacts {
  const char* name;
  const char* columns;
};
constexpr TableFacts kTables[] = {
    {"string", "string:t!*"},
    {"info_node",
     "hash!* machine_id:t!* system_name:t hostname:t release:t version:t hardware_name:t "
     "domain_name:t"},
    {"info_process",
     "nid>info_node! ppid pid! init fini start end command:t environment:j extdata:j"},
    {"info_thread", "nid>info_node! ppid pid>info_process! tid! name:t start end extdata:j"},
    {"info_agent",
     "nid>info_node! pid>info_process! type:t absolute_index logical_index type_index uuid name:t "
     "model_name:t vendor_name:t product_name:t user_name:t extdata:j"},
    {"info_queue", "nid>info_node! pid>info_process! name:t extdata:j"},
    {"info_stream", "nid>info_node! pid>info_process! name:t extdata:j"},
    {"info_pmc",
     "nid>info_node! pid>info_process! agent_id>info_agent target_arch:t event_code instance_id "
     "name:t! symbol:t! description:t long_description:t component:t units:t value_type:t block:t "
     "expression:t is_constant is_derived extdata:j"},
    {"info_code_object",
     "nid>info_node! pid>info_process! agent_id>info_agent uri:t load_base load_size load_delta "
     "storage_type:t extdata:j"},
    {"info_kernel_symbol",
     "nid>info_node! pid>info_process! code_object_id>info_code_object! kernel_name:t "
     "display_name:t kernel_object kernarg_segment_size kernarg_segment_alignment "
     "group_segment_size private_segment_size sgpr_count arch_vgpr_count accum_vgpr_count "
     "extdata:j"},
    {"track", "nid>info_node! pid>info_process tid>info_thread name_id>string extdata:j"},
    {"event",
     "category_id>string stack_id parent_stack_id correlation_id call_stack:j line_info:j "
     "extdata:j"},
    {"arg", "event_id>event! position! type:t! name:t! value:t extdata:j"},
    {"pmc_event", "event_id>event pmc_id>info_pmc! value:r extdata:j"},
    {"region",
     "nid>info_node! pid>info_process! tid>info_thread! start! end! name_id>string! "
     "event_id>event extdata:j"},
    {"sample", "track_id>track! timestamp! event_id>event extdata:j"},
    {"kernel_dispatch",
     "nid>info_node! pid>info_process! tid>info_thread agent_id>info_agent! "
     "kernel_id>info_kernel_symbol! dispatch_id! queue_id>info_queue! stream_id>info_stream! "
     "start! end! private_segment_size group_segment_size workgroup_size_x! workgroup_size_y! "
     "workgroup_size_z! grid_size_x! grid_size_y! grid_size_z! region_name_id>string "
     "event_id>event extdata:j"},
    {"memory_copy",
     "nid>info_node! pid>info_process! tid>info_thread start! end! name_id>string! "
     "dst_agent_id>info_agent dst_address src_agent_id>info_agent src_address size! "
     "queue_id>info_queue stream_id>info_stream region_name_id>string event_id>event extdata:j"},
    {"memory_allocate",
     "nid>info_node! pid>info_process! tid>info_thread agent_id>info_agent type:t level:t start! "
     "end! address size! queue_id>info_queue stream_id>info_stream event_id>event extdata:j"},
};

std::string Column(std::string text, const std::string& suffix, std::string* references) {
  const auto take = [&](char mark) {
    const bool is_there = text.back() == mark;
    if (is_there) text.pop_back();
    return is_there;
  };
  const bool unique = take('*');
  const bool never_null = take('!');
  const size_t target = text.find('>'), form = text.find(':');
  const std::string name = text.substr(0, std::min(target, form));
  std::string sql = "\"" + name + "\" ";
  const char kind = form == std::string::npos ? 'i' : text[form + 1];
  sql += kind == 't'   ? "TEXT"
         : kind == 'r' ? "REAL DEFAULT 0.0"
         : kind == 'j' ? "JSONB"
                       : "INTEGER";
  if (kind == 'j') sql += " DEFAULT '{}' NOT NULL";
  if (never_null) sql += " NOT NULL";
  if (unique) sql += " UNIQUE";
  if (target != std::string::npos) {
    *references += ", FOREIGN KEY (\"" + name + "\") REFERENCES rocpd_" + text.substr(target + 1) +
                   suffix + " (id) ON UPDATE CASCADE";
  }
  return sql;
}

std::string TableSql(const TableFacts& table, const std::string& suffix, const std::string& guid) {
  std::string sql = "CREATE TABLE rocpd_" + std::string(table.name) + suffix +
                    " (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, guid TEXT DEFAULT '" + guid +
                    "' NOT NULL";
  std::string references;
  std::istringstream columns(table.columns);
  for (std::string column; columns >> column;) sql += ", " + Column(column, suffix, &references);
  return sql + references + ");\n";
}

// The joins of a view, in which rows with a GUID are joined by "JOIN … ON …" that also compares the
// GUID.
constexpr char kViews[] = R"sql(
CREATE VIEW code_objects AS
SELECT c.id, c.guid, c.nid, p.pid, a.absolute_index AS agent_abs_index, c.uri, c.load_base,
  c.load_size, c.load_delta, c.storage_type AS storage_type_str,
  json_extract(c.extdata, '$.size') AS code_object_size,
  json_extract(c.extdata, '$.storage_type') AS storage_type,
  json_extract(c.extdata, '$.memory_base') AS memory_base,
  json_extract(c.extdata, '$.memory_size') AS memory_size
FROM rocpd_info_code_object c
JOIN rocpd_info_agent a ON (a.id, a.guid) = (c.agent_id, c.guid)
JOIN rocpd_info_process p ON (p.id, p.guid) = (c.pid, c.guid);

CREATE VIEW kernel_symbols AS
SELECT k.id, k.guid, k.nid, p.pid, k.code_object_id, k.kernel_name, k.display_name,
  k.kernel_object, k.kernarg_segment_size, k.kernarg_segment_alignment, k.group_segment_size,
  k.private_segment_size, k.sgpr_count, k.arch_vgpr_count, k.accum_vgpr_count,
  json_extract(k.extdata, '$.size') AS kernel_symbol_size,
  json_extract(k.extdata, '$.kernel_id') AS kernel_id,
  json_extract(k.extdata, '$.kernel_code_entry_byte_offset') AS kernel_code_entry_byte_offset,
  json_extract(k.extdata, '$.formatted_kernel_name') AS formatted_kernel_name,
  json_extract(k.extdata, '$.demangled_kernel_name') AS demangled_kernel_name,
  json_extract(k.extdata, '$.truncated_kernel_name') AS truncated_kernel_name,
  json_extract(k.extdata, '$.kernel_address.handle') AS kernel_address
FROM rocpd_info_kernel_symbol k
JOIN rocpd_info_process p ON (p.id, p.guid) = (k.pid, k.guid);

CREATE VIEW processes AS
SELECT n.id AS nid, n.machine_id, n.system_name, n.hostname, n.release AS system_release,
  n.version AS system_version, p.guid, p.ppid, p.pid, p.init, p.start, p.end, p.fini, p.command
FROM rocpd_info_process p JOIN rocpd_info_node n ON (n.id, n.guid) = (p.nid, p.guid);

CREATE VIEW threads AS
SELECT n.id AS nid, n.machine_id, n.system_name, n.hostname, n.release AS system_release,
  n.version AS system_version, p.guid, p.ppid, p.pid, t.tid, t.start, t.end, t.name
FROM rocpd_info_thread t
JOIN rocpd_info_process p ON (p.id, p.guid) = (t.pid, t.guid)
JOIN rocpd_info_node n ON (n.id, n.guid) = (t.nid, t.guid);

CREATE VIEW regions AS
SELECT r.id, r.guid, c.string AS category, s.string AS name, r.nid, p.pid, t.tid, r.start, r.end,
  r.end - r.start AS duration, r.event_id, e.stack_id, e.parent_stack_id,
  e.correlation_id AS corr_id, e.extdata, e.call_stack, e.line_info
FROM rocpd_region r
JOIN rocpd_event e ON (e.id, e.guid) = (r.event_id, r.guid)
JOIN rocpd_string s ON (s.id, s.guid) = (r.name_id, r.guid)
JOIN rocpd_info_process p ON (p.id, p.guid) = (r.pid, r.guid)
JOIN rocpd_info_thread t ON (t.id, t.guid) = (r.tid, r.guid)
LEFT JOIN rocpd_string c ON (c.id, c.guid) = (e.category_id, e.guid);

CREATE VIEW region_args AS
SELECT r.id, r.guid, r.nid, p.pid, a.type, a.name, a.value
FROM rocpd_region r
JOIN rocpd_arg a ON (a.event_id, a.guid) = (r.event_id, r.guid)
JOIN rocpd_info_process p ON (p.id, p.guid) = (r.pid, r.guid);

CREATE VIEW samples AS
SELECT m.id, m.guid, c.string AS category, s.string AS name, k.nid, p.pid, t.tid, m.timestamp,
  m.event_id, e.stack_id, e.parent_stack_id, e.correlation_id AS corr_id, e.extdata, e.call_stack,
  e.line_info
FROM rocpd_sample m
JOIN rocpd_track k ON (k.id, k.guid) = (m.track_id, m.guid)
JOIN rocpd_event e ON (e.id, e.guid) = (m.event_id, m.guid)
JOIN rocpd_info_process p ON (p.id, p.guid) = (k.pid, k.guid)
JOIN rocpd_info_thread t ON (t.id, t.guid) = (k.tid, k.guid)
LEFT JOIN rocpd_string c ON (c.id, c.guid) = (e.category_id, e.guid)
LEFT JOIN rocpd_string s ON (s.id, s.guid) = (k.name_id, k.guid);

CREATE VIEW sample_regions AS
SELECT id, guid, category, name, nid, pid, tid, timestamp AS start, timestamp AS "end",
  0 AS duration, event_id, stack_id, parent_stack_id, corr_id, extdata, call_stack, line_info
FROM samples;

CREATE VIEW regions_and_samples AS SELECT * FROM regions UNION ALL SELECT * FROM sample_regions;

CREATE VIEW kernels AS
SELECT d.id, d.guid, t.tid, c.string AS category, r.string AS region, k.display_name AS name,
  d.nid, p.pid, a.absolute_index AS agent_abs_index, a.logical_index AS agent_log_index,
  a.type_index AS agent_type_index, a.type AS agent_type, k.code_object_id, d.kernel_id,
  d.dispatch_id, d.stream_id, d.queue_id, q.name AS queue, s.name AS stream, d.start, d.end,
  d.end - d.start AS duration, d.grid_size_x AS grid_x, d.grid_size_y AS grid_y,
  d.grid_size_z AS grid_z, d.workgroup_size_x AS workgroup_x, d.workgroup_size_y AS workgroup_y,
  d.workgroup_size_z AS workgroup_z, d.group_segment_size AS lds_size,
  d.private_segment_size AS scratch_size, k.arch_vgpr_count AS vgpr_count, k.accum_vgpr_count,
  k.sgpr_count, k.group_segment_size AS static_lds_size,
  k.private_segment_size AS static_scratch_size, e.stack_id, e.parent_stack_id,
  e.correlation_id AS corr_id
FROM rocpd_kernel_dispatch d
JOIN rocpd_info_agent a ON (a.id, a.guid) = (d.agent_id, d.guid)
JOIN rocpd_event e ON (e.id, e.guid) = (d.event_id, d.guid)
JOIN rocpd_string r ON (r.id, r.guid) = (d.region_name_id, d.guid)
JOIN rocpd_info_kernel_symbol k ON (k.id, k.guid) = (d.kernel_id, d.guid)
JOIN rocpd_info_process p ON (p.id, p.guid) = (d.pid, d.guid)
JOIN rocpd_info_thread t ON (t.id, t.guid) = (d.tid, d.guid)
LEFT JOIN rocpd_info_stream s ON (s.id, s.guid) = (d.stream_id, d.guid)
LEFT JOIN rocpd_info_queue q ON (q.id, q.guid) = (d.queue_id, d.guid)
LEFT JOIN rocpd_string c ON (c.id, c.guid) = (e.category_id, e.guid);

CREATE VIEW pmc_info AS
SELECT i.id, i.guid, i.nid, p.pid, a.absolute_index AS agent_abs_index, i.is_constant,
  i.is_derived, i.name, i.description, i.block, i.expression
FROM rocpd_info_pmc i
JOIN rocpd_info_agent a ON (a.id, a.guid) = (i.agent_id, i.guid)
JOIN rocpd_info_process p ON (p.id, p.guid) = (i.pid, i.guid);

CREATE VIEW pmc_events AS
SELECT m.id, m.guid, m.pmc_id, m.event_id, c.string AS category, k.display_name AS name, d.nid,
  p.pid, d.dispatch_id, d.start, d.end, d.end - d.start AS duration, i.name AS counter_name,
  m.value AS counter_value
FROM rocpd_pmc_event m
JOIN rocpd_info_pmc i ON (i.id, i.guid) = (m.pmc_id, m.guid)
JOIN rocpd_event e ON (e.id, e.guid) = (m.event_id, m.guid)
JOIN rocpd_kernel_dispatch d ON (d.event_id, d.guid) = (m.event_id, m.guid)
JOIN rocpd_info_process p ON (p.id, p.guid) = (d.pid, d.guid)
LEFT JOIN rocpd_info_kernel_symbol k ON (k.id, k.guid) = (d.kernel_id, d.guid)
LEFT JOIN rocpd_string c ON (c.id, c.guid) = (e.category_id, e.guid);

CREATE VIEW events_args AS
SELECT e.id AS event_id, c.string AS category, e.stack_id, e.parent_stack_id, e.correlation_id,
  a.position AS arg_position, a.type AS arg_type, a.name AS arg_name, a.value AS arg_value,
  e.call_stack, e.line_info, a.extdata
FROM rocpd_event e
JOIN rocpd_arg a ON (a.event_id, a.guid) = (e.id, e.guid)
LEFT JOIN rocpd_string c ON (c.id, c.guid) = (e.category_id, e.guid);

CREATE VIEW stream_args AS
SELECT a.id AS argument_id, a.event_id, a.position AS arg_position, a.type AS arg_type,
  a.value AS arg_value, json_extract(a.extdata, '$.stream_id') AS stream_id, s.nid, p.pid,
  s.name AS stream_name, s.extdata
FROM rocpd_arg a
JOIN rocpd_info_stream s ON (s.id, s.guid) = (json_extract(a.extdata, '$.stream_id'), a.guid)
JOIN rocpd_info_process p ON (p.id, p.guid) = (s.pid, s.guid)
WHERE a.name = 'stream';

CREATE VIEW memory_copies AS
SELECT m.id, m.guid, c.string AS category, m.nid, p.pid, t.tid, m.start, m.end,
  m.end - m.start AS duration, n.string AS name, r.string AS region_name, m.stream_id, m.queue_id,
  s.name AS stream_name, q.name AS queue_name, m.size, d.name AS dst_device,
  d.absolute_index AS dst_agent_abs_index, d.logical_index AS dst_agent_log_index,
  d.type_index AS dst_agent_type_index, d.type AS dst_agent_type, m.dst_address,
  f.name AS src_device, f.absolute_index AS src_agent_abs_index,
  f.logical_index AS src_agent_log_index, f.type_index AS src_agent_type_index,
  f.type AS src_agent_type, m.src_address, e.stack_id, e.parent_stack_id,
  e.correlation_id AS corr_id
FROM rocpd_memory_copy m
JOIN rocpd_string n ON (n.id, n.guid) = (m.name_id, m.guid)
JOIN rocpd_event e ON (e.id, e.guid) = (m.event_id, m.guid)
JOIN rocpd_info_process p ON (p.id, p.guid) = (m.pid, m.guid)
JOIN rocpd_info_thread t ON (t.id, t.guid) = (m.tid, m.guid)
LEFT JOIN rocpd_info_agent d ON (d.id, d.guid) = (m.dst_agent_id, m.guid)
LEFT JOIN rocpd_info_agent f ON (f.id, f.guid) = (m.src_agent_id, m.guid)
LEFT JOIN rocpd_info_queue q ON (q.id, q.guid) = (m.queue_id, m.guid)
LEFT JOIN rocpd_info_stream s ON (s.id, s.guid) = (m.stream_id, m.guid)
LEFT JOIN rocpd_string r ON (r.id, r.guid) = (m.region_name_id, m.guid)
LEFT JOIN rocpd_string c ON (c.id, c.guid) = (e.category_id, e.guid);

CREATE VIEW memory_allocations AS
SELECT m.id, m.guid, c.string AS category, m.nid, p.pid, t.tid, m.start, m.end,
  m.end - m.start AS duration, m.type, m.level, a.name AS agent_name,
  a.absolute_index AS agent_abs_index, a.logical_index AS agent_log_index,
  a.type_index AS agent_type_index, a.type AS agent_type, m.address, m.size, m.queue_id,
  q.name AS queue_name, m.stream_id, s.name AS stream_name, e.stack_id, e.parent_stack_id,
  e.correlation_id AS corr_id
FROM rocpd_memory_allocate m
JOIN rocpd_event e ON (e.id, e.guid) = (m.event_id, m.guid)
JOIN rocpd_info_process p ON (p.id, p.guid) = (m.pid, m.guid)
JOIN rocpd_info_thread t ON (t.id, t.guid) = (m.tid, m.guid)
LEFT JOIN rocpd_info_agent a ON (a.id, a.guid) = (m.agent_id, m.guid)
LEFT JOIN rocpd_info_queue q ON (q.id, q.guid) = (m.queue_id, m.guid)
LEFT JOIN rocpd_info_stream s ON (s.id, s.guid) = (m.stream_id, m.guid)
LEFT JOIN rocpd_string c ON (c.id, c.guid) = (e.category_id, e.guid);

CREATE VIEW scratch_memory AS
SELECT m.id, m.guid, m.nid, p.pid, m.type AS operation, a.name AS agent_name,
  a.absolute_index AS agent_abs_index, a.logical_index AS agent_log_index,
  a.type_index AS agent_type_index, a.type AS agent_type, m.queue_id, t.tid,
  json_extract(m.extdata, '$.flags') AS alloc_flags, m.start, m.end, m.end - m.start AS duration,
  m.size, m.address, e.correlation_id, e.stack_id, e.parent_stack_id,
  e.correlation_id AS corr_id, c.string AS category, e.extdata AS event_extdata
FROM rocpd_memory_allocate m
JOIN rocpd_event e ON (e.id, e.guid) = (m.event_id, m.guid)
JOIN rocpd_info_process p ON (p.id, p.guid) = (m.pid, m.guid)
JOIN rocpd_info_thread t ON (t.id, t.guid) = (m.tid, m.guid)
LEFT JOIN rocpd_info_agent a ON (a.id, a.guid) = (m.agent_id, m.guid)
LEFT JOIN rocpd_string c ON (c.id, c.guid) = (e.category_id, e.guid)
WHERE m.level = 'SCRATCH' ORDER BY m.start;

CREATE VIEW counters_collection AS
SELECT min(m.id) AS id, m.guid, d.dispatch_id, d.kernel_id, e.id AS event_id, e.correlation_id,
  e.stack_id, e.parent_stack_id, p.pid, t.tid, d.agent_id, a.absolute_index AS agent_abs_index,
  a.logical_index AS agent_log_index, a.type_index AS agent_type_index, a.type AS agent_type,
  d.queue_id, d.grid_size_x, d.grid_size_y, d.grid_size_z,
  d.grid_size_x * d.grid_size_y * d.grid_size_z AS grid_size, k.display_name AS kernel_name,
  r.string AS kernel_region, d.workgroup_size_x, d.workgroup_size_y, d.workgroup_size_z,
  d.workgroup_size_x * d.workgroup_size_y * d.workgroup_size_z AS workgroup_size,
  d.group_segment_size AS lds_block_size, d.private_segment_size AS scratch_size,
  k.arch_vgpr_count AS vgpr_count, k.accum_vgpr_count, k.sgpr_count, i.name AS counter_name,
  i.symbol AS counter_symbol, i.component, i.description, i.block, i.expression, i.value_type,
  i.id AS counter_id, sum(m.value) AS value, d.start, d.end, i.is_constant, i.is_derived,
  d.end - d.start AS duration, c.string AS category, d.nid, e.extdata, k.code_object_id
FROM rocpd_pmc_event m
JOIN rocpd_info_pmc i ON (i.id, i.guid) = (m.pmc_id, m.guid)
JOIN rocpd_event e ON (e.id, e.guid) = (m.event_id, m.guid)
JOIN rocpd_kernel_dispatch d ON (d.event_id, d.guid) = (m.event_id, m.guid)
JOIN rocpd_info_agent a ON (a.id, a.guid) = (d.agent_id, d.guid)
JOIN rocpd_info_kernel_symbol k ON (k.id, k.guid) = (d.kernel_id, d.guid)
JOIN rocpd_info_process p ON (p.id, p.guid) = (d.pid, d.guid)
JOIN rocpd_info_thread t ON (t.id, t.guid) = (d.tid, d.guid)
LEFT JOIN rocpd_string r ON (r.id, r.guid) = (d.region_name_id, d.guid)
LEFT JOIN rocpd_string c ON (c.id, c.guid) = (e.category_id, e.guid)
GROUP BY m.guid, d.dispatch_id, i.name, d.agent_id;

CREATE VIEW top_kernels AS
SELECT k.display_name AS name, count(*) AS total_calls, sum(d.end - d.start) / 1000.0 AS total_duration,
  (sum(d.end - d.start) / count(*)) / 1000.0 AS average,
  sum(d.end - d.start) * 100.0 / (SELECT sum("end" - start) FROM rocpd_kernel_dispatch) AS percentage
FROM rocpd_kernel_dispatch d
JOIN rocpd_info_kernel_symbol k ON (k.id, k.guid) = (d.kernel_id, d.guid)
GROUP BY k.display_name ORDER BY total_duration DESC;

CREATE VIEW busy AS
WITH work AS (
  SELECT agent_id, guid, start, "end" FROM rocpd_kernel_dispatch
  UNION ALL SELECT dst_agent_id, guid, start, "end" FROM rocpd_memory_copy
)
SELECT w.agent_id, a.type, sum(w.end - w.start) AS GpuTime,
  (SELECT max("end") - min(start) FROM work) AS WallTime,
  sum(w.end - w.start) * 1.0 / (SELECT max("end") - min(start) FROM work) AS Busy
FROM work w JOIN rocpd_info_agent a ON (a.id, a.guid) = (w.agent_id, w.guid)
GROUP BY w.agent_id, w.guid;

CREATE VIEW top AS
WITH work AS (
  SELECT k.display_name AS name, d.end - d.start AS duration FROM rocpd_kernel_dispatch d
  JOIN rocpd_info_kernel_symbol k ON (k.id, k.guid) = (d.kernel_id, d.guid)
  UNION ALL
  SELECT s.string, m.end - m.start FROM rocpd_memory_copy m
  JOIN rocpd_string s ON (s.id, s.guid) = (m.name_id, m.guid)
  UNION ALL
  SELECT s.string, r.end - r.start FROM rocpd_region r
  JOIN rocpd_string s ON (s.id, s.guid) = (r.name_id, r.guid)
)
SELECT name, count(*) AS total_calls, sum(duration) / 1000.0 AS total_duration,
  (sum(duration) / count(*)) / 1000.0 AS average,
  sum(duration) * 100.0 / (SELECT sum(duration) FROM work) AS percentage
FROM work GROUP BY name ORDER BY total_duration DESC;
)sql";

std::string Suffix(const std::string& guid) {
  std::string suffix = "_" + guid;
  std::replace(suffix.begin(), suffix.end(), '-', '_');
  return suffix;
}

}  // namespace

std::string TableOf(const char* name, const std::string& guid) {
  return "rocpd_" + std::string(name) + Suffix(guid);
}

std::string RocpdSchemaSql(const std::string& guid) {
  const std::string suffix = Suffix(guid);
  std::string sql = "CREATE TABLE rocpd_metadata" + suffix +
                    " (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, tag TEXT NOT NULL,"
                    " value TEXT NOT NULL);\n"
                    "INSERT INTO rocpd_metadata" +
                    suffix + " (tag, value) VALUES ('schema_version', '3'), ('uuid', '" + suffix +
                    "'), ('guid', '" + guid + "');\n";
  std::string views = "CREATE VIEW rocpd_metadata AS SELECT * FROM rocpd_metadata" + suffix + ";\n";
  for (const TableFacts& table : kTables) {
    const std::string name = "rocpd_" + std::string(table.name);
    sql += TableSql(table, suffix, guid);
    views += "CREATE VIEW " + name + " AS SELECT * FROM " + name + suffix + ";\n";
  }
  return sql + views + kViews;
}

}  // namespace rtl::exporting::tool
