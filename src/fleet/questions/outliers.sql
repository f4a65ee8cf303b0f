-- Hosts and ranks whose computing kernels take longer than those of the others. A host is listed in place of its
-- ranks when all of them are slow.
-- from summaries
-- slower 1.0: least difference from the median of all ranks, in percent
-- z 3.5: least difference in robust standard deviations of the ranks
-- noise 3.0: least difference in standard errors of the rank's own steps, or of its kernels where no step is known:
-- one late step makes no slow rank
with units as (
  select rank, host, name_id, step, sum(total) as total, sum(kernels) as kernels, min(shortest) as shortest,
    max(longest) as longest,
    case when step is not null then sum(total) / cast(sum(kernels) as double) end as of_step
  from step_kernels where kind = 'compute' group by rank, host, name_id, step),
means as (
  select rank, host, name_id, sum(total) / cast(sum(kernels) as double) as mean, sum(kernels) as kernels,
    coalesce(stddev_samp(of_step) / sqrt(count(of_step)),
      (max(longest) - min(shortest)) / (4 * sqrt(sum(kernels)))) as noise
  from units group by rank, host, name_id),
middles as (select name_id, median(mean) as middle from means group by name_id),
spreads as (
  select m.name_id, median(abs(m.mean - i.middle)) as spread
  from means m join middles i on i.name_id = m.name_id group by m.name_id),
scored as (
  select m.rank, m.host, m.name_id, m.mean / i.middle - 1 as slower, (m.mean - i.middle) * m.kernels as cost,
    m.mean - i.middle >= {noise} * m.noise as is_clear,
    0.6745 * (m.mean - i.middle) / greatest(s.spread, 0.0005 * i.middle) as z
  from means m join middles i on i.name_id = m.name_id join spreads s on s.name_id = m.name_id
  where i.middle > 0),
flagged as (select * from scored where z >= {z} and slower >= {slower} / 100 and is_clear),
worst as (
  select rank, host, name_id, row_number() over (partition by rank, host order by cost desc, name_id) as place
  from flagged),
sizes as (select rank, host, count(*) as names from scored group by rank, host),
slow as (
  select f.rank, f.host, s.names, count(*) as slow_names, sum(f.cost) as cost, max(f.z) as z,
    median(f.slower) as slower
  from flagged f join sizes s on s.host = f.host and s.rank = f.rank
  group by f.rank, f.host, s.names),
hosts as (select host, count(distinct rank) as ranks from scored group by host),
slow_hosts as (
  select s.host, h.ranks from slow s join hosts h on h.host = s.host
  where s.slow_names * 2 > s.names group by s.host, h.ranks
  having count(*) = h.ranks and h.ranks > 1 and (select count(*) from hosts) > 1)
select 'host' as what, s.host, cast(null as bigint) as rank,
  cast(median(s.slower) * 100 as decimal(18, 2)) as slower_percent, cast(max(s.z) as decimal(18, 1)) as z,
  max(s.slow_names) as slow_names, max(s.names) as names, cast(round(sum(s.cost)) as bigint) as cost,
  max(n.name) as kernel
from slow s join slow_hosts h on h.host = s.host
join worst w on w.rank = s.rank and w.host = s.host and w.place = 1
left join names n on n.name_id = w.name_id
group by s.host
union all
select 'rank' as what, s.host, s.rank, cast(s.slower * 100 as decimal(18, 2)) as slower_percent,
  cast(s.z as decimal(18, 1)) as z, s.slow_names, s.names, cast(round(s.cost) as bigint) as cost, n.name as kernel
from slow s join worst w on w.rank = s.rank and w.host = s.host and w.place = 1
left join names n on n.name_id = w.name_id
where s.host not in (select host from slow_hosts)
order by what, cost desc, host, rank
