-- Who took part in which collective, by clock: for rtl fleet align. Only collectives in which every rank depends on
-- every other, and of each ten seconds a sample, the shortest among them.
-- from events
-- window 10000000000: ns
-- most 300: collectives of a window and group of clocks
-- tight 60: the shortest ones in addition
with meant as (
  select distinct name_id from names where kind = 'communication' and (lower(name) like '%allreduce%'
    or lower(name) like '%all_reduce%' or lower(name) like '%allgather%' or lower(name) like '%all_gather%'
    or lower(name) like '%reducescatter%' or lower(name) like '%reduce_scatter%' or lower(name) like '%alltoall%'
    or lower(name) like '%all_to_all%' or lower(name) like '%barrier%' or lower(name) like '%nccldevkernel_generic%')),
lossy as (
  select distinct rank from losses
  where kind = 'kernels' and counter not in ('submitted', 'seen', 'recorded') and events > 0 and rank is not null),
boots as (
  select rank, host, min(boot_id) as boot_id from clocks where rank is not null group by rank, host),
ends as (
  select k.rank, coalesce(b.boot_id, k.host) as clock, coalesce(k.step, -1) as step, k.collective, k.name_id, k.start,
    k.start + k.duration as stop
  from kernels k join meant m on m.name_id = k.name_id left join boots b on b.rank = k.rank and b.host = k.host
  where k.collective is not null and k.rank not in (select rank from lossy)),
attended as (
  select step, collective, name_id, clock, max(start) as last_start, min(stop) as first_stop,
    min(stop - start) as shortest
  from ends group by step, collective, name_id, clock having max(start) <= min(stop)),
meetings as (
  select step, collective, name_id, min(clock) as first_clock, max(clock) as last_clock, count(*) as clocks,
    cast(floor(min(first_stop) / {window}) as bigint) as place, min(shortest) as shortest
  from attended group by step, collective, name_id having count(*) > 1),
ranked as (
  select step, collective, name_id,
    row_number() over (partition by place, first_clock, last_clock, clocks
      order by (collective * 7919 + step * 104729) % 1000003, step, collective, name_id) as by_chance,
    row_number() over (partition by place, first_clock, last_clock, clocks
      order by shortest, step, collective, name_id) as by_length
  from meetings),
chosen as (
  select step, collective, name_id from ranked where by_chance <= {most} or by_length <= {tight})
-- Only of these: medians and distinct ranks of all collectives need memory for each kernel.
select e.step, e.collective, e.name_id, e.clock, count(*) as ranks, max(e.start) as last_start,
  min(e.stop) as first_stop, max(e.stop) as last_stop,
  cast(percentile_disc(0.5) within group (order by e.stop) as bigint) as middle
from ends e join chosen c on c.step = e.step and c.collective = e.collective and c.name_id = e.name_id
group by e.step, e.collective, e.name_id, e.clock
having count(*) = count(distinct e.rank) and max(e.start) <= min(e.stop)
order by e.step, e.collective, e.name_id, e.clock
