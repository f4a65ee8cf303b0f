SELECT s.string, f.gpu, f.waits, f.gridX, f.workgroupX, f.pid = p.pid
FROM rtl_in_flight f JOIN rocpd_string s ON s.id = f.name_id JOIN rtl_process p ON p.id = f.process_id;
