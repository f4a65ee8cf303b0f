SELECT s.string, c.name, c.value, count(*)
FROM rtl_counter c
JOIN rocpd_op o ON o.sequenceId = c.dispatch AND o.process_id = c.process_id AND o.kernel_id != 0
JOIN rocpd_string s ON s.id = o.description_id
WHERE s.string NOT LIKE '\_\_%' ESCAPE '\'
GROUP BY s.string, c.name, c.value ORDER BY 1, 2, 3;
