// SPDX-License-Identifier: MIT
#include "store/op_table.h"

#include <string.h>

#include <charconv>

namespace rtl::store {
namespace {

constexpr char kModuleName[] = "rtl_op_batch";

// Columns as xColumn numbers them; the INSERT names them in the same order.
constexpr char kDeclaration[] =
    "CREATE TABLE x (gpuId, queueId, sequenceId, completionSignal, start, end, description_id,"
    " opType_id, roctxId, correlation_id, pid, tid, submit, gridX, gridY, gridZ, workgroupX,"
    " workgroupY, workgroupZ, groupSegmentSize, privateSegmentSize, kernel_id, packet, flags,"
    " process_id, rank)";
constexpr char kInsert[] =
    "INSERT INTO rocpd_op (gpuId, queueId, sequenceId, completionSignal, start, end,"
    " description_id, opType_id, roctxId, correlation_id, pid, tid, submit, gridX, gridY, gridZ,"
    " workgroupX, workgroupY, workgroupZ, groupSegmentSize, privateSegmentSize, kernel_id, packet,"
    " flags, process_id, rank) SELECT * FROM rtl_op_batch";
constexpr int kTextColumn = 3;
constexpr int kRankColumn = 25;

struct BatchTable : sqlite3_vtab {
  const std::vector<OpRow>* rows;
};
struct BatchCursor : sqlite3_vtab_cursor {
  const OpRow* row;
  const OpRow* end;
};

int Connect(sqlite3* db, void* rows, int, const char* const*, sqlite3_vtab** out, char**) {
  const int declared = sqlite3_declare_vtab(db, kDeclaration);
  if (declared != SQLITE_OK) return declared;
  auto* table = new BatchTable{};
  table->rows = static_cast<const std::vector<OpRow>*>(rows);
  *out = table;
  return SQLITE_OK;
}

int Disconnect(sqlite3_vtab* table) {
  delete static_cast<BatchTable*>(table);
  return SQLITE_OK;
}

int BestIndex(sqlite3_vtab*, sqlite3_index_info* info) {
  info->estimatedCost = OpTable::kBatchRows;
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
  auto* cursor = static_cast<BatchCursor*>(base);
  const auto* table = static_cast<const BatchTable*>(base->pVtab);
  cursor->row = table->rows->data();
  cursor->end = cursor->row + table->rows->size();
  return SQLITE_OK;
}

int Next(sqlite3_vtab_cursor* base) {
  ++static_cast<BatchCursor*>(base)->row;
  return SQLITE_OK;
}

int AtEnd(sqlite3_vtab_cursor* base) {
  const auto* cursor = static_cast<BatchCursor*>(base);
  return cursor->row == cursor->end;
}

int64_t IntegerColumn(const OpRow& row, int column) {
  switch (column) {
    case 0:
      return row.gpu;
    case 1:
      return row.queue;
    case 2:
      return row.sequence;
    case 4:
      return row.start;
    case 5:
      return row.end;
    case 6:
      return row.description;
    case 7:
      return row.op_type;
    case 8:
      return row.roctx;
    case 9:
      return row.correlation;
    case 10:
      return row.pid;
    case 11:
      return row.tid;
    case 12:
      return row.submit;
    case 13:
    case 14:
    case 15:
      return row.grid[column - 13];
    case 16:
    case 17:
    case 18:
      return row.workgroup[column - 16];
    case 19:
      return row.group_segment;
    case 20:
      return row.private_segment;
    case 21:
      return row.kernel;
    case 22:
      return row.packet;
    case 23:
      return row.flags;
    case 24:
      return row.process;
    default:
      return row.rank;
  }
}

int Column(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  const OpRow& row = *static_cast<const BatchCursor*>(base)->row;
  if (column == kRankColumn && row.rank < 0) {
    sqlite3_result_null(context);
    return SQLITE_OK;
  }
  if (column != kTextColumn) {
    sqlite3_result_int64(context, IntegerColumn(row, column));
    return SQLITE_OK;
  }
  char text[kCompletionTextBytes];
  const size_t length = row.is_kernel ? FormatCompletionSignal(row, text) : 0;
  sqlite3_result_text(context, text, static_cast<int>(length), SQLITE_TRANSIENT);
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

char* AppendText(char* at, const char* text) {
  const size_t length = strlen(text);
  memcpy(at, text, length);
  return at + length;
}

char* AppendNumber(char* at, uint64_t number, int base) {
  return std::to_chars(at, at + 20, number, base).ptr;
}

char* AppendThree(char* at, const uint32_t* numbers) {
  at = AppendNumber(at, numbers[0], 10);
  *at++ = ',';
  at = AppendNumber(at, numbers[1], 10);
  *at++ = ',';
  return AppendNumber(at, numbers[2], 10);
}

}  // namespace

size_t FormatCompletionSignal(const OpRow& row, char* out) {
  char* at = AppendText(out, "hwq=0x");
  at = AppendNumber(at, row.hsa_queue, 16);
  at = AppendText(at, " wg=");
  at = AppendThree(at, row.workgroup);
  at = AppendText(at, " grid=");
  at = AppendThree(at, row.grid);
  return static_cast<size_t>(at - out);
}

Status OpTable::Prepare(const Database& database) {
  batch_.reserve(kBatchRows);
  if (sqlite3_create_module_v2(database.handle(), kModuleName, &kModule, &batch_, nullptr) !=
      SQLITE_OK) {
    return database.Failure();
  }
  return insert_.Prepare(database, kInsert);
}

Status OpTable::Flush() {
  if (batch_.empty()) return Status::Ok();
  const Status moved = insert_.Insert();
  batch_.clear();
  return moved;
}

}  // namespace rtl::store
