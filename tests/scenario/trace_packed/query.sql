SELECT s.string, count(*), count(DISTINCT o.queueId), max(o.gridX), max(o.gridY), max(o.groupSegmentSize)
  FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE o.queueId > 0
  AND s.string <> '__amd_rocclr_copyBuffer' GROUP BY 1 ORDER BY 1;
SELECT 'started before it was submitted', count(*) FROM rocpd_op WHERE queueId > 0 AND start + 80 < submit;
SELECT 'overlaps', count(*) FROM (SELECT start, lag(end) OVER (PARTITION BY queueId ORDER BY start) AS before
  FROM rocpd_op WHERE queueId > 0) WHERE start < before;
SELECT 'copies', count(*) = (SELECT count(*) FROM rtl_copy) FROM rocpd_op WHERE id IN (SELECT op_id FROM rtl_copy) AND end > start;
SELECT s.string, count(*) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE o.gpuId < 0 GROUP BY 1 ORDER BY 1;
SELECT 'ids', count(*) = max(id), min(id) FROM rocpd_op;
