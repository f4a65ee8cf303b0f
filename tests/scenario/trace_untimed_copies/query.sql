SELECT count(*), sum(o.end > o.start) FROM rtl_copy c JOIN rocpd_op o ON o.id = c.op_id;
