SELECT name, printf("%.2f", sum(value)), count(*), max(not_modelled) FROM rtl_counter GROUP BY name ORDER BY name;
