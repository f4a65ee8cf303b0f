-- The clocks of each host: how far CLOCK_REALTIME is from CLOCK_BOOTTIME, and how much that changed.
-- from clocks
select host, count(distinct boot_id) as boots, count(*) as readings, min(time) as first_reading, max(time) as last_reading,
  min(realtime_offset) as realtime_offset, max(realtime_offset) - min(realtime_offset) as change
from clocks group by host order by host
