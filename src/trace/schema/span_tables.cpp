// SPDX-License-Identifier: MIT
#include "trace/schema/span_tables.h"

#include <cstring>
#include <optional>

#include "model/hsa_calls.h"
#include "trace/schema/api_text.h"

namespace rtl::store {
namespace {

constexpr char kPlaceSql[] = R"sql(
CREATE TABLE rtl_place (
  id INTEGER PRIMARY KEY,
  process_id INTEGER NOT NULL REFERENCES rtl_process (id),
  pid INTEGER NOT NULL,
  tid INTEGER NOT NULL,
  rank INTEGER,
  name_id INTEGER NOT NULL REFERENCES rocpd_string (id),
  origin INTEGER NOT NULL
);
)sql";

// The column of a field in the kind's table.
std::string ColumnOf(const EventField& field) {
  return field.form == FieldForm::kCall ? "args_id" : field.name;
}

// The expression with which the view shows the field.
std::string ShownAs(const EventField& field) {
  const std::string name = field.name;
  switch (field.form) {
    case FieldForm::kCall:
      return "args.string AS args";
    case FieldForm::kAgent:
      return "e." + name + ", CASE WHEN a.is_gpu THEN a.gpu END AS gpuId";
    case FieldForm::kQueue:
      return "e." + name + " - 1 AS hsa_queue, q.id AS queueId, q.gpu AS gpuId";
    default:
      return "e." + name;
  }
}

// The tables that the view must join for the field.
std::string JoinFor(const EventField& field) {
  const std::string name = field.name;
  switch (field.form) {
    case FieldForm::kCall:
      return "\nLEFT JOIN rocpd_string args ON args.id = e.args_id";
    case FieldForm::kAgent:
      return "\nLEFT JOIN rtl_agent a ON a.process_id = p.process_id AND a.agent = e." + name;
    case FieldForm::kQueue:
      return "\nLEFT JOIN rtl_queue q ON q.process_id = p.process_id AND q.hsa_id = e." + name +
             " - 1";
    default:
      return "";
  }
}

std::string KindSql(const SpanKind& kind) {
  const std::string table = std::string("rtl_") + kind.view;
  std::string columns;
  std::string shown;
  std::string joins;
  for (uint32_t i = 0; i < kind.field_count; ++i) {
    columns += ",\n  " + ColumnOf(kind.fields[i]) + " INTEGER";
    shown += ", " + ShownAs(kind.fields[i]);
    joins += JoinFor(kind.fields[i]);
  }
  return "CREATE TABLE " + table +
         " (\n  id INTEGER PRIMARY KEY,\n  place INTEGER NOT NULL REFERENCES rtl_place (id),\n"
         "  start INTEGER NOT NULL,\n  duration INTEGER NOT NULL,\n  correlation_id INTEGER" +
         columns + "\n);\nCREATE VIEW " + kind.view +
         " AS\nSELECT e.id, p.process_id, p.pid, p.tid, p.rank, name.string AS name,\n"
         "       p.origin + e.start AS start, p.origin + e.start + e.duration AS end,\n"
         "       e.correlation_id" +
         shown + "\nFROM " + table +
         " e JOIN rtl_place p ON p.id = e.place JOIN rocpd_string name ON name.id = p.name_id" +
         joins + ";\n";
}

// Calls `each(kind)` for every span kind, and stops at the first failure.
template <typename Each>
Status ForEachSpanKind(const Each& each) {
  for (size_t i = 0; i < kEventKindCount; ++i) {
    const SpanKind* const kind = FindSpanKind(static_cast<EventKind>(i));
    if (kind != nullptr) RTL_TRY(each(*kind));
  }
  return Status::Ok();
}

bool HasCall(const SpanKind& kind) {
  return kind.fields[kind.field_count - 1].form == FieldForm::kCall;
}

// The number of values in a record of this kind; the arguments of a call follow these values.
uint32_t ValuesOf(const SpanKind& kind) { return kind.field_count - (HasCall(kind) ? 1 : 0); }

std::optional<int64_t> ValueOf(const EventField& field, const EventRecord& record, uint64_t value) {
  switch (field.form) {
    case FieldForm::kAgent:
    case FieldForm::kQueue:
      if (value == 0) return std::nullopt;
      break;
    case FieldForm::kResult:
      if ((record.flags & kApiFlagNoResult) != 0) return std::nullopt;
      if (HsaResultOf(record.operation) == HsaResult::kNone) return std::nullopt;
      break;
    default:
      break;
  }
  return static_cast<int64_t>(value);
}

}  // namespace

