// SPDX-License-Identifier: MIT
#include "dataset/columns.h"

namespace rtl::dataset {
namespace {

using tables::ColumnType;

#define RTL_COLUMN(name, type, unit, text) tables::Column{#name, ColumnType::type, unit, text},
#define X(table, name, columns) \
  constexpr tables::Column k##table##Columns[] = {columns(RTL_COLUMN)};
RTL_DATASET_TABLES(X)
#undef X
#undef RTL_COLUMN

#define X(table, name, columns) Table{name, k##table##Columns},
constexpr Table kTables[] = {RTL_DATASET_TABLES(X)};
#undef X

}  // namespace

const Table& Describe(TableId id) { return kTables[static_cast<size_t>(id)]; }

std::span<const Table> OwnTables() { return kTables; }

std::span<const tables::Column> ColumnsOfTable(std::string_view table) {
  for (const Table& own : kTables) {
    if (own.name == table) return own.columns;
  }
  const tables::Table* const shown = tables::FindTable(table);
  return shown == nullptr ? std::span<const tables::Column>() : shown->columns;
}

}  // namespace rtl::dataset
