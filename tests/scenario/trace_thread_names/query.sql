-- The names of the threads with kernels.
SELECT coalesce(n.name, '(none)'), count(*)
FROM rocpd_op o
JOIN rocpd_string s ON s.id = o.description_id
LEFT JOIN rtl_name n ON (n.process_id, n.kind, n.target) = (o.process_id, 'thread', o.tid)
WHERE s.string LIKE 'Add(%'
GROUP BY 1 ORDER BY 1;
-- A thread that the tracer does not meet, and the tracer's own.
SELECT count(*) FROM rtl_name WHERE name = 'no GPU' OR name LIKE 'rtl-%';
