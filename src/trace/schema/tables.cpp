// SPDX-License-Identifier: MIT
#include "trace/schema/tables.h"

#include "trace/schema/database.h"

namespace rtl::store {

const TableDescription* FindTable(std::string_view name) {
  for (const TableDescription* table : kTables) {
    if (name == table->name) return table;
  }
  return nullptr;
}

std::string_view NameIn(const std::set<std::string, std::less<>>& there,
                        const TableDescription& table, std::string_view column) {
  if (there.contains(column)) return column;
  for (const Column& each : table.columns) {
    if (each.alias_of == nullptr) continue;
    if (column == each.alias_of && there.contains(each.name)) return each.name;
    if (column == each.name && there.contains(each.alias_of)) return each.alias_of;
  }
  return {};
}

bool IsMoment(std::string_view table, std::string_view column) {
  if (table == "rtl_place") return column == "origin";  // has no description
  const TableDescription* const described = FindTable(table);
  if (described == nullptr) return false;
  for (const Column& each : described->columns) {
    if (each.name == column) return each.unit == kMomentUnit;
  }
  return false;
}

std::string CreateSql(const TableDescription& table) {
  std::string sql =
      std::string("CREATE TABLE ") + (table.is_rare ? "IF NOT EXISTS " : "") + table.name + " (";
  for (const Column& column : table.columns) {
    sql += std::string(&column == table.columns.data() ? "" : ",") + "\n  " + column.name + " " +
           column.type;
  }
  return sql + "\n);\n";
}

std::string InsertSql(const TableDescription& table) {
  std::string columns, marks;
  for (const Column& column : table.columns) {
    columns += std::string(columns.empty() ? "" : ", ") + column.name;
    marks += marks.empty() ? "?" : ", ?";
  }
  return std::string("INSERT INTO ") + table.name + " (" + columns + ") VALUES (" + marks + ")";
}

Status AddMissing(Database* database, const TableDescription& table) {
  std::set<std::string, std::less<>> there;
  const std::string sql = std::string("SELECT name FROM pragma_table_info('") + table.name + "')";
  Query names(database->handle(), sql.c_str());
  while (names.Next()) there.insert(names.Text(0));
  if (!names.is_complete()) return database->Failure();
  if (there.empty()) {
    return table.is_rare ? Status::Ok() : database->Execute(CreateSql(table).c_str());
  }
  for (const Column& column : table.columns) {
    if (there.contains(column.name)) continue;
    const std::string add =
        std::string("ALTER TABLE ") + table.name + " ADD COLUMN " + column.name + " " + column.type;
    RTL_TRY(database->Execute(add.c_str()));
  }
  return Status::Ok();
}

}  // namespace rtl::store
