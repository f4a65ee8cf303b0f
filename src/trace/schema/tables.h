// SPDX-License-Identifier: MIT
// tables.h: the tables of a trace, as tables.inc describes them. From this description follow
// CREATE, INSERT, the rows in C++, and the columns that an older trace may lack.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/status.h"

namespace rtl::store {

class Database;

struct Column {
  const char* name;
  const char* type;  // the type in SQL, with its constraints
  const char* unit;
  const char* text;
  int since;  // the first schema_version with the column; 0: all that have the table
  // The column that has the same value under its present name; null: this is no alias.
  const char* alias_of;
};

struct TableDescription {
  const char* name;
  const char* text;
  bool is_rare;  // the table is made only when it gets its first row
  int since;     // the first schema_version with the table; 0: all
  std::span<const Column> columns;
};

// Assigns a number; does nothing if one of the types is not a number.
template <typename From, typename To>
void TakeNumber(const From& from, To* to) {
  if constexpr (std::is_arithmetic_v<From> && std::is_arithmetic_v<To>) *to = static_cast<To>(from);
}

// Copies the extents of a kernel.
template <typename From, typename Row>
void TakeExtents(const From& from, Row* row) {
  TakeNumber(from.grid[0], &row->grid_x);
  TakeNumber(from.grid[1], &row->grid_y);
  TakeNumber(from.grid[2], &row->grid_z);
  TakeNumber(from.workgroup[0], &row->workgroup_x);
  TakeNumber(from.workgroup[1], &row->workgroup_y);
  TakeNumber(from.workgroup[2], &row->workgroup_z);
}

#define RTL_TABLE_LIST "trace/schema/tables.inc"
#include "trace/schema/describe_tables.inc"
#undef RTL_TABLE_LIST

// Null: no table of a trace has this name, or the table of a span kind has it.
const TableDescription* FindTable(std::string_view name);
// The name that a column of the table has in a trace whose table has the columns `there`: its own
// name, that of its alias, or, for an alias, the present name. Empty: the trace has none of them.
std::string_view NameIn(const std::set<std::string, std::less<>>& there,
                        const TableDescription& table, std::string_view column);

// The unit of a moment. Lengths, and times that count from elsewhere, have the unit "ns".
inline constexpr std::string_view kMomentUnit = "ns since boot";

// Whether a merge that aligns clocks moves the column's values.
bool IsMoment(std::string_view table, std::string_view column);

std::string CreateSql(const TableDescription& table);
// The INSERT statement, with a `?` for every column.
std::string InsertSql(const TableDescription& table);
// True if a trace of this schema may lack the table or column. An addition that did not raise
// schema_version is missing in some traces of that version.
inline bool MayLack(int since, int64_t schema_version) { return since >= schema_version; }
// Adds to a database of the same schema_version the columns that its table lacks, so that rows can
// be added. Does not make a rare table.
Status AddMissing(Database* database, const TableDescription& table);

}  // namespace rtl::store
