// SPDX-License-Identifier: MIT
#include "tables/columns.h"

namespace rtl::tables {
namespace {

#define RTL_COLUMN(name, type, unit, text) Column{#name, ColumnType::type, unit, text},
#define X(table, name, columns, text) constexpr Column k##table##Columns[] = {columns(RTL_COLUMN)};
RTL_TABLES(X)
#undef X
#undef RTL_COLUMN

#define X(table, name, columns, text) Table{TableId::k##table, name, text, k##table##Columns},
constexpr Table kTables[] = {RTL_TABLES(X)};
#undef X

}  // namespace

size_t Table::Find(std::string_view column) const {
  size_t place = 0;
  while (place < columns.size() && columns[place].name != column) ++place;
  return place;
}

std::span<const Table> Tables() { return kTables; }

const Table& Describe(TableId id) { return kTables[static_cast<size_t>(id)]; }

const Table* FindTable(std::string_view name) {
  for (const Table& table : kTables) {
    if (table.name == name) return &table;
  }
  return nullptr;
}

}  // namespace rtl::tables
