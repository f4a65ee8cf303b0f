-- The rank that came last to the collectives of each step, how long the others waited, and the kernel
-- of that rank that took longer than on the others. Steps in which the others waited most come first.
-- from events
-- limit 20: rows
-- The rank whose communication kernel is shortest came last: for it nothing was left to wait for.
with met as (
  select step, name_id, collective, count(*) as ranks, min_by(rank, duration * 65536 + rank) as last_rank,
    sum(duration) - count(*) * min(duration) as waited
  from kernels where kind = 'communication' and step is not null group by step, name_id, collective),
blamed as (
  select step, last_rank as rank, sum(waited) as waited, count(*) as collectives
  from met where ranks > 1 group by step, last_rank),
placed as (
  select step, rank, waited, collectives, sum(waited) over (partition by step) as all_waited,
    row_number() over (partition by step order by waited desc, rank) as place
  from blamed),
worst as (
  select step, rank, waited, collectives, all_waited from placed
  where place = 1 order by waited desc, step limit {limit}),
sums as (
  select rank, host, step, name_id, sum(total) as total from step_kernels
  where kind = 'compute' and step in (select step from worst) group by rank, host, step, name_id),
usual as (select step, name_id, median(total) as total from sums group by step, name_id),
excess as (
  select s.step, s.rank, s.host, s.name_id, s.total - u.total as excess,
    row_number() over (partition by s.step, s.rank order by s.total - u.total desc, s.name_id) as place
  from sums s join usual u on u.step = s.step and u.name_id = s.name_id)
select w.step, w.rank, e.host, w.waited, w.all_waited, w.collectives,
  cast(round(e.excess) as bigint) as excess, n.name as kernel
from worst w
left join excess e on e.step = w.step and e.rank = w.rank and e.place = 1
left join names n on n.name_id = e.name_id
order by w.waited desc, w.step
