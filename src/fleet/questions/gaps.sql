-- The longest times in which a rank ran no kernel, by step.
-- from summaries
-- limit 20: rows
select rank, host, step, longest_gap, span - busy as idle, span
from steps order by longest_gap desc, rank, host, step limit {limit}
