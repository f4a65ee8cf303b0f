-- Where the time of each rank went: computing, communication beside no computation (exposed), idle.
-- from events, by host ascending
with ends as (
  select rank, host, process, step, kind, start, start + duration as stop,
    max(start + duration) over (partition by rank, process order by start, queue, id
      rows between unbounded preceding and 1 preceding) as before,
    max(case when kind = 'compute' then start + duration end) over (partition by rank, process
      order by start, queue, id rows between unbounded preceding and 1 preceding) as before_compute,
    max(case when kind = 'communication' then start + duration end) over (partition by rank, process
      order by start, queue, id rows between unbounded preceding and 1 preceding) as before_communication
  from kernels),
sums as (
  select rank, host, step, max(stop) - min(start) as span,
    sum(greatest(stop - greatest(start, coalesce(before, start)), 0)) as busy,
    sum(case when kind = 'compute'
      then greatest(stop - greatest(start, coalesce(before_compute, start)), 0) else 0 end) as computing,
    sum(case when kind = 'communication'
      then greatest(stop - greatest(start, coalesce(before_communication, start)), 0) else 0 end) as communicating,
    max(case when before < start then start - before else 0 end) as longest_gap
  from ends group by rank, host, process, step),
ranks as (
  select rank, host, sum(span) as span, sum(busy) as busy, sum(computing) as computing,
    sum(communicating) as communicating, sum(busy - computing) as exposed, max(longest_gap) as longest_gap
  from sums group by rank, host)
select rank, host, span, busy, computing, communicating, exposed, span - busy as idle, longest_gap,
  cast(100.0 * computing / greatest(span, 1) as decimal(18, 2)) as computing_percent,
  cast(100.0 * exposed / greatest(span, 1) as decimal(18, 2)) as exposed_percent
from ranks order by rank, host
