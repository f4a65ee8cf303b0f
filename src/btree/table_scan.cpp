// SPDX-License-Identifier: MIT
#include "btree/table_scan.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "btree/format.h"

namespace rtl::btree {
namespace {

// A value is read as eight bytes whatever its size, and a header as sixteen bytes. So this many
// bytes follow each page in memory.
constexpr size_t kSlackBytes = 16;

// If the distance from a leaf to the next page is at most this, the page counts as following the
// leaf in the file.
constexpr uint32_t kNear = 4;

int64_t BigEndian(const uint8_t* at) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, sizeof bits);
  return static_cast<int64_t>(__builtin_bswap64(bits));
}

// A mask for the first 1 to 8 bytes in memory.
uint64_t FirstBytes(size_t bytes) { return ~uint64_t{0} >> (64 - 8 * bytes); }

size_t HashOf(const uint64_t* header) {
  return (header[0] ^ std::rotl(header[1], 29)) * 0x9e3779b97f4a7c15u >> 56;
}

// Converts a real number as sqlite3_column_int64 does.
int64_t Cut(double real) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (real >= kLimit) return std::numeric_limits<int64_t>::max();
  if (real > -kLimit) return static_cast<int64_t>(real);
  return real <= -kLimit ? std::numeric_limits<int64_t>::min() : 0;
}

}  // namespace

Status TableScan::Open(const DatabaseFile& file, uint32_t root, std::span<const size_t> positions) {
  if (positions.size() > kMostColumns) return Status::Error("too many columns to read");
  file_ = &file;
  root_ = root;
  levels_.clear();  // cleared, because the pages of another file may have another size
  column_at_.clear();
  for (size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] >= column_at_.size()) column_at_.resize(positions[i] + 1, kUnwanted);
    column_at_[positions[i]] = static_cast<uint8_t>(i);
  }
  columns_ = positions.size();
  all_nulls_ = (uint64_t{1} << columns_) - 1;
  shapes_.assign(kShapes, Shape());
  ahead_ = nullptr;
  Rewind();
  return Status::Ok();
}

void TableScan::Rewind() {
  levels_in_use_ = 0;
  leaf_ = nullptr;
  is_rewound_ = true;
  pages_left_ = file_->page_count();
  last_leaf_ = 0;
  ahead_count_ = 0;
}

// Goes to the next leaf that has rows.
Status TableScan::NextLeaf(bool* found) {
  *found = false;
  leaf_ = nullptr;
  if (is_rewound_) {
    is_rewound_ = false;
    RTL_TRY(Descend(root_));
  }
  while (levels_in_use_ > 0) {
    Level& level = levels_[levels_in_use_ - 1];
    if (level.is_leaf && level.next_cell < level.cells) {
      leaf_ = &level;
      *found = true;
      return Status::Ok();
    }
    if (level.is_leaf || level.next_cell > level.cells) {
      --levels_in_use_;
      continue;
    }
    uint32_t child = 0;
    RTL_TRY(NextChild(&level, &child));
    RTL_TRY(Descend(child));
  }
  return Status::Ok();
}

// Leaves mostly follow one another in the file, and then many are read at once.
Status TableScan::ReadPage(uint32_t page, uint8_t* out) {
  const size_t bytes = file_->page_bytes();
  if (page - ahead_first_ >= ahead_count_) {
    if (last_leaf_ == 0 || page - last_leaf_ > kNear || bytes >= kAheadBytes) {
      return file_->ReadPage(page, out);
    }
    if (ahead_ == nullptr) ahead_ = std::make_unique_for_overwrite<uint8_t[]>(kAheadBytes);
    ahead_first_ = page;
    ahead_count_ = 0;
    auto count = static_cast<uint32_t>(kAheadBytes / bytes);
    RTL_TRY(file_->ReadPages(page, &count, ahead_.get()));
    ahead_count_ = count;
  }
  std::memcpy(out, ahead_.get() + (page - ahead_first_) * bytes, bytes);
  return Status::Ok();
}

