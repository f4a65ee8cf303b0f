// SPDX-License-Identifier: MIT
// earlier_schemas.h: turns a database of this version into one of an earlier schema, step by step.
#pragma once

namespace rtl::test {

// Schema 12: names that are aliases today.
inline constexpr char kMakeEarlierNamesSql[] = R"sql(
ALTER TABLE rtl_process DROP COLUMN loaded_by;
ALTER TABLE rtl_queue DROP COLUMN submitted;
DELETE FROM rtl_process_counter WHERE counter = 'submitted';
DELETE FROM rocpd_metadata
WHERE tag LIKE 'submitted.%' OR substr(tag, 1, 12) = 'not_counted.' OR tag = 'loaded_by';
UPDATE rocpd_metadata SET value = '12' WHERE tag = 'schema_version';
)sql";

// Schema 10, from 12: all links from calls to operations are in one table, and all launches in another.
inline constexpr char kMakeLinkTableSql[] = R"sql(
CREATE TEMP TABLE links AS SELECT api_id, op_id FROM rocpd_api_ops;
DROP VIEW rocpd_api_ops;
DROP TABLE rtl_api_op;
CREATE TABLE rocpd_api_ops (id INTEGER PRIMARY KEY, api_id INTEGER NOT NULL, op_id INTEGER NOT NULL);
INSERT INTO rocpd_api_ops (api_id, op_id) SELECT api_id, op_id FROM links;
INSERT INTO rtl_kernelapi (api_id, launch_call)
SELECT c.id, s.launch_call FROM rtl_call c JOIN rtl_call_site s ON s.id = c.site
WHERE s.launch_call IS NOT NULL;
DROP VIEW rocpd_kernelapi;
ALTER TABLE rtl_call DROP COLUMN op_id;
ALTER TABLE rtl_call_site DROP COLUMN launch_call;
CREATE VIEW rocpd_kernelapi AS
SELECT k.api_id, l.stream, l.gridX, l.gridY, l.gridZ, l.workgroupX, l.workgroupY, l.workgroupZ,
       l.groupSegmentSize, l.privateSegmentSize, l.kernelName_id
FROM rtl_kernelapi k LEFT JOIN rtl_launch_call l ON l.id = k.launch_call;
UPDATE rocpd_metadata SET value = '10' WHERE tag = 'schema_version';
)sql";

// Schema 7, from 10: calls and launches are tables of their own.
inline constexpr char kMakeWideCallsSql[] = R"sql(
CREATE TEMP TABLE calls AS SELECT * FROM rocpd_api;
CREATE TEMP TABLE launches AS SELECT * FROM rocpd_kernelapi;
DROP VIEW rocpd_api;
DROP VIEW rocpd_kernelapi;
DROP VIEW api_stream;
DROP TABLE rtl_call;
DROP TABLE rtl_call_site;
DROP TABLE rtl_kernelapi;
DROP TABLE rtl_launch_call;
CREATE TABLE rocpd_api (
  id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, tid INTEGER NOT NULL, start INTEGER NOT NULL,
  end INTEGER NOT NULL, apiName_id INTEGER NOT NULL, args_id INTEGER NOT NULL,
  correlation_id INTEGER NOT NULL DEFAULT 0, result INTEGER, process_id INTEGER NOT NULL DEFAULT 0,
  rank INTEGER, stream INTEGER);
INSERT INTO rocpd_api SELECT * FROM calls;
CREATE TABLE rocpd_kernelapi (
  api_id INTEGER PRIMARY KEY, stream TEXT NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL,
  gridZ INTEGER NOT NULL, workgroupX INTEGER NOT NULL, workgroupY INTEGER NOT NULL,
  workgroupZ INTEGER NOT NULL, groupSegmentSize INTEGER NOT NULL,
  privateSegmentSize INTEGER NOT NULL, kernelName_id INTEGER NOT NULL);
INSERT INTO rocpd_kernelapi SELECT * FROM launches;
CREATE VIEW api_stream AS
SELECT a.id AS api_id, s.id AS stream_id, s.stream, s.name
FROM rocpd_api a JOIN rtl_stream s
  ON s.process_id = a.process_id AND s.handle = a.stream
 AND a.start BETWEEN coalesce(s.created, 0) AND coalesce(s.destroyed, a.start);
UPDATE rocpd_metadata SET value = '7' WHERE tag = 'schema_version';
)sql";

}  // namespace rtl::test
