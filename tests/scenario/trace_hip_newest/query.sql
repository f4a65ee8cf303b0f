SELECT n.string, count(*) FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id GROUP BY 1 ORDER BY 1;
SELECT n.string, g.string FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id JOIN rocpd_string g ON g.id = a.args_id
  WHERE n.string IN ('hipExtSetLoggingParams', 'hipGreenCtxCreate') ORDER BY 1;
SELECT loaded_by FROM rtl_process;
