-- The longest times in which a rank ran no kernel, with the kernels before and after.
-- from events, by host descending
-- limit 20: rows
with ends as (
  select rank, host, process, step, queue, id, name_id, start, start + duration as stop,
    max(start + duration) over (partition by rank, process order by start, queue, id
      rows between unbounded preceding and 1 preceding) as before,
    lag(name_id) over (partition by rank, process order by start, queue, id) as name_before
  from kernels),
longest as (
  select rank, host, step, start - before as gap, before as since, name_before, name_id, queue, id
  from ends where start > before order by start - before desc, rank, host, since limit {limit})
select g.gap, g.rank, g.host, g.step, g.since, b.name as name_before, a.name as name_after
from longest g left join names b on b.name_id = g.name_before left join names a on a.name_id = g.name_id
order by g.gap desc, g.rank, g.host, g.since
