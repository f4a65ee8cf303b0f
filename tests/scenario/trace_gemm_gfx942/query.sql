SELECT s.string, count(*), min(k.vgprs) > 0, min(k.sgprs) > 0, max(k.group_segment), max(o.groupSegmentSize)
  FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id JOIN rtl_kernel k ON k.id = o.kernel_id
  WHERE s.string NOT LIKE '\_\_amd\_rocclr\_%' ESCAPE '\' GROUP BY 1 ORDER BY 1;
SELECT name, compute_units FROM rtl_agent WHERE is_gpu;
SELECT s.string, k.vgprs % 8 FROM rtl_kernel k JOIN rocpd_string s ON s.id = k.name_id WHERE s.string LIKE 'Gemm%';
