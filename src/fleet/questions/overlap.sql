-- Where the time of each rank went: computing, communication beside no computation (exposed), idle.
-- from summaries
with sums as (
  select rank, host, sum(span) as span, sum(busy) as busy, sum(computing) as computing,
    sum(communicating) as communicating, sum(exposed) as exposed, max(longest_gap) as longest_gap
  from steps group by rank, host)
select rank, host, span, busy, computing, communicating, exposed, span - busy as idle, longest_gap,
  cast(100.0 * computing / greatest(span, 1) as decimal(18, 2)) as computing_percent,
  cast(100.0 * exposed / greatest(span, 1) as decimal(18, 2)) as exposed_percent
from sums order by rank, host
