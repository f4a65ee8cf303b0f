SELECT count(*) FROM rocpd_api;
SELECT o.correlation_id FROM rocpd_op o;
