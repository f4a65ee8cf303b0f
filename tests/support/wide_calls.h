// SPDX-License-Identifier: MIT
// wide_calls.h: turns a database of this version into one of schema 7, in which calls and launches
// were tables of their own.
#pragma once

namespace rtl::test {

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
