-- Collectives by name: their duration without waiting (the shortest of all ranks), how long the ranks waited, and the
-- rank that came last most often.
-- from events
with met as (
  select name_id, step, collective, count(*) as ranks, min(duration) as least,
    sum(duration) - count(*) * min(duration) as waited, min_by(rank, duration * 65536 + rank) as last_rank
  from kernels where kind = 'communication' group by name_id, step, collective),
sums as (
  select name_id, count(*) as collectives, max(ranks) as ranks,
    cast(percentile_disc(0.5) within group (order by least) as bigint) as p50,
    cast(percentile_disc(0.99) within group (order by least) as bigint) as p99, sum(waited) as waited
  from met group by name_id),
last as (
  select name_id, last_rank, count(*) as times, sum(waited) as waited,
    row_number() over (partition by name_id order by sum(waited) desc, last_rank) as place
  from met where ranks > 1 group by name_id, last_rank)
select s.collectives, s.ranks, s.p50, s.p99, s.waited, l.last_rank, l.times as times_last,
  l.waited as waited_for_it, n.name
from sums s left join last l on l.name_id = s.name_id and l.place = 1 left join names n on n.name_id = s.name_id
order by s.waited desc, n.name
