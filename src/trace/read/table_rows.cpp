// SPDX-License-Identifier: MIT
#include "trace/read/table_rows.h"

#include <map>
#include <vector>

#include "trace/read/error.h"
#include "trace/read/statement.h"

namespace rtl::query {
namespace {

Status FindRoot(const TableFile& file, const char* table, uint32_t* out) {
  Statement row;
  RTL_TRY(row.Prepare(file.db, file.path,
                      "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?1"));
  RTL_TRY(row.Bind(1, std::string_view(table)));
  bool has_row = false;
  RTL_TRY(row.Step(&has_row));
  *out = has_row ? Narrow(row.Int(0)) : 0;
  return Status::Ok();
}

// Finds the table's columns: their names and positions in a row.
Status FindColumns(const TableFile& file, const char* table,
                   std::map<std::string, size_t, std::less<>>* out) {
  Statement rows;
  RTL_TRY(rows.Prepare(file.db, file.path,
                       "SELECT name, type = 'INTEGER' AND pk = 1 FROM pragma_table_info(?1)"
                       " ORDER BY cid"));
  RTL_TRY(rows.Bind(1, std::string_view(table)));
  bool has_id = false;
  for (size_t position = 0;; ++position) {
    bool has_row = false;
    RTL_TRY(rows.Step(&has_row));
    if (!has_row) break;
    has_id |= rows.Int(1) != 0;
    out->emplace(Copy(rows.Text(0)), position);
  }
  if (has_id) return Status::Ok();
  return FileError(file.path,
                   std::string("not as rtl writes it: ") + table + " has no INTEGER PRIMARY KEY");
}

}  // namespace

Status TableRows::Open(const TableFile& file, const char* table,
                       std::span<const char* const> columns) {
  file_ = &file;
  uint32_t root = 0;
  RTL_TRY(FindRoot(file, table, &root));
  std::map<std::string, size_t, std::less<>> places;
  RTL_TRY(FindColumns(file, table, &places));
  std::vector<size_t> positions;
  for (const char* column : columns) {
    const auto place = places.find(column);
    if (place == places.end()) {
      return FileError(file.path,
                       std::string("not as rtl writes it: ") + table + " has no column " + column);
    }
    positions.push_back(place->second);
  }
  const Status status = scan_.Open(file.pages, root, positions);
  return status.ok() ? status : Named(status);
}

Status TableRows::CheckCancel() const {
  return file_->WasCancelled() ? Status::Error("%s", kCancelled) : Status::Ok();
}

Status TableRows::Named(const Status& status) const {
  return FileError(file_->path, status.message());
}

}  // namespace rtl::query
