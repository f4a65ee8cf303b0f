SELECT queue, submitted, recorded FROM rtl_queue ORDER BY queue;
SELECT value FROM rtl_process_counter WHERE counter = 'other_packets';
