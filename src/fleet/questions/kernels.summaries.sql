-- Kernels by name over all ranks, with quantiles that are wrong by 1.6 % at most.
-- from summaries
-- limit 50: rows
with sums as (
  select name_id, sum(kernels) as kernels, sum(total) as total, min(shortest) as shortest,
    max(longest) as longest
  from step_kernels group by name_id),
bars as (select name_id, low, sum(kernels) as kernels from step_histogram group by name_id, low),
ranked as (
  select name_id, low, sum(kernels) over (partition by name_id order by low rows unbounded preceding) as upto,
    sum(kernels) over (partition by name_id) as all_kernels
  from bars),
found as (
  select name_id, min(case when upto * 2 >= all_kernels then low end) as p50,
    min(case when upto * 100 >= all_kernels * 99 then low end) as p99
  from ranked group by name_id)
select s.kernels, s.total, s.shortest, cast(floor(f.p50 * 1.0078125) as bigint) as p50,
  cast(floor(f.p99 * 1.0078125) as bigint) as p99, s.longest, n.name
from sums s left join found f on f.name_id = s.name_id left join names n on n.name_id = s.name_id
order by s.total desc, n.name limit {limit}
