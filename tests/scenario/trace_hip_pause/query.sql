SELECT k.string, count(*) FROM rocpd_op o JOIN rocpd_string k ON k.id = o.description_id WHERE k.string LIKE '(anonymous%' GROUP BY 1 ORDER BY 1;
SELECT n.string, count(*) FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id WHERE n.string IN ('hipLaunchKernel', 'hipStreamSynchronize', 'hipFree') GROUP BY 1 ORDER BY 1;
SELECT kind, name FROM rtl_name;
SELECT stream, name, created < destroyed FROM rtl_stream ORDER BY stream;
