// SPDX-License-Identifier: MIT
#include "cli/analyze/analyze_sql.h"

#include <fmt/format.h>

#include "cli/base/table.h"
#include "cli/trace/recovery.h"
#include "trace/schema/schema.h"

namespace rtl::cli {
namespace {

constexpr char kWorkTypes[] =
    "opType_id IN (SELECT id FROM rocpd_string WHERE string = 'KernelExecution' OR string LIKE "
    "'Copy%')";

// Whether a terminal and an interactive shell take all bytes as they are.
bool IsPlain(const std::string& text) {
  return text == Printable(text) && text.find('!') == std::string::npos;
}

std::string SqlText(const std::string& text) {
  if (!IsPlain(text)) {
    std::string bytes = "CAST(x'";
    for (const char c : text) bytes += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return bytes + "' AS TEXT)";
  }
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

std::string LaunchBoundSql(const analysis::Finding& finding) {
  return fmt::format(
      "WITH work AS (SELECT id, start, submit, description_id, max(end) OVER (ORDER BY start ROWS "
      "BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM rocpd_op WHERE gpuId = {} AND "
      "{}) SELECT sum(w.start - w.before), count(*) FROM work w JOIN rocpd_api_ops l ON l.op_id = "
      "w.id JOIN rocpd_api a ON a.id = l.api_id WHERE w.start > w.before AND w.submit > w.before "
      "AND a.start <= w.before AND w.description_id IN (SELECT id FROM rocpd_string WHERE string = "
      "{})",
      finding.gpu, kWorkTypes, SqlText(finding.where));
}

std::string SerialCopiesSql(const analysis::Finding& finding) {
  constexpr char kBefore[] =
      "OVER (ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)";
  return fmt::format(
      "WITH work AS (SELECT o.start, o.end, o.submit, t.string LIKE 'Copy%' AS copy FROM rocpd_op "
      "o JOIN rocpd_string t ON t.id = o.opType_id WHERE o.gpuId = {0} AND o.{1}), beside AS "
      "(SELECT *, max(CASE WHEN NOT copy THEN end END) {2} AS before, coalesce(max(CASE WHEN copy "
      "THEN end END) {2}, 0) AS copied, min(CASE WHEN NOT copy THEN start END) OVER (ORDER BY "
      "start DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS next FROM work), kernel AS "
      "(SELECT start, min(submit) AS submit FROM work WHERE NOT copy AND submit > 0 GROUP BY "
      "start) SELECT sum(c.end - c.start), count(*) FROM beside c LEFT JOIN kernel k ON k.start = "
      "c.next WHERE c.copy AND coalesce(c.before <= c.start, 1) AND coalesce(c.next >= c.end, 1) "
      "AND ((c.submit > 0 AND c.submit < c.before AND c.copied <= c.before) OR k.submit < c.end)",
      finding.gpu, kWorkTypes, kBefore);
}

std::string RankTailSql(const analysis::Finding& finding) {
  return fmt::format(
      "WITH ranks AS (SELECT max(id) AS id, rank FROM rtl_process WHERE rank >= 0 AND job = {} "
      "GROUP BY rank), steps AS (SELECT r.rank, o.end - o.start AS took, row_number() OVER "
      "(PARTITION BY r.id ORDER BY o.start, o.end DESC, o.id) AS step FROM rocpd_op o JOIN ranks r "
      "ON r.id = o.process_id WHERE o.opType_id = (SELECT id FROM rocpd_string WHERE string = "
      "'{}') AND o.flags & {} = 0 AND o.description_id IN (SELECT id FROM rocpd_string WHERE "
      "string = {})), places AS (SELECT *, row_number() OVER (PARTITION BY step ORDER BY took, "
      "rank) AS place, count(*) OVER (PARTITION BY step) AS ranks FROM steps), late AS (SELECT "
      "max(ranks) AS ranks, max(took) AS slowest, max(CASE WHEN place = ranks THEN rank END) AS "
      "rank, max(CASE WHEN place = (ranks + 1) / 2 THEN took END) AS median FROM places GROUP BY "
      "step) SELECT sum(slowest - median), count(*) FROM late WHERE rank = {} AND ranks = {}",
      SqlText(finding.job), store::kOpTypeMarker, store::kOpFlagMark | store::kOpFlagUnclosed,
      SqlText(finding.where), finding.rank, finding.ranks);
}

}  // namespace

std::string IdleTimeSql(int32_t gpu, const query::SelectionRequest& selection, uint64_t origin) {
  if (!selection.kernel.empty() || !selection.range.empty() || selection.rank) return "";
  std::string times;
  if (selection.from) times += fmt::format(" AND end > {}", origin + *selection.from);
  if (selection.to) times += fmt::format(" AND start < {}", origin + *selection.to);
  return fmt::format(
      "WITH work AS (SELECT start, max(end) OVER (ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING "
      "AND 1 PRECEDING) AS before FROM rocpd_op WHERE gpuId = {}{} AND {}) "
      "SELECT sum(start - before), count(*) FROM work WHERE start > before",
      gpu, times, kWorkTypes);
}

std::string CauseSql(int32_t gpu, const analysis::IdleTime& idle,
                     const query::SelectionRequest& selection) {
  query::SelectionRequest others = selection;
  others.gpu.reset();
  if (!others.empty()) return "";
  return fmt::format(
      "SELECT sum(end - start), count(DISTINCT op_id) FROM gpu_gap WHERE gpuId = {} AND cause = "
      "'{}' AND place = {}",
      gpu, analysis::IdleCauseName(idle.cause), SqlText(idle.where));
}

std::string StartSql(int32_t gpu) {
  return fmt::format(
      "SELECT o.start - p.started FROM rocpd_op o JOIN rtl_process p ON p.id = o.process_id WHERE "
      "o.gpuId = {} AND o.{} ORDER BY o.start LIMIT 1",
      gpu, kWorkTypes);
}

std::string FindingSql(const analysis::Finding& finding) {
  switch (finding.kind) {
    case analysis::FindingKind::kLaunchBound:
      return LaunchBoundSql(finding);
    case analysis::FindingKind::kSerialCopies:
      return SerialCopiesSql(finding);
    case analysis::FindingKind::kRankTail:
      return RankTailSql(finding);
  }
  return "";
}

std::string SqlCommand(const std::string& file, const std::string& sql) {
  std::string line = "  sqlite3 " + Quoted(file) + " \"";
  for (const char c : sql) {
    if (c == '"' || c == '$' || c == '`' || c == '\\') line += '\\';
    line += c;
  }
  return line + "\"\n";
}

}  // namespace rtl::cli
