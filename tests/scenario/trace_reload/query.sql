SELECT s.string, count(*), count(DISTINCT o.kernel_id) FROM rocpd_op o
  JOIN rocpd_string s ON s.id = o.description_id
  JOIN rocpd_string t ON t.id = o.opType_id AND t.string = 'KernelExecution'
  WHERE s.string LIKE '%\_kernel' ESCAPE '\' GROUP BY 1 ORDER BY 1;
SELECT count(*), sum(k.vgprs > 0), sum(k.sgprs > 0), sum(k.code_object > 0) FROM rtl_kernel k
  JOIN rocpd_string s ON s.id = k.name_id WHERE s.string LIKE '%\_kernel' ESCAPE '\';
