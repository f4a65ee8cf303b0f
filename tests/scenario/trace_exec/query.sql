SELECT process_id, count(*) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE s.string = 'Nothing()' GROUP BY 1 ORDER BY 1;
SELECT count(DISTINCT pid), count(DISTINCT start_ticks), count(*) FROM rtl_process;
