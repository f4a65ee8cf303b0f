SELECT s.string, count(*), min(k.vgprs) > 0, min(k.sgprs) > 0, max(k.group_segment), max(o.groupSegmentSize)
  FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id JOIN rtl_kernel k ON k.id = o.kernel_id
  WHERE s.string NOT LIKE '\_\_amd\_rocclr\_%' ESCAPE '\' GROUP BY 1 ORDER BY 1;
SELECT tag, value FROM rocpd_metadata WHERE tag IN ('mode', 'mode_reason') ORDER BY 1;
SELECT mode, mode_reason FROM rtl_process;