std::string SpanTablesSql() {
  std::string sql = kPlaceSql;
  (void)ForEachSpanKind([&](const SpanKind& kind) {  // `each` never fails here
    sql += KindSql(kind);
    return Status::Ok();
  });
  return sql;
}

Status SpanTables::Prepare(const Database& database, Strings* strings) {
  strings_ = strings;
  RTL_TRY(database.HighestId("rtl_place", &last_place_));
  RTL_TRY(place_.Prepare(database,
                         "INSERT INTO rtl_place (id, process_id, pid, tid, rank, name_id, origin)"
                         " VALUES (?, ?, ?, ?, ?, ?, ?)"));
  return ForEachSpanKind([&](const SpanKind& kind) {
    Table& table = tables_[static_cast<size_t>(kind.kind)];
    const std::string name = std::string("rtl_") + kind.view;
    std::string columns = "id, place, start, duration, correlation_id";
    std::string marks = "?, ?, ?, ?, ?";
    for (uint32_t i = 0; i < kind.field_count; ++i) {
      columns += ", " + ColumnOf(kind.fields[i]);
      marks += ", ?";
    }
    RTL_TRY(database.HighestId(name.c_str(), &table.last));
    return table.insert.Prepare(
        database, "INSERT INTO " + name + " (" + columns + ") VALUES (" + marks + ")");
  });
}

bool SpanTables::IsSound(const EventRecord& record, std::string_view text) {
  const SpanKind* const kind = FindSpanKind(record.kind);
  return kind != nullptr && record.values == ValuesOf(*kind) &&
         text.size() >= size_t{record.values} * sizeof(uint64_t) &&
         OperationName(record.kind, record.operation) != nullptr;
}

Status SpanTables::PlaceOf(const Process& process, const EventRecord& record, const Place** out) {
  const auto [place, inserted] =
      places_.try_emplace(PlaceKey(process.row, record.head.thread, record.kind, record.operation));
  *out = &place->second;
  if (!inserted) return Status::Ok();
  int64_t name = 0;
  RTL_TRY(strings_->Intern(OperationName(record.kind, record.operation), &name));
  place->second = {++last_place_, process.opened};
  const auto rank = process.rank < 0 ? std::nullopt : std::optional<int64_t>(process.rank);
  return place_.Insert(last_place_, process.row, process.pid, record.head.thread, rank, name,
                       process.opened);
}

Status SpanTables::Add(const Process& process, const EventRecord& record, std::string_view text) {
  const SpanKind& kind = *FindSpanKind(record.kind);
  const Place* place = nullptr;
  RTL_TRY(PlaceOf(process, record, &place));
  Table& table = tables_[static_cast<size_t>(record.kind)];
  std::optional<int64_t> row[5 + kMostEventFields] = {
      ++table.last, place->id, static_cast<int64_t>(record.start - place->origin),
      static_cast<int64_t>(record.end - record.start)};
  if (record.correlation != 0) row[4] = static_cast<int64_t>(record.correlation);
  for (uint32_t i = 0; i < record.values; ++i) {
    uint64_t value = 0;
    memcpy(&value, text.data() + i * sizeof value, sizeof value);
    row[5 + i] = ValueOf(kind.fields[i], record, value);
  }
  if (HasCall(kind)) {
    const ApiCall* const call = FindHsaCall(record.operation);
    const ApiArguments arguments(call, HsaArgs(*call), record.flags, record.slots,
                                 text.substr(size_t{record.values} * sizeof(uint64_t)));
    int64_t id = 0;
    RTL_TRY(strings_->InternOnce(arguments.Text(), &id));
    row[5 + record.values] = id;
  }
  return table.insert.InsertRow(row, 5 + kind.field_count);
}

}  // namespace rtl::store
