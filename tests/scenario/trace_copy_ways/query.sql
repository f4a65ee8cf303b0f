SELECT s.string, c.bytes, c.dst_gpu, c.src_gpu, count(*), sum(o.end > o.start), count(DISTINCT c.dst) FROM rtl_copy c
  JOIN rocpd_op o ON o.id = c.op_id JOIN rocpd_string s ON s.id = o.description_id GROUP BY 1, 2, 3, 4 ORDER BY 1, 2;