Status TableScan::Descend(uint32_t page) {
  if (levels_in_use_ == kMostLevels) return Status::Error("damaged: page %u is too deep", page);
  if (levels_in_use_ == levels_.size()) {
    levels_.emplace_back();  // leaf_ is null here, so no pointer into `levels_` becomes invalid
    levels_.back().bytes = std::make_unique<uint8_t[]>(file_->page_bytes() + kSlackBytes);
  }
  Level& level = levels_[levels_in_use_];
  RTL_TRY(ReadPage(page, level.bytes.get()));
  if (pages_left_ == 0)
    return Status::Error("damaged: page %u is in its table more than once", page);
  --pages_left_;
  level.page = page;
  level.header = page == 1 ? kDatabaseHeaderBytes : 0;
  const uint8_t* const header = level.bytes.get() + level.header;
  level.is_leaf = header[0] == kLeafPage;
  if (!level.is_leaf && header[0] != kInteriorPage) {
    return Status::Error("damaged: page %u is no page of a table", page);
  }
  level.cells = GetBig(header + kCellCountOffset, 2);
  level.next_cell = 0;
  const size_t places = level.header + (level.is_leaf ? kLeafHeaderBytes : kInteriorHeaderBytes);
  if (places + 2 * level.cells > file_->usable_bytes()) {
    return Status::Error("damaged: page %u has %zu cells", page, level.cells);
  }
  if (level.is_leaf) last_leaf_ = page;
  ++levels_in_use_;
  return Status::Ok();
}

Status TableScan::NextChild(Level* level, uint32_t* child) const {
  const size_t cell = level->next_cell++;
  if (cell == level->cells) {
    *child = GetBig(level->bytes.get() + level->header + kRightChildOffset, 4);
    return Status::Ok();
  }
  size_t place = 0;
  RTL_TRY(PlaceOfCell(*level, cell, &place));
  if (place + 4 > file_->usable_bytes()) {
    return Status::Error("damaged: cell %zu of page %u is outside", cell, level->page);
  }
  *child = GetBig(level->bytes.get() + place, 4);
  return Status::Ok();
}

inline Status TableScan::PlaceOfCell(const Level& level, size_t cell, size_t* out) const {
  const size_t places = level.header + (level.is_leaf ? kLeafHeaderBytes : kInteriorHeaderBytes);
  *out = GetBig(level.bytes.get() + places + 2 * cell, 2);
  if (*out >= places + 2 * level.cells && *out < file_->usable_bytes()) [[likely]] {
    return Status::Ok();
  }
  return Status::Error("damaged: cell %zu of page %u is outside", cell, level.page);
}

Status TableScan::ReadRow() {
  Level* const leaf = leaf_;
  const size_t cell = leaf->next_cell++;
  size_t place = 0;
  RTL_TRY(PlaceOfCell(*leaf, cell, &place));
  const uint8_t* const end = leaf->bytes.get() + file_->usable_bytes();
  uint64_t bytes = 0;
  uint64_t row_id = 0;
  const uint8_t* at = GetVarint(leaf->bytes.get() + place, end, &bytes);
  if (at != nullptr) at = GetVarint(at, end, &row_id);
  row_id_ = static_cast<int64_t>(row_id);
  if (at != nullptr && bytes > file_->usable_bytes() - kBytesOfFullRow) {
    return Status::Error("row %lld of page %u is longer than a page, which is not supported",
                         static_cast<long long>(row_id_), leaf->page);
  }
  if (at == nullptr || bytes > static_cast<size_t>(end - at)) {
    return Status::Error("damaged: cell %zu of page %u is outside", cell, leaf->page);
  }
  const size_t header_bytes = *at;
  if (header_bytes - 1 >= kMostShapeBytes) return ReadRecord(at, at + bytes, leaf->page);
  uint64_t header[2];
  std::memcpy(header, at, sizeof header);
  header[0] &= FirstBytes(std::min<size_t>(header_bytes, 8));
  header[1] &= header_bytes <= 8 ? 0 : FirstBytes(header_bytes - 8);
  Shape& shape = shapes_[HashOf(header) % kShapes];
  if (shape.header[0] != header[0] || shape.header[1] != header[1] || bytes < shape.record_bytes) {
    RTL_TRY(ReadRecord(at, at + bytes, leaf->page));
    SetShape(at, header, &shape);
    return Status::Ok();
  }
  for (size_t i = 0; i < columns_; ++i) {
    const Shape::Value& value = shape.values[i];
    values_[i] = (BigEndian(at + value.offset) >> value.shift & value.keep) | value.plus;
  }
  nulls_ = shape.nulls;
  return Status::Ok();
}

