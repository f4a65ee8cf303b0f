SELECT count(*) FROM rocpd_op WHERE queueId > 0 GROUP BY process_id ORDER BY 1 DESC;
