SELECT s.string, count(*), min(k.vgprs) > 0, max(o.workgroupX)
  FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id JOIN rtl_kernel k ON k.id = o.kernel_id
  WHERE s.string LIKE '%MatrixProduct%' GROUP BY 1 ORDER BY 1;
