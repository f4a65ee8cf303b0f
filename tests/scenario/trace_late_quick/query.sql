SELECT k.string, count(*) FROM rocpd_op o JOIN rocpd_string k ON k.id = o.description_id WHERE o.gpuId < 0 OR k.string LIKE '%Increment%' GROUP BY 1 ORDER BY 1;
SELECT n.string, count(*) FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id WHERE n.string IN ('hipLaunchKernel', 'hipMemcpy') GROUP BY 1 ORDER BY 1;
