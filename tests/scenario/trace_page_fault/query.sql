SELECT s.string, f.gpu, f.waits, f.gridX, f.workgroupX, f.pid = p.pid
FROM rtl_in_flight f JOIN rocpd_string s ON s.id = f.name_id JOIN rtl_process p ON p.id = f.process_id;
SELECT gpu, printf('0x%x', address), reason, agent > 0 FROM rtl_fault;
