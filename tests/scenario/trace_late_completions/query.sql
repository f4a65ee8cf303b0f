SELECT count(*), min(end - start) >= 199920, max(end - start) < 10000000000 FROM rocpd_op WHERE queueId > 0;
