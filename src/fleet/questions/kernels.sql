-- Kernels by name over all ranks, with exact quantiles of their durations.
-- from events
-- limit 50: rows
-- Durations that are equal are counted first: quantiles of all of them at once need memory for each kernel.
with counted as (
  select name_id, duration, count(*) as kernels from kernels group by name_id, duration),
ranked as (
  select name_id, duration, kernels,
    sum(kernels) over (partition by name_id order by duration rows unbounded preceding) as up_to_here,
    sum(kernels) over (partition by name_id) as of_name
  from counted),
found as (
  select name_id, sum(kernels) as kernels, sum(kernels * duration) as total, min(duration) as shortest,
    min(case when 2 * up_to_here >= of_name then duration end) as p50,
    min(case when 100 * up_to_here >= 99 * of_name then duration end) as p99, max(duration) as longest
  from ranked group by name_id)
select f.kernels, f.total, f.shortest, f.p50, f.p99, f.longest, n.name
from found f left join names n on n.name_id = f.name_id
order by f.total desc, n.name limit {limit}
