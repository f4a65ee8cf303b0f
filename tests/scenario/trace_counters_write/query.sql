SELECT substr(s.string, 1, 9), c.name, c.value, c.not_modelled
FROM rtl_counter c
JOIN rocpd_op o ON o.sequenceId = c.dispatch AND o.process_id = c.process_id AND o.kernel_id != 0
JOIN rocpd_string s ON s.id = o.description_id
WHERE s.string NOT LIKE '\_\_amd%' ESCAPE '\'
ORDER BY 1, 2;
