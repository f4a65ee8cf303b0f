SELECT substr(s.string, 6, instr(s.string, '(') - 6), c.name, sum(c.value)
FROM rtl_counter c
JOIN rocpd_op o ON o.sequenceId = c.dispatch AND o.process_id = c.process_id AND o.kernel_id != 0
JOIN rocpd_string s ON s.id = o.description_id
WHERE c.value != 0 AND s.string LIKE '%MatrixProduct%'
GROUP BY 1, 2 ORDER BY 1, 2;
