SELECT s.string, count(*), count(DISTINCT o.queueId), max(o.gridX), max(o.gridY), max(o.groupSegmentSize)
  FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE o.queueId > 0
  AND s.string <> '__amd_rocclr_copyBuffer' GROUP BY 1 ORDER BY 1;
SELECT s.string, count(*), o.roctxId > 0 FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id
  JOIN rocpd_string t ON t.id = o.opType_id WHERE t.string = 'UserMarker' GROUP BY 1 ORDER BY 1;
WITH marker AS (SELECT o.*, s.string AS text FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE o.gpuId < 0)
  SELECT 'launches outside their round', count(*) FROM marker l WHERE l.text = 'launch' AND NOT EXISTS
  (SELECT * FROM marker r WHERE r.text LIKE 'round %' AND r.start <= l.start AND l.end <= r.end);
WITH marker AS (SELECT o.*, s.string AS text FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE o.gpuId < 0)
  SELECT 'kernels submitted outside a launch', count(*) FROM rocpd_op k WHERE k.queueId > 0 AND NOT EXISTS
  (SELECT * FROM marker l WHERE l.text = 'launch' AND l.start <= k.submit AND k.submit <= l.end);