Status TableScan::ReadRecord(const uint8_t* at, const uint8_t* end, uint32_t page) {
  uint64_t header_bytes = 0;
  const uint8_t* type_at = GetVarint(at, end, &header_bytes);
  if (type_at == nullptr || header_bytes > static_cast<size_t>(end - at) ||
      at + header_bytes < type_at) {
    return Status::Error("damaged: a row of page %u has no header", page);
  }
  const uint8_t* const types_end = at + header_bytes;
  const uint8_t* value = types_end;
  nulls_ = all_nulls_;
  size_t position = 0;
  for (; position < column_at_.size() && type_at < types_end; ++position) {
    uint64_t type = 0;
    type_at = GetVarint(type_at, types_end, &type);
    const uint64_t bytes = BytesOf(type);
    if (type_at == nullptr || bytes > static_cast<size_t>(end - value)) {
      return Status::Error("damaged: a value of page %u is outside", page);
    }
    const uint8_t column = column_at_[position];
    if (column != kUnwanted) {
      if (type > kOneType || type == kRealType) [[unlikely]] {
        RTL_TRY(SetOther(column, type, value, page));
      } else {
        values_[column] = bytes != 0 ? BigEndian(value) >> (64 - 8 * bytes) : type == kOneType;
        nulls_ &= ~(uint64_t{type != kNullType} << column);
      }
    }
    value += bytes;
  }
  for (; position < column_at_.size(); ++position) {
    if (column_at_[position] != kUnwanted) values_[column_at_[position]] = 0;
  }
  return Status::Ok();
}

// Sets the shape from the record at `at`, which was read without an error before, so its header is
// valid.
void TableScan::SetShape(const uint8_t* at, const uint64_t* header, Shape* shape) const {
  *shape = {};
  const uint8_t* const types_end = at + *at;
  size_t offset = *at;
  size_t position = 0;
  for (const uint8_t* type_at = at + 1; position < column_at_.size() && type_at < types_end;
       ++position) {
    uint64_t type = 0;
    type_at = GetVarint(type_at, types_end, &type);
    const uint64_t bytes = BytesOf(type);
    if (column_at_[position] != kUnwanted) {
      // A real number is not read by a shape, and a shape's offsets have only one byte.
      if (type > kOneType || type == kRealType || offset > UINT8_MAX) return;
      Shape::Value& value = shape->values[column_at_[position]];
      value.offset = static_cast<uint8_t>(offset);
      value.shift = static_cast<uint8_t>(bytes == 0 ? 0 : 64 - 8 * bytes);
      value.keep = bytes == 0 ? 0 : -1;
      value.plus = type == kOneType;
    }
    offset += bytes;
  }
  shape->nulls = nulls_;
  shape->record_bytes = offset;
  shape->header[0] = header[0];
  shape->header[1] = header[1];
}

// Sets the value of a column whose type is not an integer.
Status TableScan::SetOther(size_t column, uint64_t type, const uint8_t* at, uint32_t page) {
  if (type != kRealType) {
    return Status::Error("row %lld of page %u has %s where a number belongs",
                         static_cast<long long>(row_id_), page,
                         type < kFirstTextType ? "an unknown value"
                         : type % 2 == 0       ? "bytes"
                                               : "a text");
  }
  values_[column] = Cut(std::bit_cast<double>(BigEndian(at)));
  nulls_ &= ~(uint64_t{1} << column);
  return Status::Ok();
}

}  // namespace rtl::btree
