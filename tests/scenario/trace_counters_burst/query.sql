SELECT count(*), min(packet), max(packet) FROM rocpd_op WHERE queueId > 0;
SELECT name, count(*), min(value), max(value) FROM rtl_counter GROUP BY name;
