-- The rank that came last to the collectives of each step, from the time in collectives of each rank and step, and
-- why: its kernel that took longer, or the time in which it ran none. Steps in which the others waited most come first.
-- from summaries
-- limit 20: rows
-- Steps in which a rank has fewer collectives than it usually has are left out for that rank.
with counts as (
  select rank, step, sum(communicating) as communicating, sum(collectives) as collectives
  from steps where step is not null group by rank, step),
usual_counts as (select rank, median(collectives) as collectives from counts group by rank),
spent as (
  select c.rank, c.step, c.communicating, c.collectives
  from counts c join usual_counts u on u.rank = c.rank where c.collectives >= u.collectives),
placed as (
  select step, rank, collectives,
    sum(communicating) over (partition by step)
      - count(*) over (partition by step) * communicating as waited,
    count(*) over (partition by step) as ranks,
    row_number() over (partition by step order by communicating, rank) as place
  from spent where collectives > 0),
worst as (
  select step, rank, waited, collectives from placed
  where place = 1 and ranks > 1 order by waited desc, step limit {limit}),
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
select w.step, w.rank, e.host, w.waited, w.waited as all_waited, w.collectives,
  cast(round(e.excess) as bigint) as excess, cast(round(greatest(i.idle - d.idle, 0)) as bigint) as idle,
  n.name as kernel
from worst w
left join excess e on e.step = w.step and e.rank = w.rank and e.place = 1
left join idles i on i.step = w.step and i.rank = w.rank
left join usual_idles d on d.step = w.step
left join names n on n.name_id = e.name_id
order by w.waited desc, w.step
