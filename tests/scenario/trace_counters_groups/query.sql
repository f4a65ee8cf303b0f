SELECT row_number() OVER (ORDER BY submitted), names, right FROM (
  SELECT o.submit AS submitted, group_concat(c.name, '+') AS names,
         min(c.value = o.gridX / 64 * CASE c.name WHEN 'SQ_WAVES' THEN 1 WHEN 'SQ_INSTS_VALU' THEN 10 ELSE 5 END) AS right
  FROM (SELECT * FROM rtl_counter ORDER BY dispatch, name) c
  JOIN rocpd_op o ON o.sequenceId = c.dispatch AND o.process_id = c.process_id AND o.kernel_id != 0
  GROUP BY c.dispatch)
ORDER BY submitted;
