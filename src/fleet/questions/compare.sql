-- Two runs by kernel name: the mean duration of a step's kernels, its median over steps, and whether the difference is
-- beyond the noise of the steps. Of collectives the shortest one of the step counts: all others contain waiting.
-- from summaries, two runs
-- z 4.0: least difference in standard errors
-- least 0.5: least difference in percent
with runs as (
  select 'a' as run, step, name_id, kind, total, kernels, shortest
  from step_kernels
  union all
  select 'b' as run, step, name_id, kind, total, kernels, shortest
  from step_kernels_b),
units as (
  select run, step, name_id, max(kind) as kind, sum(kernels) as kernels,
    case when max(kind) = 'communication' then cast(min(shortest) as double)
      else sum(total) / cast(sum(kernels) as double) end as mean
  from runs group by run, step, name_id),
middles as (
  select run, name_id, max(kind) as kind, count(*) as steps, sum(kernels) as kernels, median(mean) as middle
  from units group by run, name_id),
spreads as (
  select u.run, u.name_id, median(abs(u.mean - m.middle)) as spread
  from units u join middles m on m.run = u.run and m.name_id = u.name_id group by u.run, u.name_id),
found as (
  select m.run, m.name_id, m.kind, m.steps, m.kernels, m.middle,
    1.2533 * 1.4826 * s.spread / sqrt(m.steps) as noise
  from middles m join spreads s on s.run = m.run and s.name_id = m.name_id),
paired as (
  select coalesce(a.name_id, b.name_id) as name_id, coalesce(a.kind, b.kind) as kind, a.kernels as kernels_before,
    b.kernels as kernels_after, a.middle as before, b.middle as after,
    greatest(sqrt(a.noise * a.noise + b.noise * b.noise), 0.0001 * a.middle) as noise,
    least(a.steps, b.steps) as steps
  from (select * from found where run = 'a') a full join (select * from found where run = 'b') b
  on b.name_id = a.name_id)
select case when p.before is null then 'new' when p.after is null then 'gone'
    when p.steps < 5 then 'too few steps'
    when abs(p.after - p.before) >= {z} * p.noise and abs(p.after - p.before) >= p.before * {least} / 100
      then case when p.after > p.before then 'slower' else 'faster' end
    else 'same' end as verdict,
  p.kind, cast(round(p.before) as bigint) as before, cast(round(p.after) as bigint) as after,
  cast(100 * (p.after / p.before - 1) as decimal(18, 2)) as change_percent,
  cast(100 * p.noise / p.before as decimal(18, 2)) as noise_percent,
  p.kernels_before, p.kernels_after, n.name
from paired p left join names n on n.name_id = p.name_id
order by abs(coalesce(p.after, 0) * coalesce(p.kernels_after, 0)
  - coalesce(p.before, 0) * coalesce(p.kernels_before, 0)) desc, n.name
