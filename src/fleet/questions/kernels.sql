-- Kernels by name over all ranks, with exact quantiles of their durations.
-- from events
-- limit 50: rows
with found as (
  select name_id, count(*) as kernels, sum(duration) as total, min(duration) as shortest,
    cast(percentile_disc(0.5) within group (order by duration) as bigint) as p50,
    cast(percentile_disc(0.99) within group (order by duration) as bigint) as p99, max(duration) as longest
  from kernels group by name_id)
select f.kernels, f.total, f.shortest, f.p50, f.p99, f.longest, n.name
from found f left join names n on n.name_id = f.name_id
order by f.total desc, n.name limit {limit}
