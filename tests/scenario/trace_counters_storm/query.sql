SELECT 'kernels', count(*) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE s.string LIKE '%count_%';
SELECT c.name, count(*), count(DISTINCT c.value) FROM rtl_counter c
  JOIN rocpd_op o ON o.sequenceId = c.dispatch AND o.process_id = c.process_id
  JOIN rocpd_string s ON s.id = o.description_id WHERE s.string LIKE '%count_%' GROUP BY 1 ORDER BY 1;
SELECT 'at once', count(*) FROM (SELECT o.start, max(o.end) OVER (PARTITION BY o.gpuId ORDER BY o.start
  ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
  FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE s.string LIKE '%count_%') WHERE start < before;
