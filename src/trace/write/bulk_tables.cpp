// SPDX-License-Identifier: MIT
#include "trace/write/bulk_tables.h"

#include <array>

namespace rtl::store {

Status BulkTables::Begin(Database* database, const std::string& path) {
  database_ = database;
  RTL_TRY(FindRoots());
  return file_.Open(path, database->shown());
}

Status BulkTables::FindRoots() {
  RTL_TRY(database_->RootPage("rtl_op", &ops_root_));
  RTL_TRY(database_->RootPage("rtl_call", &calls_root_));
  return operators_root_ == 0 ? Status::Ok() : BeginOperators();
}

Status BulkTables::BeginOperators() {
  are_operators_adopted_ = false;
  return database_->RootPage("rtl_operator", &operators_root_);
}

// Called only when rows must be written: until then SQLite keeps the database in memory, and a
// process may need the last disk space for its spool.
Status BulkTables::Adopt() {
  is_adopted_ = true;
  file_.Forget();
  RTL_TRY(ops_.Adopt(&file_, ops_root_));
  return calls_.Adopt(&file_, calls_root_);
}

Status BulkTables::WriteAll(bool finish) {
  std::array tables = {&ops_, &calls_, &operators_};
  return WriteTables(std::span(tables).first(operators_root_ == 0 ? 2 : 3), finish);
}

Status BulkTables::WriteTables(std::span<btree::TableBuilder* const> tables, bool finish) {
  return database_->Outside([&] {
    RTL_TRY(file_.Begin());
    if (!is_adopted_) RTL_TRY(Adopt());
    if (operators_root_ != 0 && !are_operators_adopted_) {
      RTL_TRY(operators_.Adopt(&file_, operators_root_));
      are_operators_adopted_ = true;
    }
    for (btree::TableBuilder* table : tables) {
      RTL_TRY(finish ? table->Finish(&file_, &repeated_) : table->Write(&file_, &repeated_));
    }
    return file_.End(finish);
  });
}

Status BulkTables::FindCall(int64_t id, bool* found, int64_t* site) const {
  int64_t values[kCallColumns] = {};
  RTL_TRY(calls_.Find(file_, id, values, found));
  *site = values[0];
  return Status::Ok();
}

// A batch is more than a database with small pages should hold, so the pages grow.
Status BulkTables::Write(btree::TableBuilder* full) {
  if (!database_->has_small_pages()) return WriteTables({&full, 1}, false);
  RTL_TRY(database_->GrowPages());
  RTL_TRY(FindRoots());
  is_adopted_ = false;
  return WriteAll(false);
}

Status BulkTables::GrowPages() {
  bool due = false;
  RTL_TRY(database_->OutgrowsPages(&due));
  return due ? Write(&ops_) : Status::Ok();
}

Status BulkTables::Finish() {
  RTL_TRY(WriteAll(true));
  if (repeated_.empty()) return Status::Ok();
  return Status::Error("cannot write %s: two of its rows have the number %lld",
                       database_->shown().c_str(), static_cast<long long>(repeated_.front()));
}

}  // namespace rtl::store
