-- The kernels of one step on all ranks. `since` is the time since the rank's first kernel of the step. With
-- -o step.html or step.pftrace: a timeline, on one clock.
-- from events, of one step
-- step 0: the step
-- first 0: the first rank
-- last 63: the last rank
select rank, host, pid, gpu, queue, tid, kind, start, start - min(start) over (partition by rank) as since, duration,
  submit, name
from kernels where step = {step} and rank between {first} and {last}
order by rank, start, queue, id
