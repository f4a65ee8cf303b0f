SELECT grid, waves, valu = 10 * waves, salu, engines, per_wave, units, own FROM (
  SELECT o.gridX / 64 AS grid,
         max(CASE c.name WHEN 'SQ_WAVES' THEN c.value END) AS waves,
         max(CASE c.name WHEN 'SQ_INSTS_VALU' THEN c.value END) AS valu,
         max(CASE c.name WHEN 'SQ_INSTS_SALU' THEN c.value END) AS salu,
         max(CASE c.name WHEN 'VALUInsts' THEN c.value END) AS per_wave,
         max(CASE c.name WHEN 'CU_NUM' THEN c.value END) AS units,
         max(CASE c.name WHEN 'PerWave' THEN c.value END) AS own,
         max(c.instances) AS engines
  FROM rtl_counter c
  JOIN rocpd_op o ON o.sequenceId = c.dispatch AND o.process_id = c.process_id AND o.kernel_id != 0
  GROUP BY c.dispatch)
ORDER BY grid;
SELECT name, block, event, expression, description FROM rtl_counter_info ORDER BY rowid;
