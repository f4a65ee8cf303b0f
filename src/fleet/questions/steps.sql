-- Each step over all ranks: how long it took, and which rank took longest.
-- from summaries
-- limit 1000: rows
with ranks as (
  select rank, host, step, sum(span) as span, sum(computing) as computing, sum(exposed) as exposed,
    max(longest_gap) as longest_gap
  from steps where step is not null group by rank, host, step)
select step, count(*) as ranks, min(span) as shortest, cast(round(median(span)) as bigint) as median,
  max(span) as longest, cast(round(median(computing)) as bigint) as computing,
  cast(round(median(exposed)) as bigint) as exposed, max(longest_gap) as longest_gap,
  max_by(rank, computing * 65536 - rank) as most_computing_rank
from ranks group by step order by step limit {limit}
