// SPDX-License-Identifier: MIT
// tables.h: the tables of a trace as they are described in tables.inc, and what follows from it: CREATE, INSERT,
// the rows in C++, and which columns an older trace may lack.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/status.h"

namespace rtl::store {

class Database;

struct Column {
  const char* name;
  const char* type;  // in SQL, with its constraints
  const char* unit;
  const char* text;
  int since;  // the first schema_version with it; 0: as long as the table
};

struct TableDescription {
  const char* name;
  const char* text;
  bool is_rare;  // made when it gets its first row
  int since;     // the first schema_version with it; 0: all
  std::span<const Column> columns;
};

// Nothing, unless both are numbers.
template <typename From, typename To>
void TakeNumber(const From& from, To* to) {
  if constexpr (std::is_arithmetic_v<From> && std::is_arithmetic_v<To>) *to = static_cast<To>(from);
}

#define RTL_TABLE_LIST "trace/schema/tables.inc"
#include "trace/schema/describe_tables.inc"
#undef RTL_TABLE_LIST

// The unit of a moment. Lengths, and times that count from elsewhere, have the unit "ns".
inline constexpr std::string_view kMomentUnit = "ns since boot";

// Whether a merge that aligns clocks moves the column's values.
bool IsMoment(std::string_view table, std::string_view column);

std::string CreateSql(const TableDescription& table);
// With a `?` for every column.
std::string InsertSql(const TableDescription& table);
// Whether a trace of this schema may lack a table or column: an addition that made no new
// schema_version is missing in some traces of its version.
inline bool MayLack(int since, int64_t schema_version) { return since >= schema_version; }
// Gives a database of the same schema_version what it lacks of the table: rows of it can be added then. Makes no rare
// table.
Status AddMissing(Database* database, const TableDescription& table);

}  // namespace rtl::store
