// SPDX-License-Identifier: MIT
#include "store/packed_ops.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "store/packed_block.h"

namespace rtl::store {
namespace {

constexpr char kPackedDeclaration[] =
    "CREATE TABLE x (id INTEGER, launch INTEGER, start INTEGER, duration INTEGER, waited INTEGER,"
    " sequence INTEGER, packet INTEGER, link INTEGER)";
// From the block that holds the first requested id, or would hold it.
constexpr char kSelectBlocks[] =
    "SELECT id, rows, data FROM rtl_op_block WHERE id <= ?2 AND id >="
    " coalesce((SELECT max(id) FROM rtl_op_block WHERE id <= ?1), ?1) ORDER BY id";

constexpr int64_t kMostId = INT64_MAX - static_cast<int64_t>(kBlockRows);

struct OpenBlock {
  int64_t id = 0;  // of its first row
  UnpackedBlock rows;
};

struct PackedTable : sqlite3_vtab {
  sqlite3* database = nullptr;
  BlockUnpacker unpacker;
  std::shared_ptr<const OpenBlock> last;  // the block read last by any cursor

  int Fail(const Status& why) {
    sqlite3_free(zErrMsg);
    zErrMsg = sqlite3_mprintf("%s", why.message());
    return SQLITE_CORRUPT;
  }
};

// The bounds of a scan, as bits of its idxNum; the values follow in this order.
enum Bound : int { kEqual = 1, kFrom = 2, kAfter = 4, kUpTo = 8, kBefore = 16 };
constexpr Bound kBounds[] = {kEqual, kFrom, kAfter, kUpTo, kBefore};

class PackedCursor : public sqlite3_vtab_cursor {
 public:
  explicit PackedCursor(PackedTable* table) : table_(table) {}
  ~PackedCursor() { sqlite3_finalize(blocks_); }
  PackedCursor(const PackedCursor&) = delete;
  PackedCursor& operator=(const PackedCursor&) = delete;

  // Rows with `first` <= id <= `last`, in this order.
  int Begin(int64_t first, int64_t last);
  int Advance() {
    ++row_;
    return Settle();
  }
  bool at_end() const { return block_ == nullptr; }
  int64_t id() const { return block_->id + static_cast<int64_t>(row_); }
  void Answer(sqlite3_context* context, int column) const;

 private:
  bool Holds(int64_t id) const {
    return block_ != nullptr && id >= block_->id &&
           id - block_->id < static_cast<int64_t>(block_->rows.size());
  }
  int Settle();
  int NextBlock();

  PackedTable* table_;
  sqlite3_stmt* blocks_ = nullptr;
  std::shared_ptr<const OpenBlock> block_;  // null: at the end
  size_t row_ = 0;
  int64_t last_ = 0;
  bool has_more_ = false;  // blocks_ may have another one
};

int PackedCursor::Begin(int64_t first, int64_t last) {
  last_ = last;
  has_more_ = false;
  block_ = table_->last;
  if (first == last && Holds(first)) {
    row_ = static_cast<size_t>(first - block_->id);
    return SQLITE_OK;
  }
  block_ = nullptr;
  if (first > last) return SQLITE_OK;
  has_more_ = true;
  if (blocks_ == nullptr) {
    const int prepared = sqlite3_prepare_v2(table_->database, kSelectBlocks, -1, &blocks_, nullptr);
    if (prepared != SQLITE_OK) return prepared;
  }
  (void)sqlite3_reset(blocks_);  // repeats the result of the last step
  (void)sqlite3_bind_int64(blocks_, 1, first);
  (void)sqlite3_bind_int64(blocks_, 2, last);
  const int code = NextBlock();
  if (code != SQLITE_OK || block_ == nullptr) return code;
  if (first > block_->id) row_ = static_cast<size_t>(first - block_->id);
  return Settle();
}

// Moves past the end of a block to the next one, or past the last row.
int PackedCursor::Settle() {
  while (block_ != nullptr && row_ >= block_->rows.size()) {
    if (const int code = NextBlock(); code != SQLITE_OK) return code;
  }
  if (block_ != nullptr && id() > last_) block_ = nullptr;
  return SQLITE_OK;
}

int PackedCursor::NextBlock() {
  block_ = nullptr;
  row_ = 0;
  if (!has_more_) return SQLITE_OK;
  const int step = sqlite3_step(blocks_);
  has_more_ = step == SQLITE_ROW;
  if (step != SQLITE_ROW) return step == SQLITE_DONE ? SQLITE_OK : step;
  auto block = std::make_shared<OpenBlock>();
  block->id = sqlite3_column_int64(blocks_, 0);
  if (block->id < 1 || block->id > kMostId)
    return table_->Fail(Status::Error("a block of packed rows is broken: impossible ids"));
  const auto rows = static_cast<uint64_t>(sqlite3_column_int64(blocks_, 1));
  const auto* data = static_cast<const char*>(sqlite3_column_blob(blocks_, 2));
  const auto size = static_cast<size_t>(sqlite3_column_bytes(blocks_, 2));
  const Status unpacked = table_->unpacker.Unpack({data, size}, rows, &block->rows);
  if (!unpacked.ok()) return table_->Fail(unpacked);
  block_ = table_->last = std::move(block);
  return SQLITE_OK;
}

void PackedCursor::Answer(sqlite3_context* context, int column) const {
  const NarrowOp row = block_->rows.Row(row_);
  const int64_t values[] = {id(),       row.launch,   row.start,  row.duration,
                            row.waited, row.sequence, row.packet, row.link};
  if (values[column] == NarrowOp::kNull) {
    sqlite3_result_null(context);
  } else {
    sqlite3_result_int64(context, values[column]);
  }
}

// The functions that SQLite calls.
struct PackedModule {
  static int Connect(sqlite3* database, void*, int, const char* const*, sqlite3_vtab** out,
                     char**) {
    const int declared = sqlite3_declare_vtab(database, kPackedDeclaration);
    if (declared != SQLITE_OK) return declared;
    // Views may name it where the schema is not trusted: it reads one table of the same file.
    (void)sqlite3_vtab_config(database, SQLITE_VTAB_INNOCUOUS);
    auto table = std::make_unique<PackedTable>();
    table->database = database;
    *out = table.release();
    return SQLITE_OK;
  }
  static int Disconnect(sqlite3_vtab* table) {
    delete static_cast<PackedTable*>(table);
    return SQLITE_OK;
  }

