SELECT s.string, o.end > o.start, o.roctxId > 0, o.tid = o.pid, o.gpuId FROM rocpd_op o
  JOIN rocpd_string s ON s.id = o.description_id
  JOIN rocpd_string t ON t.id = o.opType_id AND t.string = 'UserMarker'
  ORDER BY o.start;
SELECT count(*) FROM rocpd_op k
  JOIN rocpd_string t ON t.id = k.opType_id AND t.string = 'KernelExecution'
  JOIN rocpd_op r ON r.start <= k.submit AND r.end >= k.end
  JOIN rocpd_string s ON s.id = r.description_id
  WHERE s.string IN ('from thread to thread', 'outer', 'kernel');
