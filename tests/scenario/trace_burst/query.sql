SELECT count(*), min(packet), max(packet) FROM rocpd_op WHERE queueId > 0;
