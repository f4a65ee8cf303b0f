-- What is missing: ranks without complete data, and events that were lost.
-- from losses
with of_files as (
  select rank, host, kind, counter, events,
    case when rank is null then concat('none-', host, '-', cast(pid as varchar(20))) else '' end as label
  from losses where kind <> 'tracer'),
counted as (
  select rank, host, label, sum(case when counter in ('submitted', 'seen') then events else 0 end) as submitted,
    sum(case when counter = 'recorded' then events else 0 end) as recorded,
    sum(case when counter not in ('submitted', 'seen', 'recorded') then events else 0 end) as lost
  from of_files group by rank, host, label),
named as (
  select rank, host, label, kind, counter, sum(events) as events,
    row_number() over (partition by rank, host, label order by sum(events) desc, kind, counter) as place
  from of_files where counter not in ('submitted', 'seen', 'recorded') and events > 0 group by rank, host, label, kind, counter)
select r.files, r.rank, r.state, r.until, c.submitted, c.recorded, c.lost, n.kind as kind, n.counter as most_by
from ranks r
left join counted c on c.rank = r.rank or r.files = c.label or r.files like concat(c.label, '.%')
left join named n on n.place = 1 and (n.rank = r.rank or r.files = n.label or r.files like concat(n.label, '.%'))
where r.state <> 'complete' or c.lost > 0
order by r.rank, r.files
