SELECT count(*) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE s.string LIKE 'Spin%';
SELECT group_concat(gridX / 64, ' ') FROM (SELECT gridX FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id
WHERE s.string LIKE 'Spin%' ORDER BY sequenceId);
