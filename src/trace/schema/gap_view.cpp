// SPDX-License-Identifier: MIT
// The view gpu_gap. analysis/idle_time.cpp uses the same words for its causes.
#include "trace/schema/schema.h"

namespace rtl::store {

const char kGapViewSql[] = R"sql(
CREATE VIEW gpu_gap AS
-- Kernels and copies of a GPU in the order of their starts, with when all before them had ended.
WITH RECURSIVE work AS (
  SELECT o.id, o.gpuId, o.queueId, o.pid, o.tid, o.start, o.end, o.submit, o.description_id,
         t.string LIKE 'Copy%' AS copy,
         max(o.end) OVER (PARTITION BY o.gpuId ORDER BY o.start, t.string LIKE 'Copy%', o.id
                          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
  FROM rocpd_op o JOIN rocpd_string t ON t.id = o.opType_id
  WHERE o.gpuId >= 0 AND (t.string = 'KernelExecution' OR t.string LIKE 'Copy%')
),
-- What ended later than all before it, with the one before it of these.
latest AS (
  SELECT *, lag(end - start) OVER one AS last_length, lag(queueId) OVER one AS last_queue,
         lag(copy) OVER one AS last_copy, lag(description_id) OVER one AS last_name
  FROM work WHERE before IS NULL OR end > before
  WINDOW one AS (PARTITION BY gpuId ORDER BY start, copy, id)
),
gap AS (
  SELECT gpuId, before AS start, start AS end, pid, tid, queueId, id AS op_id, copy, last_length,
         last_queue, last_copy, last_name,
         CASE WHEN submit = 0 THEN start ELSE min(submit, start) END AS submit
  FROM latest WHERE start > before
),
-- Those in which the host had not submitted yet, by the thread that then did.
host_gap AS (
  SELECT *, row_number() OVER (PARTITION BY gpuId, pid, tid ORDER BY start) AS number
  FROM gap WHERE submit > start
),
-- What the threads that submit after gaps were in: HIP calls by kind, and roctx ranges.
span AS (
  SELECT a.id, a.pid, a.tid, a.start, a.end, n.string AS name,
         CASE WHEN instr(n.string, 'Synchronize') THEN 'synchronization'
              WHEN instr(n.string, 'Launch') OR instr(n.string, 'CallConfiguration') THEN 'launching'
              WHEN NOT (n.string GLOB 'hipMemcpy*' OR n.string GLOB 'hipMemset*') THEN 'HIP call'
              WHEN instr(n.string, 'Async') THEN 'launching' ELSE 'blocking copy' END AS kind
  FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id
  UNION ALL
  SELECT -o.id, o.pid, o.tid, o.start, o.end, n.string, 'range'
  FROM rocpd_op o JOIN rocpd_string n ON n.id = o.description_id
  WHERE o.opType_id = (SELECT id FROM rocpd_string WHERE string = 'UserMarker') AND o.flags & 3 = 0
),
-- Which gaps a span overlaps: of those before its thread's submissions the first and the last.
moment AS (
  SELECT s.*, t.gpuId, s.start AS time, 2 AS place FROM span s
  JOIN (SELECT DISTINCT gpuId, pid, tid FROM host_gap) t ON t.pid = s.pid AND t.tid = s.tid
  UNION ALL
  SELECT s.*, t.gpuId, s.end, 3 FROM span s
  JOIN (SELECT DISTINCT gpuId, pid, tid FROM host_gap) t ON t.pid = s.pid AND t.tid = s.tid
  UNION ALL
  SELECT NULL, pid, tid, NULL, NULL, NULL, NULL, gpuId, submit, 1 FROM host_gap
  UNION ALL
  SELECT NULL, pid, tid, NULL, NULL, NULL, NULL, gpuId, start, 4 FROM host_gap
),
counted AS (
  SELECT id, gpuId, pid, tid, start, end, name, kind, place,
         sum(place = 1) OVER one AS done, sum(place = 4) OVER one AS begun
  FROM moment
  WINDOW one AS (PARTITION BY gpuId, pid, tid ORDER BY time, place ROWS UNBOUNDED PRECEDING)
),
piece AS (
  SELECT id, gpuId, pid, tid, start, end, name, kind,
         max(CASE WHEN place = 2 THEN done + 1 END) AS number,
         max(CASE WHEN place = 3 THEN begun END) AS last
  FROM counted WHERE id IS NOT NULL GROUP BY gpuId, id
  UNION ALL
  SELECT id, gpuId, pid, tid, start, end, name, kind, number + 1, last FROM piece
  WHERE number < last
),
inside AS (
  SELECT g.op_id, s.kind, s.name, s.start, s.end, s.start <= g.start AS before,
         min(s.end, g.submit) - max(s.start, g.start) AS ns, g.start + (g.end - g.start) / 2 AS middle
  FROM piece s JOIN host_gap g
    ON g.gpuId = s.gpuId AND g.pid = s.pid AND g.tid = s.tid AND g.number = s.number
  WHERE s.number <= s.last AND s.start < g.submit AND s.end > g.start
),
-- The longest call of each kind, and the innermost range.
named AS (
  SELECT op_id, kind, name,
         row_number() OVER (PARTITION BY op_id, kind ORDER BY ns DESC, start DESC) AS place
  FROM inside WHERE kind <> 'range'
  UNION ALL
  SELECT op_id, 'host code', name, row_number() OVER (PARTITION BY op_id ORDER BY start DESC, end)
  FROM inside WHERE kind = 'range' AND start <= middle AND end > middle
),
called AS (
  SELECT op_id, sum(kind = 'synchronization' AND before) AS waits,
         sum(kind = 'blocking copy' AND before) AS copies,
         sum(CASE WHEN kind = 'synchronization' THEN ns ELSE 0 END) AS synchronized,
         sum(CASE WHEN kind = 'blocking copy' THEN ns ELSE 0 END) AS copied,
         sum(CASE WHEN kind = 'launching' THEN ns ELSE 0 END) AS launching,
         sum(CASE WHEN kind = 'HIP call' THEN ns ELSE 0 END) AS calling
  FROM inside WHERE kind <> 'range' GROUP BY op_id
),
-- When the barrier packet opened that opened last on the queue, and of which kind it was.
opened AS (
  SELECT op_id, max(opened) OVER (PARTITION BY queueId ORDER BY time, op_id IS NOT NULL
                                  ROWS UNBOUNDED PRECEDING) AS opened
  FROM (SELECT NULL AS op_id, o.queueId, o.end AS time, o.end * 4 + b.kind AS opened
        FROM rtl_barrier b JOIN rocpd_op o ON o.id = b.op_id
        UNION ALL SELECT op_id, queueId, end, NULL FROM gap WHERE NOT copy)
),
-- The time between is split. A host that had not waited would have launched while the work before still
-- ran: so much of launching is the price of the wait, and so is the way to the GPU.
split AS (
  SELECT g.*, coalesce(c.waits > 0, 0) AS waits, coalesce(c.copies > 0, 0) AS copies,
         coalesce(c.synchronized, 0) AS synchronized, coalesce(c.copied, 0) AS copied,
         coalesce(c.launching, 0) AS launching, coalesce(c.calling, 0) AS calling,
         CASE WHEN coalesce(c.waits + c.copies, 0) > 0 THEN min(c.launching, g.last_length)
              ELSE 0 END AS blamed,
         max(g.start, g.submit, coalesce(b.opened / 4, 0)) AS open,
         b.opened % 4 AS barrier
  FROM gap g LEFT JOIN called c ON c.op_id = g.op_id
  LEFT JOIN opened b ON b.op_id = g.op_id
),
part AS (
  SELECT *, submit <= start AS ahead, open - max(start, submit) AS closed,
         max(0, submit - start - synchronized - copied - launching - calling) AS host,
         synchronized + CASE WHEN waits AND NOT copies THEN blamed + end - open ELSE 0 END AS a,
         copied + CASE WHEN copies THEN blamed + end - open ELSE 0 END AS b,
         launching - blamed + CASE WHEN NOT waits AND NOT copies AND launching > 0
                                   THEN end - open ELSE 0 END AS c,
         CASE WHEN NOT waits AND NOT copies AND launching = 0 THEN end - open ELSE 0 END AS d
  FROM split
),
judged AS (
  SELECT *, CASE
    WHEN ahead AND closed >= end - open AND closed > 0 THEN 'waiting for a barrier'
    WHEN ahead AND last_copy THEN 'waiting for a copy'
    WHEN ahead AND NOT copy AND queueId <> last_queue THEN 'waiting for another queue'
    WHEN ahead THEN 'order of work'
    WHEN host >= max(a, b, c, calling, closed, d) THEN 'host code'
    WHEN a >= max(b, c, calling, closed, d) THEN 'synchronization'
    WHEN b >= max(c, calling, closed, d) THEN 'blocking copy'
    WHEN c >= max(calling, closed, d) THEN 'launching'
    WHEN calling >= max(closed, d) THEN 'HIP call'
    WHEN closed >= d THEN 'waiting for a barrier'
    ELSE 'launch latency' END AS cause
  FROM part
)
SELECT j.gpuId, j.start, j.end, j.cause,
       CASE j.cause
         WHEN 'waiting for a barrier' THEN
           CASE barrier WHEN 1 THEN 'BarrierAnd' WHEN 2 THEN 'BarrierOr'
                        WHEN 3 THEN 'BarrierValue' ELSE 'Barrier' END
         WHEN 'waiting for a copy' THEN (SELECT string FROM rocpd_string WHERE id = last_name)
         WHEN 'waiting for another queue' THEN
           (SELECT 'queue ' || queue FROM rtl_queue WHERE id = last_queue)
         ELSE coalesce(n.name, '') END AS place,
       j.pid, j.tid, j.queueId, j.op_id
FROM judged j LEFT JOIN named n ON n.op_id = j.op_id AND n.kind = j.cause AND n.place = 1;
)sql";

}  // namespace rtl::store
