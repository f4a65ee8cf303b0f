SELECT queueId, count(*) FROM rocpd_op WHERE queueId > 0 GROUP BY 1 ORDER BY 1;
