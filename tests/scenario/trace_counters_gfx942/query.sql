SELECT name, printf("%.2f", sum(value)), count(*), max(not_modelled) FROM rtl_counter GROUP BY name ORDER BY name;
SELECT 'chiplet ' || (v.position & 511), sum(v.value) FROM rtl_counter_value v
JOIN rocpd_string s ON s.id = v.name_id WHERE s.string = 'SPI_CSN_NUM_THREADGROUPS' GROUP BY 1 ORDER BY 1;
SELECT 'waves of chiplet ' || (v.position & 511), sum(v.value) FROM rtl_counter_value v
JOIN rocpd_string s ON s.id = v.name_id WHERE s.string = 'SQ_INSTS_GDS' GROUP BY 1 ORDER BY 1;
