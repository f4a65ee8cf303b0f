-- Time of each kernel name on each rank, most first.
-- from events
-- limit 50: rows
with sums as (
  select rank, host, name_id, count(*) as kernels, sum(duration) as total, min(duration) as shortest,
    max(duration) as longest
  from kernels group by rank, host, name_id)
select s.rank, s.host, s.kernels, s.total, s.shortest, s.longest, n.name
from sums s left join names n on n.name_id = s.name_id
order by s.total desc, s.rank, s.host, n.name limit {limit}
