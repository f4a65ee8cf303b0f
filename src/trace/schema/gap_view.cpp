// SPDX-License-Identifier: MIT
// The view gpu_gap. analysis/idle_time.cpp uses the same words for its causes.
#include "trace/schema/schema.h"

namespace rtl::store {

const char kGapViewSql[] = R"sql(
CREATE VIEW gpu_gap AS
-- Kernels and copies of a GPU in the order of their starts, with when all before them had ended.
WITH work AS (
  SELECT o.id, o.gpuId, o.queueId, o.process_id, o.pid, o.tid, o.start, o.end, o.submit,
         o.description_id, t.string LIKE 'Copy%' AS copy,
         max(o.end) OVER (PARTITION BY o.gpuId ORDER BY o.start, t.string LIKE 'Copy%', o.id
                          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
  FROM rocpd_op o JOIN rocpd_string t ON t.id = o.opType_id
  WHERE o.gpuId >= 0 AND (t.string = 'KernelExecution' OR t.string LIKE 'Copy%')
),
-- What ended later than all before it, with the one before it of these.
latest AS (
  SELECT *, lag(queueId) OVER one AS last_queue, lag(copy) OVER one AS last_copy,
         lag(description_id) OVER one AS last_name
  FROM work WHERE before IS NULL OR end > before
  WINDOW one AS (PARTITION BY gpuId ORDER BY start, copy, id)
),
gap AS (
  SELECT gpuId, before AS start, start AS end, process_id, pid, tid, queueId, id AS op_id, copy,
         last_queue, last_copy, last_name,
         CASE WHEN submit = 0 THEN start ELSE min(submit, start) END AS submit
  FROM latest WHERE start > before
),
-- Those in which the host had not submitted yet, by the thread that then did.
host_gap AS (
  SELECT *, row_number() OVER (PARTITION BY gpuId, process_id, tid ORDER BY start) AS number
  FROM gap WHERE submit > start
),
-- What the threads that submit after gaps were in: HIP calls, and roctx ranges.
span AS (
  SELECT a.id, a.process_id, a.tid, a.start, a.end, a.apiName_id AS name, 1 AS call, 0 AS range
  FROM rocpd_api a WHERE a.end > a.start
  UNION ALL
  SELECT o.id, o.process_id, o.tid, o.start, o.end, o.description_id, 0, 1 FROM rocpd_op o
  WHERE o.opType_id = (SELECT id FROM rocpd_string WHERE string = 'UserMarker') AND o.flags & 3 = 0
    AND o.end > o.start
),
-- The moments at which it changes what a thread is in, and at which its gaps begin and end.
moment AS (
  SELECT t.gpuId, s.process_id, s.tid, s.start AS time, 1 AS place, s.end AS until, s.id, s.name,
         s.call, s.range, 0 AS gap
  FROM span s JOIN (SELECT DISTINCT gpuId, process_id, tid FROM host_gap) t
    ON t.process_id = s.process_id AND t.tid = s.tid
  UNION ALL
  SELECT t.gpuId, s.process_id, s.tid, s.end, 0, 0, s.id, 0, -s.call, -s.range, 0
  FROM span s JOIN (SELECT DISTINCT gpuId, process_id, tid FROM host_gap) t
    ON t.process_id = s.process_id AND t.tid = s.tid
  UNION ALL
  SELECT gpuId, process_id, tid, start, 2, 0, op_id, 0, 0, 0, 1 FROM host_gap
  UNION ALL
  SELECT gpuId, process_id, tid, submit, 2, 0, op_id, 0, 0, 0, -1 FROM host_gap
),
-- How many calls and ranges are open after each moment, and in which gap it is.
depth AS (
  SELECT *, row_number() OVER one AS n, sum(call) OVER one AS calls, sum(range) OVER one AS ranges,
         sum(gap) OVER one AS inside, sum(gap = 1) OVER one AS number
  FROM moment
  WINDOW one AS (PARTITION BY gpuId, process_id, tid ORDER BY time, place, until DESC, id
                 ROWS UNBOUNDED PRECEDING)
),
-- The innermost is the last that opened at this depth: its name is in the lower 31 bits.
innermost AS (
  SELECT gpuId, process_id, tid, n, time, inside, number, calls, ranges,
         max(CASE WHEN call = 1 THEN n << 31 | name END)
           OVER (PARTITION BY gpuId, process_id, tid, calls ORDER BY n) AS call,
         max(CASE WHEN range = 1 THEN n << 31 | name END)
           OVER (PARTITION BY gpuId, process_id, tid, ranges ORDER BY n) AS range
  FROM depth
),
-- The call, or minus the range; zero: neither.
state AS (
  SELECT gpuId, process_id, tid, number, n, time, inside,
         CASE WHEN calls > 0 THEN call & 2147483647 WHEN ranges > 0 THEN -(range & 2147483647)
              ELSE 0 END AS state,
         lead(time) OVER (PARTITION BY gpuId, process_id, tid ORDER BY n) AS next
  FROM innermost
),
change AS (
  SELECT *, lag(state) OVER (PARTITION BY gpuId, process_id, tid, number ORDER BY n) AS before
  FROM state WHERE inside = 1 AND next > time
),
piece AS (
  SELECT *, lead(time) OVER (PARTITION BY gpuId, process_id, tid, number ORDER BY n) AS end
  FROM change WHERE before IS NULL OR state <> before
),
-- When the barrier packet opened that opened last on the queue, and of which kind it was.
opened AS (
  SELECT op_id, max(opened) OVER (PARTITION BY queueId ORDER BY time, op_id IS NOT NULL
                                  ROWS UNBOUNDED PRECEDING) AS opened
  FROM (SELECT NULL AS op_id, o.queueId, o.end AS time, o.end * 4 + b.kind AS opened
        FROM rtl_barrier b JOIN rocpd_op o ON o.id = b.op_id
        UNION ALL SELECT op_id, queueId, end, NULL FROM gap WHERE NOT copy)
),
-- From `ready` to `open` a barrier held up what had been submitted.
submitted AS (
  SELECT g.*, max(g.start, g.submit) AS ready, b.opened % 4 AS barrier,
         max(g.start, g.submit, coalesce(b.opened / 4, 0)) AS open
  FROM gap g LEFT JOIN opened b ON b.op_id = g.op_id
)
SELECT g.gpuId, p.time AS start, coalesce(p.end, g.submit) AS end,
       CASE WHEN p.state <= 0 THEN 'host code'
            WHEN instr(s.string, 'Synchronize') THEN 'synchronization'
            WHEN instr(s.string, 'Launch') OR instr(s.string, 'CallConfiguration') THEN 'launching'
            WHEN NOT (s.string GLOB 'hipMem[cs][pe][yt]*' OR s.string GLOB 'cuMem[cs][pe][yt]*'
                      OR s.string GLOB 'cudaMem[cs][pe][yt]*') THEN 'HIP call'
            WHEN instr(s.string, 'Async') THEN 'launching' ELSE 'blocking copy' END AS cause,
       coalesce(s.string, '') AS place, g.pid, g.tid, g.queueId, g.op_id
FROM piece p JOIN host_gap g ON g.gpuId = p.gpuId AND g.process_id = p.process_id AND g.tid = p.tid
  AND g.number = p.number
LEFT JOIN rocpd_string s ON s.id = abs(p.state) AND p.state <> 0
UNION ALL
SELECT gpuId, ready, open, 'waiting for a barrier',
       CASE barrier WHEN 1 THEN 'BarrierAnd' WHEN 2 THEN 'BarrierOr'
                    WHEN 3 THEN 'BarrierValue' ELSE 'Barrier' END,
       pid, tid, queueId, op_id
FROM submitted WHERE open > ready
UNION ALL
SELECT gpuId, open, end,
       CASE WHEN submit > start THEN 'launch latency'
            WHEN last_copy THEN 'waiting for a copy'
            WHEN NOT copy AND queueId <> last_queue THEN 'waiting for another queue'
            ELSE 'order of work' END,
       CASE WHEN submit > start THEN ''
            WHEN last_copy THEN (SELECT string FROM rocpd_string WHERE id = last_name)
            WHEN NOT copy AND queueId <> last_queue
              THEN (SELECT 'queue ' || queue FROM rtl_queue WHERE id = last_queue)
            ELSE '' END,
       pid, tid, queueId, op_id
FROM submitted WHERE end > open;
)sql";

}  // namespace rtl::store