  // Only bounds on ids narrow a scan.
  static int BestIndex(sqlite3_vtab*, sqlite3_index_info* info) {
    int found = 0;
    int taken[std::size(kBounds)];
    for (int i = 0; i < info->nConstraint; ++i) {
      const auto& constraint = info->aConstraint[i];
      const bool is_id = constraint.iColumn <= 0;  // -1: the row id, which is the same
      const size_t bound = BoundOf(constraint.op);
      if (constraint.usable == 0 || !is_id || bound == std::size(kBounds)) continue;
      if ((found & kBounds[bound]) != 0) continue;  // SQLite checks a second one itself
      found |= kBounds[bound];
      taken[bound] = i;
    }
    int argument = 0;
    for (size_t bound = 0; bound < std::size(kBounds); ++bound) {
      if ((found & kBounds[bound]) != 0) {
        info->aConstraintUsage[taken[bound]].argvIndex = ++argument;
      }
    }
    info->idxNum = found;
    const bool is_one = (found & kEqual) != 0;
    info->estimatedCost = is_one ? 100 : found != 0 ? 1e6 : 1e9;
    info->estimatedRows = is_one ? 1 : found != 0 ? 10'000 : 10'000'000;
    info->orderByConsumed = static_cast<int>(
        info->nOrderBy == 1 && info->aOrderBy[0].iColumn <= 0 && info->aOrderBy[0].desc == 0);
    return SQLITE_OK;
  }
  static size_t BoundOf(unsigned char op) {
    constexpr unsigned char kOps[] = {SQLITE_INDEX_CONSTRAINT_EQ, SQLITE_INDEX_CONSTRAINT_GE,
                                      SQLITE_INDEX_CONSTRAINT_GT, SQLITE_INDEX_CONSTRAINT_LE,
                                      SQLITE_INDEX_CONSTRAINT_LT};
    return static_cast<size_t>(std::find(std::begin(kOps), std::end(kOps), op) - kOps);
  }

  static int Open(sqlite3_vtab* table, sqlite3_vtab_cursor** out) {
    *out = new PackedCursor(static_cast<PackedTable*>(table));
    return SQLITE_OK;
  }
  static int Close(sqlite3_vtab_cursor* cursor) {
    delete static_cast<PackedCursor*>(cursor);
    return SQLITE_OK;
  }

  static int Filter(sqlite3_vtab_cursor* cursor, int found, const char*, int,
                    sqlite3_value** arguments) {
    int64_t first = INT64_MIN + 1;
    int64_t last = INT64_MAX;
    for (const Bound bound : kBounds) {
      if ((found & bound) == 0) continue;
      sqlite3_value* const value = *arguments++;
      // Not an integer: scan every row; SQLite filters them.
      if (sqlite3_value_type(value) != SQLITE_INTEGER) continue;
      const int64_t id = sqlite3_value_int64(value);
      if (bound == kEqual || bound == kFrom || bound == kAfter) first = std::max(first, id);
      if (bound == kEqual || bound == kUpTo || bound == kBefore) last = std::min(last, id);
    }
    return static_cast<PackedCursor*>(cursor)->Begin(first, last);
  }
  static int Next(sqlite3_vtab_cursor* cursor) {
    return static_cast<PackedCursor*>(cursor)->Advance();
  }
  static int Eof(sqlite3_vtab_cursor* cursor) {
    return static_cast<int>(static_cast<PackedCursor*>(cursor)->at_end());
  }
  static int Column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
    static_cast<PackedCursor*>(cursor)->Answer(context, column);
    return SQLITE_OK;
  }
  static int RowId(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
    *id = static_cast<PackedCursor*>(cursor)->id();
    return SQLITE_OK;
  }
};

constexpr sqlite3_module kPackedModule = {
    .iVersion = 0,
    .xCreate = PackedModule::Connect,  // the blocks are a table of their own
    .xConnect = PackedModule::Connect,
    .xBestIndex = PackedModule::BestIndex,
    .xDisconnect = PackedModule::Disconnect,
    .xDestroy = PackedModule::Disconnect,
    .xOpen = PackedModule::Open,
    .xClose = PackedModule::Close,
    .xFilter = PackedModule::Filter,
    .xNext = PackedModule::Next,
    .xEof = PackedModule::Eof,
    .xColumn = PackedModule::Column,
    .xRowid = PackedModule::RowId,
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

int AddPackedOps(sqlite3* database) {
  return sqlite3_create_module_v2(database, "rtl_packed", &kPackedModule, nullptr, nullptr);
}

bool IsPacked(sqlite3* database) {
  return sqlite3_table_column_metadata(database, "main", "rtl_op_block", "data", nullptr, nullptr,
                                       nullptr, nullptr, nullptr) == SQLITE_OK;
}

}  // namespace rtl::store
