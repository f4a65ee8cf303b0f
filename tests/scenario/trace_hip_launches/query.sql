SELECT n.string, count(*), sum(a.result <> 0) FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id GROUP BY 1 ORDER BY 1;
SELECT k.string, n.string, count(*), count(DISTINCT a.id), min(o.gridX), max(o.gridX), sum(a.tid <> o.tid) FROM rocpd_op o JOIN rocpd_string k ON k.id = o.description_id
  LEFT JOIN rocpd_api_ops l ON l.op_id = o.id LEFT JOIN rocpd_api a ON a.id = l.api_id LEFT JOIN rocpd_string n ON n.id = a.apiName_id
  WHERE k.string LIKE 'by_%' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT 'launches named after another kernel', count(*) FROM rocpd_kernelapi JOIN rocpd_string s ON s.id = kernelName_id JOIN rocpd_api a ON a.id = api_id
  JOIN rocpd_string n ON n.id = a.apiName_id WHERE s.string <> 'by_' || n.string;
SELECT 'without a call', count(*) FROM rocpd_op o WHERE NOT EXISTS (SELECT 1 FROM rocpd_api_ops l WHERE l.op_id = o.id);
SELECT 'submitted before its call', count(*) FROM rocpd_api_ops l JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_op o ON o.id = l.op_id WHERE o.submit < a.start;
SELECT 'ran before its call', count(*) FROM rocpd_api_ops l JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_op o ON o.id = l.op_id WHERE o.start + 80 < a.start;
SELECT 'ended after their stream was waited for', count(*) FROM api_stream w JOIN rocpd_api s ON s.id = w.api_id JOIN rocpd_string n ON n.id = s.apiName_id
  JOIN api_stream v ON v.stream_id = w.stream_id JOIN rocpd_api a ON a.id = v.api_id AND a.tid = s.tid AND a.end < s.start
  JOIN rocpd_api_ops l ON l.api_id = a.id JOIN rocpd_op o ON o.id = l.op_id WHERE n.string = 'hipStreamSynchronize' AND o.end > s.end;
