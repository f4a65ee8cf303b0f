SELECT count(*) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id WHERE s.string = 'Nothing()';
