-- The clocks of each host: how far CLOCK_REALTIME is from CLOCK_BOOTTIME and how much that changed, how the clock runs
-- against the raw oscillator, whether a time server keeps it, and its error: as estimated (bar) and at most (bound).
-- from clocks
with ends as (
  select host, boot_id, min(time) as first_reading, max(time) as last_reading, count(*) as readings,
    min_by(realtime_offset, time) as first_offset, min(realtime_offset) as least, max(realtime_offset) as most,
    max_by(raw_offset, time) - min_by(raw_offset, time) as raw_change, min(realtime_width) as width,
    min(synchronized) as is_synchronized, max(estimated_error) as estimated, max(max_error) as at_most
  from clocks group by host, boot_id)
select host, boot_id, readings, first_reading, last_reading, first_offset as realtime_offset, most - least as change,
  cast(-1e6 * raw_change / nullif(last_reading - first_reading, 0) as decimal(18, 3)) as drift_ppm, width,
  is_synchronized as synchronized,
  case when is_synchronized = 1 then estimated * 1000 + width end as bar,
  case when is_synchronized = 1 then at_most * 1000 + width end as bound
from ends order by host, boot_id
