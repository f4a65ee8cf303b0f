SELECT s.string, c.bytes, c.dst_gpu, c.src_gpu, o.gpuId, o.end > o.start, o.start >= o.submit - 10000 FROM rtl_copy c
  JOIN rocpd_op o ON o.id = c.op_id JOIN rocpd_string s ON s.id = o.description_id ORDER BY o.start;
SELECT value FROM rocpd_metadata WHERE tag = 'submitted.copies';
