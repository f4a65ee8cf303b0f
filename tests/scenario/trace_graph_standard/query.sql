SELECT s.string, count(*) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id
  WHERE s.string LIKE 'Increment%' OR s.string LIKE 'Double%' GROUP BY 1 ORDER BY 1;
