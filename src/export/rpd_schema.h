// SPDX-License-Identifier: MIT
// rpd_schema.h: the tables and views for which RPD's tools search. Names and columns are RPD's.
//
// Version 2 has one table of texts. The view rocpd_ustring and the columns category_id and
// domain_id come from version 3; RPD's queries topEx and topDiff still read completionSignal and
// the column Ave of `top`.
#pragma once

namespace rtl::exporting {

inline constexpr char kRpdTablesSql[] = R"sql(
CREATE TABLE rocpd_metadata (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, tag TEXT NOT NULL,
                             value TEXT NOT NULL);
CREATE TABLE rocpd_string (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, string TEXT NOT NULL);
CREATE TABLE rocpd_api (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  pid INTEGER NOT NULL, tid INTEGER NOT NULL,
  start INTEGER NOT NULL, end INTEGER NOT NULL,
  apiName_id INTEGER NOT NULL, args_id INTEGER NOT NULL,
  category_id INTEGER NOT NULL, domain_id INTEGER NOT NULL
);
CREATE TABLE rocpd_op (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  gpuId INTEGER NOT NULL, queueId INTEGER NOT NULL, sequenceId INTEGER NOT NULL,
  start INTEGER NOT NULL, end INTEGER NOT NULL,
  description_id INTEGER NOT NULL, opType_id INTEGER NOT NULL,
  completionSignal TEXT NOT NULL DEFAULT ''
);
CREATE TABLE rocpd_api_ops (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
                            api_id INTEGER NOT NULL, op_id INTEGER NOT NULL);
CREATE TABLE rocpd_kernelapi (
  api_ptr_id INTEGER NOT NULL PRIMARY KEY,
  stream TEXT NOT NULL,
  gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL,
  workgroupX INTEGER NOT NULL, workgroupY INTEGER NOT NULL, workgroupZ INTEGER NOT NULL,
  groupSegmentSize INTEGER NOT NULL, privateSegmentSize INTEGER NOT NULL,
  kernelName_id INTEGER NOT NULL
);
CREATE TABLE rocpd_copyapi (
  api_ptr_id INTEGER NOT NULL PRIMARY KEY,
  stream TEXT NOT NULL,
  size INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, kind INTEGER NOT NULL,
  dst TEXT NOT NULL, src TEXT NOT NULL, dstDevice INTEGER NOT NULL, srcDevice INTEGER NOT NULL,
  sync INTEGER NOT NULL, pinned INTEGER NOT NULL
);
CREATE TABLE rocpd_monitor (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  deviceType TEXT NOT NULL, deviceId INTEGER NOT NULL, monitorType TEXT NOT NULL,
  start INTEGER NOT NULL, end INTEGER NOT NULL, value TEXT NOT NULL
);
INSERT INTO rocpd_metadata (tag, value) VALUES ('schema_version', '2');
)sql";

// Executed after the rows are written, because building an index at the end is faster.
inline constexpr char kRpdViewsSql[] = R"sql(
CREATE INDEX rocpd_api_ops_api ON rocpd_api_ops (api_id);
CREATE INDEX rocpd_api_ops_op ON rocpd_api_ops (op_id);

CREATE VIEW rocpd_ustring AS SELECT id, string FROM rocpd_string;

CREATE VIEW api AS
SELECT a.id AS id, a.pid AS pid, a.tid AS tid, a.start AS start, a.end AS end,
       domain.string AS domain, category.string AS category, name.string AS apiName,
       args.string AS args
FROM rocpd_api a
JOIN rocpd_string domain ON domain.id = a.domain_id
JOIN rocpd_string category ON category.id = a.category_id
JOIN rocpd_string name ON name.id = a.apiName_id
JOIN rocpd_string args ON args.id = a.args_id;

CREATE VIEW op AS
SELECT o.id AS id, o.gpuId AS gpuId, o.queueId AS queueId, o.sequenceId AS sequenceId,
       o.start AS start, o.end AS end, description.string AS description, type.string AS opType
FROM rocpd_op o
JOIN rocpd_string description ON description.id = o.description_id
JOIN rocpd_string type ON type.id = o.opType_id;

-- As RPD's: where work overlaps, the time counts each time.
CREATE VIEW busy AS
WITH wall AS (SELECT max(end) - min(start) AS WallTime FROM rocpd_op)
SELECT gpuId, sum(end - start) AS GpuTime, WallTime, 1.0 * sum(end - start) / WallTime AS Busy
FROM rocpd_op, wall
GROUP BY gpuId;

-- What has no description goes by its type.
CREATE VIEW top AS
WITH named AS (
  SELECT CASE description WHEN '' THEN opType ELSE description END AS Name, end - start AS took
  FROM op
)
SELECT Name, count(*) AS TotalCalls, sum(took) / 1000 AS TotalDuration_us,
       (sum(took) / count(*)) / 1000.0 AS Ave_us, (sum(took) / count(*)) / 1000.0 AS Ave,
       100.0 * sum(took) / (SELECT sum(took) FROM named) AS Percentage
FROM named
GROUP BY Name
ORDER BY TotalDuration_us DESC;

CREATE VIEW kernel AS
SELECT o.id AS id, o.gpuId AS gpuId, o.queueId AS queueId, o.sequenceId AS sequenceId,
       o.start AS start, o.end AS end, o.end - o.start AS duration, k.stream AS stream,
       k.gridX AS gridX, k.gridY AS gridY, k.gridZ AS gridZ, k.workgroupX AS workgroupX,
       k.workgroupY AS workgroupY, k.workgroupZ AS workgroupZ,
       k.groupSegmentSize AS groupSegmentSize, k.privateSegmentSize AS privateSegmentSize,
       name.string AS kernelName
FROM rocpd_api_ops l
JOIN rocpd_op o ON o.id = l.op_id
JOIN rocpd_kernelapi k ON k.api_ptr_id = l.api_id
JOIN rocpd_string name ON name.id = k.kernelName_id;

CREATE VIEW copy AS
SELECT a.id AS id, a.pid AS pid, a.tid AS tid, a.start AS start, a.end AS end,
       name.string AS apiName, c.stream AS stream, c.size AS size, c.width AS width,
       c.height AS height, c.kind AS kind, c.dst AS dst, c.src AS src, c.dstDevice AS dstDevice,
       c.srcDevice AS srcDevice, c.sync AS sync, c.pinned AS pinned
FROM rocpd_copyapi c
JOIN rocpd_api a ON a.id = c.api_ptr_id
JOIN rocpd_string name ON name.id = a.apiName_id;

CREATE VIEW copyop AS
SELECT o.id AS id, o.gpuId AS gpuId, o.queueId AS queueId, o.sequenceId AS sequenceId,
       o.start AS start, o.end AS end, o.end - o.start AS duration, c.stream AS stream,
       c.size AS size, c.width AS width, c.height AS height, c.kind AS kind, c.dst AS dst,
       c.src AS src, c.dstDevice AS dstDevice, c.srcDevice AS srcDevice, c.sync AS sync,
       c.pinned AS pinned, name.string AS apiName
FROM rocpd_api_ops l
JOIN rocpd_op o ON o.id = l.op_id
JOIN rocpd_copyapi c ON c.api_ptr_id = l.api_id
JOIN rocpd_api a ON a.id = l.api_id
JOIN rocpd_string name ON name.id = a.apiName_id;
)sql";

}  // namespace rtl::exporting
