SELECT count(*) FROM rocpd_op o JOIN rocpd_string k ON k.id = o.description_id WHERE k.string LIKE '%Increment%';
SELECT k.string, count(*) FROM rocpd_op o JOIN rocpd_string k ON k.id = o.description_id WHERE o.gpuId < 0 GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM rtl_process;
