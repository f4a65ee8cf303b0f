-- The rank that came last to the collectives of each step, how long the others waited, and why: the kernel of that
-- rank that took longer than on the others, or the time in which it ran none (idle, beyond that of the others). Steps
-- in which the others waited most come first.
-- from events
-- limit 20: rows
-- The rank whose communication kernel is shortest came last: for it nothing was left to wait for. Steps in which a rank
-- has fewer collectives than it usually has (it was killed, or lost kernels) are left out for that rank: the numbers of
-- its collectives are not those of the others.
with counts as (
  select rank, step, sum(collectives) as collectives from steps where step is not null group by rank, step),
usual_counts as (select rank, median(collectives) as collectives from counts group by rank),
incomplete as (
  select c.rank, c.step from counts c join usual_counts u on u.rank = c.rank where c.collectives < u.collectives),
met as (
  select k.step, k.name_id, k.collective, count(*) as ranks, min_by(k.rank, k.duration * 65536 + k.rank) as last_rank,
    sum(k.duration) - count(*) * min(k.duration) as waited
  from kernels k left join incomplete s on s.rank = k.rank and s.step = k.step
  where k.kind = 'communication' and k.step is not null and s.rank is null group by k.step, k.name_id, k.collective),
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
  from sums s join usual u on u.step = s.step and u.name_id = s.name_id),
idles as (
  select rank, step, greatest(sum(span - busy), max(longest_gap)) as idle
  from steps where step in (select step from worst) group by rank, step),
usual_idles as (select step, median(idle) as idle from idles group by step)
select w.step, w.rank, e.host, w.waited, w.all_waited, w.collectives,
  cast(round(e.excess) as bigint) as excess, cast(round(greatest(i.idle - d.idle, 0)) as bigint) as idle,
  n.name as kernel
from worst w
left join excess e on e.step = w.step and e.rank = w.rank and e.place = 1
left join idles i on i.step = w.step and i.rank = w.rank
left join usual_idles d on d.step = w.step
left join names n on n.name_id = e.name_id
order by w.waited desc, w.step
