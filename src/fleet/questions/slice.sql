-- The kernels of one step on all ranks. `since` is the time since the rank's first kernel of the step.
-- from events
-- step 0: the step
-- first 0: the first rank
-- last 63: the last rank
select rank, host, queue, kind, start, start - min(start) over (partition by rank) as since, duration, name
from kernels where step = {step} and rank between {first} and {last}
order by rank, start, queue, id
