-- What is missing: ranks without complete data, and events that were lost.
-- from losses
with counted as (
  select rank, host, sum(case when counter = 'seen' then events else 0 end) as seen,
    sum(case when counter = 'recorded' then events else 0 end) as recorded,
    sum(case when counter not in ('seen', 'recorded') then events else 0 end) as lost
  from losses where kind <> 'tracer' group by rank, host),
named as (
  select rank, host, kind, counter, sum(events) as events,
    row_number() over (partition by rank, host order by sum(events) desc, kind, counter) as place
  from losses where kind <> 'tracer' and counter not in ('seen', 'recorded') and events > 0 group by rank, host, kind, counter)
select r.files, r.rank, r.state, r.until, c.seen, c.recorded, c.lost, n.kind as kind, n.counter as most_by
from ranks r left join counted c on c.rank = r.rank left join named n on n.rank = r.rank and n.place = 1
where r.state <> 'complete' or c.lost > 0
order by r.rank, r.files
