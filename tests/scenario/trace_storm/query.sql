SELECT s.string, o.gpuId, count(*), min(o.gridX), max(o.gridX), max(o.gridY), max(o.workgroupX)
  FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE s.string LIKE '%count_%' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT 'overlaps', count(*) FROM (SELECT start, lag(end) OVER (PARTITION BY queueId ORDER BY start) AS before
  FROM rocpd_op WHERE queueId > 0) WHERE start < before;
SELECT 'out of order', count(*) FROM (SELECT packet, lag(packet) OVER (PARTITION BY queueId ORDER BY start) AS before
  FROM rocpd_op WHERE queueId > 0) WHERE packet <= before;
SELECT 'started before it was submitted', count(*) FROM rocpd_op WHERE queueId > 0 AND start + 80 < submit;
SELECT 'queues of another GPU', count(*) FROM rocpd_op o JOIN rtl_queue q ON q.id = o.queueId WHERE o.gpuId <> q.gpu;
SELECT 'threads', count(DISTINCT o.tid) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE s.string LIKE '%count_%';
