// SPDX-License-Identifier: MIT
#include "fleet/ask.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "dataset/columns.h"
#include "fleet/quoted.h"
#include "tables/columns.h"

namespace rtl::fleet {
namespace {

std::vector<dataset::Table> KnownTables() {
  std::vector<dataset::Table> known;
  for (const tables::Table& table : tables::Tables()) known.push_back({table.name, table.columns});
  const auto own = dataset::OwnTables();
  known.insert(known.end(), own.begin(), own.end());
  return known;
}

const char* SqlType(tables::ColumnType type) {
  if (type == tables::ColumnType::kInteger) return "bigint";
  // Spark needs a length.
  return type == tables::ColumnType::kReal ? "double" : "varchar(1000)";
}

// SQL for a table that has no files in the dataset.
std::string NoRows(std::span<const tables::Column> columns) {
  std::string sql = "select ";
  for (const tables::Column& column : columns) {
    if (&column != &columns.front()) sql += ", ";
    sql += fmt::format("cast(null as {}) as {}", SqlType(column.type), column.name);
  }
  return sql + " where 1 = 0";
}

std::string RanksView(const Fleet& fleet) {
  std::string sql = "select * from (values ";
  for (const RankState& rank : fleet.ranks) {
    if (&rank != &fleet.ranks.front()) sql += ", ";
    sql += fmt::format("(cast({} as bigint), {}, {}, {}, {})",
                       rank.rank ? std::to_string(*rank.rank) : "null", SqlText(rank.label),
                       SqlText(rank.host), SqlText(rank.State()),
                       rank.is_complete || rank.Until().empty() ? "cast(null as varchar(20))"
                                                                : SqlText(rank.Until()));
  }
  return sql + ") as t (rank, files, host, state, until)";
}

std::vector<std::string> FilesOf(const Fleet& fleet, const std::string& table,
                                 const std::string& host) {
  std::vector<std::string> files;
  const auto found = fleet.tables.find(table);
  if (found == fleet.tables.end()) return files;
  for (const DataFile& file : found->second) {
    if (host.empty() || file.host == host) files.push_back(file.path);
  }
  return files;
}

// Whether `sql` names the table after "from", "join" or a comma.
bool Reads(const std::string& sql, const std::string& table) {
  const auto is_letter = [](char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = sql.find(table); at != std::string::npos; at = sql.find(table, at + 1)) {
    const size_t end = at + table.size();
    if (end < sql.size() && is_letter(sql[end])) continue;
    const std::string_view whole = std::string_view(sql).substr(0, at);
    const std::string_view before = whole.substr(0, whole.find_last_not_of(" \n") + 1);
    if (before.ends_with(',')) return true;
    if (before.size() < whole.size() && (before.ends_with("from") || before.ends_with("join"))) {
      return true;
    }
  }
  return false;
}

// The views that the question reads, directly or through other views. Others are left out, because
// an engine opens files of each view that it gets.
std::vector<View> NamedViews(std::vector<View> views, const std::string& sql) {
  std::string texts = sql;
  std::vector<View> named;
  // A view may read only views before it in the list.
  while (!views.empty()) {
    View view = std::move(views.back());
    views.pop_back();
    if (!Reads(texts, view.name)) continue;
    texts += "\n" + view.sql;
    named.push_back(std::move(view));
  }
  std::ranges::reverse(named);
  return named;
}

// The dataset without the files of kernels that cannot have rows of the question's step and ranks.
Fleet OnlyOneStep(const Fleet& whole, const Question& question,
                  const std::map<std::string, std::string>& values) {
  const auto value = [&](const char* name) {
    return NumberIn<double>(ValueOf(question, name, values));
  };
  const double step = value("step"), first = value("first"), last = value("last");
  std::set<std::string> others;  // labels of other ranks than `first` to `last`
  for (const RankState& rank : whole.ranks) {
    if (!rank.rank || *rank.rank < first || *rank.rank > last) others.insert(rank.label);
  }
  Fleet fleet = whole;
  std::erase_if(fleet.tables["kernels"], [&](const DataFile& file) {
    const bool has_step = !file.steps || (file.steps->first <= step && step <= file.steps->second);
    return !has_step || others.contains(file.label);
  });
  return fleet;
}

}  // namespace

std::vector<View> Asker::Views(const std::string& host) const {
  std::vector<View> views;
  for (const auto& [name, columns] : KnownTables()) {
    const std::string table = name;
    View view{table, FilesOf(*runs_[0], table, table == "names" ? "" : host), ""};
    if (table == "names") {
      view.name = "all_names";
      if (runs_.size() > 1) {
        const auto others = FilesOf(*runs_[1], table, "");
        view.files.insert(view.files.end(), others.begin(), others.end());
      }
    }
    if (view.files.empty()) view.sql = NoRows(columns);
    views.push_back(view);
    if (runs_.size() > 1 && table == "step_kernels") {
      view = {"step_kernels_b", FilesOf(*runs_[1], table, ""), ""};
      if (view.files.empty()) view.sql = NoRows(columns);
      views.push_back(view);
    }
  }
  // Every rank has its own list of names, so they are merged.
  views.push_back({"names",
                   {},
                   "select name_id, min(name) as name, min(kind) as kind from all_names "
                   "group by name_id"});
  views.push_back({"ranks", {}, RanksView(*runs_[0])});
  return views;
}

Status Asker::Choose(const Request& request, Question* out) const {
  if (request.question == "sql") {
    *out = Question();
    out->name = "sql";
    out->sql = request.sql;
    return Status::Ok();
  }
  const bool has_events = runs_[0]->HasEvents();
  const bool has_summaries = runs_[0]->HasSummaries();
  Source from = request.from;
  Question own;
  if (!FindQuestion(request.question, Source::kOther, &own) &&
      !FindQuestion(request.question, from, &own)) {
    return Status::Error("there is no question %s", request.question.c_str());
  }
  if (own.source != Source::kOther && !has_events && !has_summaries) {
    return Status::Error("no kernel is in the dataset");
  }
  // If the request does not choose a source, take one that the dataset has.
  if (from == Source::kOther && own.source == Source::kEvents && !has_events) {
    from = Source::kSummaries;
  }
  if (from == Source::kOther && own.source == Source::kSummaries && !has_summaries) {
    from = Source::kEvents;
  }
  if (!FindQuestion(request.question, from, out)) {
    return Status::Error("%s cannot be answered from %s%s", request.question.c_str(),
                         from == Source::kEvents ? "events" : "summaries",
                         request.from == from      ? ""
                         : from == Source::kEvents ? ", and files of the sums are missing"
                                                   : ", which are all that is there");
  }
  if ((out->source == Source::kEvents && !has_events) ||
      (out->source == Source::kSummaries && !has_summaries)) {
    return Status::Error("the dataset has no %s",
                         out->source == Source::kEvents ? "kernels" : "summaries of kernels");
  }
  if (out->is_of_two_runs && runs_.size() == 2 && !runs_[1]->HasSummaries()) {
    return Status::Error("the run after has no summaries of kernels");
  }
  if (out->is_of_two_runs && runs_.size() != 2) {
    return Status::Error("%s takes two datasets, the run before and the run after",
                         request.question.c_str());
  }
  return Status::Ok();
}

Status Asker::Prepare(const Request& request, std::vector<Query>* out) {
  RTL_TRY(Choose(request, &question_));
  std::string sql = question_.sql;
  if (question_.name == "sql") {
    const size_t end = sql.find_last_not_of("; \n\t");
    sql.resize(end == std::string::npos ? 0 : end + 1);
    if (sql.empty()) return Status::Error("the SQL is empty");
  } else {
    RTL_TRY(Fill(question_, request.values, &sql));
  }
  while (!sql.empty() && sql.back() == '\n') sql.pop_back();
  out->clear();
  if (!question_.is_by_host) {
    // A user's own SQL gets all views, because it may list the tables.
    const bool is_own = question_.name == "sql";
    if (question_.is_of_one_step) {
      const Fleet fleet = OnlyOneStep(*runs_[0], question_, request.values);
      out->push_back({NamedViews(Asker({&fleet}).Views(""), sql), sql});
      return Status::Ok();
    }
    out->push_back({is_own ? Views("") : NamedViews(Views(""), sql), sql});
    return Status::Ok();
  }
  std::set<std::string> hosts;
  for (const DataFile& file : runs_[0]->tables.at("kernels")) hosts.insert(file.host);
  for (const std::string& host : hosts) out->push_back({NamedViews(Views(host), sql), sql});
  return Status::Ok();
}

void Asker::Merge(const Question& question, const std::map<std::string, std::string>& values,
                  Result* out) const {
  std::ranges::stable_sort(out->rows, [&](const auto& a, const auto& b) {
    const double one = NumberIn<double>(a[0]);
    const double other = NumberIn<double>(b[0]);
    return question.is_descending ? one > other : one < other;
  });
  for (const Parameter& parameter : question.parameters) {
    if (parameter.name != "limit") continue;
    const auto given = values.find(parameter.name);
    const auto most = static_cast<size_t>(
        NumberIn<double>(given == values.end() ? parameter.value : given->second));
    if (out->rows.size() > most) out->rows.resize(most);
  }
}

Status Asker::Ask(const Engine& engine, const Request& request, Result* out) {
  std::vector<Query> queries;
  RTL_TRY(Prepare(request, &queries));
  *out = Result();
  for (const Query& query : queries) {
    Result part;
    RTL_TRY(engine.Ask(query.views, query.sql, &part));
    out->columns = std::move(part.columns);
    std::ranges::move(part.rows, std::back_inserter(out->rows));
  }
  if (queries.size() > 1) Merge(question_, request.values, out);
  return Status::Ok();
}

}  // namespace rtl::fleet
