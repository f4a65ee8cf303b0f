SELECT s.string, count(DISTINCT o.id), sum(c.name = 'SQ_WAVES' AND c.value = 64), count(DISTINCT c.name)
  FROM rtl_counter c JOIN rocpd_op o ON o.sequenceId = c.dispatch AND o.process_id = c.process_id AND o.kernel_id != 0
  JOIN rocpd_string s ON s.id = o.description_id WHERE s.string LIKE '%Work<%' GROUP BY 1 ORDER BY 1;
SELECT c.name, count(*), count(DISTINCT c.value), min(c.value) > 0
  FROM rtl_counter c JOIN rocpd_op o ON o.sequenceId = c.dispatch AND o.process_id = c.process_id AND o.kernel_id != 0
  JOIN rocpd_string s ON s.id = o.description_id WHERE s.string LIKE '%Work<%' GROUP BY 1 ORDER BY 1;
SELECT 'calls', count(*) > 20 FROM rocpd_api;
