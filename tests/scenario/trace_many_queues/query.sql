SELECT gpu, count(*), min(submitted), max(submitted), sum(recorded) FROM rtl_queue GROUP BY 1 ORDER BY 1;
SELECT count(DISTINCT queueId), count(DISTINCT gpuId), count(*) FROM rocpd_op WHERE queueId > 0;
