SELECT 'nodes ' || count(DISTINCT node), count(DISTINCT launch), count(*) FROM graph_kernel GROUP BY graph ORDER BY min(start);
SELECT kernel, min(node), max(node), count(DISTINCT node), count(*) FROM graph_kernel GROUP BY 1 ORDER BY 1;
SELECT 'out of order', count(*) FROM (
  SELECT start, lag(end) OVER (PARTITION BY api_id ORDER BY node) AS before FROM graph_kernel) WHERE start < before;
