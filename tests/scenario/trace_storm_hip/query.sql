SELECT s.string, count(*), count(DISTINCT o.tid) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id
  WHERE s.string LIKE '%count_%' GROUP BY 1 ORDER BY 1;
SELECT 'linked to its call', count(*) FROM rocpd_op o JOIN rocpd_api_ops l ON l.op_id = o.id JOIN rocpd_api a ON a.id = l.api_id
  JOIN rocpd_string n ON n.id = a.apiName_id AND n.string = 'hipLaunchKernel' JOIN rocpd_string k ON k.id = o.description_id
  WHERE k.string LIKE '%count_%' AND o.tid = a.tid;
