SELECT n.string, count(*), sum(a.result <> 0) FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id GROUP BY 1 ORDER BY 1;
SELECT n.string, k.string, count(*) FROM rocpd_op o JOIN rocpd_string k ON k.id = o.description_id
  LEFT JOIN rocpd_api_ops l ON l.op_id = o.id LEFT JOIN rocpd_api a ON a.id = l.api_id
  LEFT JOIN rocpd_string n ON n.id = a.apiName_id WHERE k.string LIKE '%ByLaunch%' OR k.string LIKE '%ByExt%' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT 'launches of another grid', count(*) FROM rocpd_api_ops l JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_op o ON o.id = l.op_id
  JOIN rocpd_string n ON n.id = a.apiName_id JOIN rocpd_string g ON g.id = a.args_id
  WHERE n.string IN ('hipLaunchKernel', 'hipExtLaunchKernel') AND instr(g.string, 'numBlocks={' || o.gridX / o.workgroupX || ',1,1}') = 0;
SELECT 'calls that overlap', count(*) FROM (SELECT start, lag(end) OVER (PARTITION BY tid ORDER BY start) AS before FROM rocpd_api) WHERE start < before;
SELECT 'methods', count(*) FROM rtl_process WHERE loaded_by LIKE 'HSA_TOOLS_LIB_ HIP _._ by tracer' OR loaded_by LIKE 'HSA_TOOLS_LIB_ HIP 5.2 by activity';
