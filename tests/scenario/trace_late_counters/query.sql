SELECT count(DISTINCT o.id) FROM rocpd_op o JOIN rocpd_string k ON k.id = o.description_id WHERE k.string LIKE '%Increment%';
