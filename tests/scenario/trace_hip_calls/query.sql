SELECT n.string, count(*), sum(a.result <> 0) FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id GROUP BY 1 ORDER BY 1;
SELECT n.string, k.string, count(*) FROM rocpd_op o JOIN rocpd_string k ON k.id = o.description_id
  LEFT JOIN rocpd_api_ops l ON l.op_id = o.id LEFT JOIN rocpd_api a ON a.id = l.api_id
  LEFT JOIN rocpd_string n ON n.id = a.apiName_id WHERE k.string LIKE '%ByLaunch%' OR k.string LIKE '%ByExt%' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT 'launches of another grid', count(*) FROM rocpd_api_ops l JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_op o ON o.id = l.op_id
  JOIN rocpd_string n ON n.id = a.apiName_id JOIN rocpd_string g ON g.id = a.args_id
  WHERE n.string IN ('hipLaunchKernel', 'hipExtLaunchKernel') AND instr(g.string, 'numBlocks={' || o.gridX / o.workgroupX || ',1,1}') = 0;
SELECT 'nodes of graphs, those of untouched batches included', count(*) + (SELECT value FROM rocpd_metadata WHERE tag = 'loss.kBatch.kernels'),
  count(DISTINCT a.id), min(n.string), max(n.string) FROM rocpd_op o JOIN rocpd_string k ON k.id = o.description_id
  LEFT JOIN rocpd_api_ops l ON l.op_id = o.id LEFT JOIN rocpd_api a ON a.id = l.api_id LEFT JOIN rocpd_string n ON n.id = a.apiName_id
  WHERE k.string LIKE '%ByGraph%';
SELECT 'of another thread', count(*) FROM rocpd_api_ops l JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_op o ON o.id = l.op_id WHERE a.tid <> o.tid;
SELECT 'submitted before its call', count(*) FROM rocpd_api_ops l JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_op o ON o.id = l.op_id
  WHERE o.submit < a.start;
SELECT 'ran before its call', count(*) FROM rocpd_api_ops l JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_op o ON o.id = l.op_id WHERE o.start + 80 < a.start;
SELECT 'calls that overlap', count(*) FROM (SELECT start, lag(end) OVER (PARTITION BY tid ORDER BY start) AS before FROM rocpd_api) WHERE start < before;
SELECT 'ended before their kernel', count(*) FROM rocpd_op o JOIN rocpd_api_ops l ON l.op_id = o.id JOIN rocpd_api a ON a.id = l.api_id
  JOIN rocpd_api s ON s.tid = a.tid AND s.start > a.end JOIN rocpd_string n ON n.id = s.apiName_id
  WHERE n.string = 'hipMemcpy' AND o.end > s.end;
SELECT 'arguments', count(*) FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id JOIN rocpd_string g ON g.id = a.args_id
  WHERE n.string = 'hipStreamBeginCapture' AND g.string LIKE 'stream=0x%, mode=hipStreamCaptureModeGlobal';
SELECT 'methods', count(*) FROM rtl_process WHERE loaded_by LIKE 'HSA_TOOLS_LIB_ HIP _._ by preload, tracer' OR loaded_by LIKE 'HSA_TOOLS_LIB_ HIP 5.2 by preload' OR loaded_by LIKE 'rocprofiler-register_ HIP 7.14 by register%' OR loaded_by LIKE 'HSA_TOOLS_LIB_ HIP 7._ by preload';
SELECT 'launches and copies described', count(*), sum(s.string LIKE '%ByLaunchKernel%'), sum(s.string LIKE '%ByExtLaunchKernel%'), min(workgroupX), max(gridX)
  FROM rocpd_kernelapi JOIN rocpd_string s ON s.id = kernelName_id;
SELECT size, kind, sync FROM rocpd_copyapi ORDER BY size;
SELECT 'copies and fills of another call', count(*) FROM rocpd_op o LEFT JOIN rocpd_api_ops l ON l.op_id = o.id LEFT JOIN rocpd_api a ON a.id = l.api_id
  LEFT JOIN rocpd_string n ON n.id = a.apiName_id JOIN rocpd_string k ON k.id = o.description_id
  WHERE (k.string LIKE 'Copy%' OR k.string LIKE '%copyBuffer%') AND n.string IS NOT 'hipMemcpy' AND n.string IS NOT 'hipMemcpyAsync'
  OR k.string LIKE '%fillBuffer%' AND n.string IS NOT 'hipMemset' AND n.string IS NOT 'hipMemsetAsync';
SELECT 'copies of the size their call gives', count(*), sum(c.bytes = d.size) FROM rtl_copy c JOIN rocpd_api_ops l USING (op_id) JOIN rocpd_copyapi d USING (api_id)
  WHERE c.bytes > 4096;
SELECT 'fills', count(*), count(DISTINCT l.api_id) FROM rocpd_op o JOIN rocpd_string k ON k.id = o.description_id JOIN rocpd_api_ops l ON l.op_id = o.id
  WHERE k.string LIKE '%fillBuffer%';
SELECT 'without a call', count(*) FROM rocpd_op o WHERE NOT EXISTS (SELECT 1 FROM rocpd_api_ops l WHERE l.op_id = o.id);
SELECT 'copied after the stream was waited for', count(*) FROM rtl_copy c JOIN rocpd_op o ON o.id = c.op_id JOIN rocpd_api_ops l ON l.op_id = o.id
  JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_api s ON s.tid = a.tid AND s.start > a.end JOIN rocpd_string n ON n.id = s.apiName_id
  WHERE n.string = 'hipStreamSynchronize' AND o.end > s.end;
SELECT 'streams', count(*), sum(stream), max(stream), sum(destroyed IS NOT NULL), sum(created IS NULL AND handle = 0 AND name = 'null stream') FROM rtl_stream;
SELECT 'launches on a stream of their own, and on the shared one', sum(c.own), sum(NOT c.own) FROM (
  SELECT a.tid, s.stream_id, count(*) AS calls, (SELECT count(DISTINCT b.tid) FROM api_stream t JOIN rocpd_api b ON b.id = t.api_id JOIN rocpd_kernelapi USING (api_id) WHERE t.stream_id = s.stream_id) = 1 AS own
  FROM api_stream s JOIN rocpd_api a ON a.id = s.api_id JOIN rocpd_kernelapi USING (api_id) GROUP BY 1, 2) c;
SELECT 'launches and copies without a stream', count(*) FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id WHERE (n.string LIKE '%Launch%' OR n.string LIKE 'hipMem%Async') AND a.id NOT IN (SELECT api_id FROM api_stream);
SELECT 'calls of two streams', count(*) - count(DISTINCT api_id) FROM api_stream;
SELECT 'kernels of streams on queues', sum(kernels) = (SELECT count(*) FROM rocpd_op WHERE queueId > 0) FROM stream_queue;
