// SPDX-License-Identifier: MIT
#include "store/op_batch.h"

namespace rtl::store {
namespace {

constexpr char kModuleName[] = "rtl_op_batch";

// Columns as xColumn numbers them; the INSERT names them in the same order.
constexpr char kDeclaration[] =
    "CREATE TABLE x (id, launch, start, duration, waited, sequence, packet, link)";
constexpr char kInsert[] =
    "INSERT INTO rtl_op (id, launch, start, duration, waited, sequence, packet, link)"
    " SELECT * FROM rtl_op_batch";

struct BatchTable : sqlite3_vtab {
  const OpBatch::Rows* batch;
};
struct BatchCursor : sqlite3_vtab_cursor {
  size_t row;
};

const OpBatch::Rows& BatchOf(sqlite3_vtab_cursor* cursor) {
  return *static_cast<const BatchTable*>(cursor->pVtab)->batch;
}

int Connect(sqlite3* db, void* batch, int, const char* const*, sqlite3_vtab** out, char**) {
  const int declared = sqlite3_declare_vtab(db, kDeclaration);
  if (declared != SQLITE_OK) return declared;
  auto* table = new BatchTable{};
  table->batch = static_cast<const OpBatch::Rows*>(batch);
  *out = table;
  return SQLITE_OK;
}

int Disconnect(sqlite3_vtab* table) {
  delete static_cast<BatchTable*>(table);
  return SQLITE_OK;
}

int BestIndex(sqlite3_vtab*, sqlite3_index_info* info) {
  info->estimatedCost = kBatchRows;
  return SQLITE_OK;
}

int OpenCursor(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  *out = new BatchCursor{};
  return SQLITE_OK;
}

int CloseCursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<BatchCursor*>(cursor);
  return SQLITE_OK;
}

int Filter(sqlite3_vtab_cursor* base, int, const char*, int, sqlite3_value**) {
  static_cast<BatchCursor*>(base)->row = 0;
  return SQLITE_OK;
}

int Next(sqlite3_vtab_cursor* base) {
  ++static_cast<BatchCursor*>(base)->row;
  return SQLITE_OK;
}

int AtEnd(sqlite3_vtab_cursor* base) {
  return static_cast<BatchCursor*>(base)->row == BatchOf(base).rows.size();
}

int Column(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  const OpBatch::Rows& batch = BatchOf(base);
  const size_t place = static_cast<BatchCursor*>(base)->row;
  const NarrowOp& row = batch.rows[place];
  const int64_t values[] = {batch.first_id + static_cast<int64_t>(place),
                            row.launch,
                            row.start,
                            row.duration,
                            row.waited,
                            row.sequence,
                            row.packet,
                            row.link};
  if (values[column] == NarrowOp::kNull) {
    sqlite3_result_null(context);
  } else {
    sqlite3_result_int64(context, values[column]);
  }
  return SQLITE_OK;
}

int RowId(sqlite3_vtab_cursor*, sqlite3_int64* id) {
  *id = 0;
  return SQLITE_OK;
}

// No xCreate: the table exists on every connection that has the module, and never in the file.
constexpr sqlite3_module kModule = {
    .iVersion = 0,
    .xCreate = nullptr,
    .xConnect = Connect,
    .xBestIndex = BestIndex,
    .xDisconnect = Disconnect,
    .xDestroy = nullptr,
    .xOpen = OpenCursor,
    .xClose = CloseCursor,
    .xFilter = Filter,
    .xNext = Next,
    .xEof = AtEnd,
    .xColumn = Column,
    .xRowid = RowId,
    .xUpdate = nullptr,
    .xBegin = nullptr,
    .xSync = nullptr,
    .xCommit = nullptr,
    .xRollback = nullptr,
    .xFindFunction = nullptr,
    .xRename = nullptr,
    .xSavepoint = nullptr,
    .xRelease = nullptr,
    .xRollbackTo = nullptr,
    .xShadowName = nullptr,
};

}  // namespace

Status OpBatch::Prepare(const Database& database) {
  batch_.rows.reserve(kBatchRows);
  if (sqlite3_create_module_v2(database.handle(), kModuleName, &kModule, &batch_, nullptr) !=
      SQLITE_OK) {
    return database.Failure();
  }
  return insert_.Prepare(database, kInsert);
}

Status OpBatch::Add(int64_t id, const NarrowOp& row) {
  const bool follows = id == batch_.first_id + static_cast<int64_t>(batch_.rows.size());
  if (!follows || batch_.rows.size() == kBatchRows) RTL_TRY(Flush());
  if (batch_.rows.empty()) batch_.first_id = id;
  batch_.rows.push_back(row);
  return Status::Ok();
}

Status OpBatch::Flush() {
  if (batch_.rows.empty()) return Status::Ok();
  const Status moved = insert_.Insert();
  batch_.rows.clear();
  return moved;
}

}  // namespace rtl::store
