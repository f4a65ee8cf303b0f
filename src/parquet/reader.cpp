// SPDX-License-Identifier: MIT
#include "parquet/reader.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "parquet/encodings.h"
#include "parquet/thrift.h"

namespace rtl::parquet {
namespace {

constexpr int64_t kMostRows = 1 << 20;  // of a row group; the writer makes groups of kGroupRows

Status Damaged() { return Status::Error("it is damaged"); }
Status Foreign() { return Status::Error("it was not written by rtl convert"); }

template <typename Number>
bool TakeNumber(std::string_view* bytes, Number* out) {
  if (bytes->size() < sizeof *out) return false;
  std::memcpy(out, bytes->data(), sizeof *out);
  bytes->remove_prefix(sizeof *out);
  return true;
}

bool TakeText(std::string_view* bytes, std::string_view* out) {
  uint32_t size = 0;
  if (!TakeNumber(bytes, &size) || size > bytes->size()) return false;
  *out = bytes->substr(0, size);
  bytes->remove_prefix(size);
  return true;
}

}  // namespace

struct Reader::Page {
  int64_t type = -1;
  int64_t raw_bytes = -1;
  int64_t bytes = -1;
  int64_t count = -1;
  int64_t encoding = -1;
  std::string_view body;
};

Status Reader::Open(const std::string& path, std::unique_ptr<Reader>* out) {
  std::unique_ptr<Reader> reader(new Reader);
  RTL_TRY(OpenFile(path, &reader->fd_, &reader->size_));
  RTL_TRY(ReadFooter(reader->fd_.get(), reader->size_, &reader->footer_));
  int64_t rows = 0;
  for (const RowGroup& group : reader->footer_.groups) {
    if (group.rows < 0 || group.rows > kMostRows) return Damaged();
    rows += group.rows;
  }
  if (rows != reader->footer_.rows) return Damaged();
  reader->decompressor_ = ZSTD_createDCtx();
  if (reader->decompressor_ == nullptr) return Status::Error("no memory to decompress it");
  *out = std::move(reader);
  return Status::Ok();
}

Reader::~Reader() { ZSTD_freeDCtx(decompressor_); }

Status Reader::Read(const RowGroup& group, std::string_view name, Type type, ReadColumn* out) {
  out->numbers.clear();
  out->present.clear();
  out->texts.clear();
  const ColumnChunk* const chunk = group.Find(name);
  // The file is of an earlier version, which had no such column.
  if (chunk == nullptr) return Status::Ok();
  if (chunk->type != TypeId(type) || chunk->codec != kZstd) return Foreign();
  if (chunk->begin < 4 || chunk->bytes < 0 || chunk->begin > size_ ||
      chunk->bytes > size_ - chunk->begin) {
    return Damaged();
  }
  bytes_.resize(static_cast<size_t>(chunk->bytes));
  if (!ReadAt(fd_.get(), chunk->begin, bytes_.data(), bytes_.size())) {
    return Status::Error("it cannot be read");
  }
  std::string_view rest = bytes_;
  const auto rows = static_cast<size_t>(group.rows);
  dictionary_.clear();
  Page page;
  RTL_TRY(ReadPage(&rest, &page));
  if (page.type == kDictionaryPage) {
    if (page.encoding != kPlain) return Foreign();
    if (page.count > static_cast<int64_t>(page.body.size())) return Damaged();
    dictionary_.resize(static_cast<size_t>(page.count));
    known_.resize(dictionary_.size());
    RTL_TRY(TakeValues(page, type, page.body, out));
    dictionary_.swap(known_);
    if (type == Type::kText) dictionary_.clear();  // the texts are in out->texts already
    RTL_TRY(ReadPage(&rest, &page));
  }
  // The writer makes one page for each column of a row group.
  if (page.type != kDataPage || page.count != group.rows) return Foreign();
  std::string_view body = page.body;
  RTL_TRY(TakeLevels(rows, &body, out));
  if (known_.empty()) return Status::Ok();
  RTL_TRY(TakeValues(page, type, body, out));
  if (out->present.empty()) {
    out->numbers.swap(known_);
    return Status::Ok();
  }
  out->numbers.resize(rows);
  for (size_t row = 0, next = 0; row < rows; ++row) {
    out->numbers[row] = known_[next];
    next = std::min(next + out->present[row], known_.size() - 1);
  }
  return Status::Ok();
}

Status Reader::ReadPage(std::string_view* bytes, Page* page) {
  *page = {};
  ThriftReader in(*bytes);
  in.EachField([&](int id, ThriftType type) {
    if (id <= 3 && type == ThriftType::kI32) {
      (id == 1 ? page->type : id == 2 ? page->raw_bytes : page->bytes) = in.Zigzag();
      return true;
    }
    if ((id != 5 && id != 7) || type != ThriftType::kStruct) return false;
    in.EachField([&](int part, ThriftType part_type) {
      if (part > 2 || part_type != ThriftType::kI32) return false;
      (part == 1 ? page->count : page->encoding) = in.Zigzag();
      return true;
    });
    return true;
  });
  if (!in.ok() || page->bytes < 0 || page->bytes > static_cast<int64_t>(in.left()) ||
      page->raw_bytes < 0 || page->raw_bytes > std::numeric_limits<int32_t>::max() ||
      page->count < 0 || page->count > kMostRows) {
    return Damaged();
  }
  bytes->remove_prefix(bytes->size() - in.left());
  const std::string_view packed = bytes->substr(0, static_cast<size_t>(page->bytes));
  bytes->remove_prefix(packed.size());
  // Compares the size in the compressed data first, before memory is allocated.
  const auto size = static_cast<size_t>(page->raw_bytes);
  if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != size) return Damaged();
  body_.resize(size + kPadding);
  if (ZSTD_decompressDCtx(decompressor_, body_.data(), size, packed.data(), packed.size()) !=
      size) {
    return Damaged();
  }
  page->body = std::string_view(body_).substr(0, size);
  return Status::Ok();
}

// Reads which rows have a value, and makes room for their values in known_.
Status Reader::TakeLevels(size_t rows, std::string_view* body, ReadColumn* out) {
  std::string_view runs;
  if (!TakeText(body, &runs)) return Damaged();
  std::vector<uint32_t> levels(rows);
  if (!TakeRuns(runs, 1, levels)) return Damaged();
  const auto count = static_cast<size_t>(std::count(levels.begin(), levels.end(), 1U));
  known_.resize(count);
  if (count < rows && count > 0) out->present.assign(levels.begin(), levels.end());
  return Status::Ok();
}

// Reads the values of a page into known_.
Status Reader::TakeValues(const Page& page, Type type, std::string_view body, ReadColumn* out) {
  if (page.encoding == kDictionary) {
    const size_t words = type == Type::kText ? out->texts.size() : dictionary_.size();
    uint8_t width = 0;
    std::vector<uint32_t> positions(known_.size());
    if (!TakeNumber(&body, &width) || !TakeRuns(body, width, positions)) return Damaged();
    for (size_t i = 0; i < positions.size(); ++i) {
      if (positions[i] >= words) return Damaged();
      known_[i] = type == Type::kText ? positions[i] : dictionary_[positions[i]];
    }
    return Status::Ok();
  }
  if (page.encoding == kDelta && type == Type::kInt64) {
    return TakeDeltas(body, known_) ? Status::Ok() : Damaged();
  }
  if (page.encoding != kPlain) return Foreign();
  if (type == Type::kText) {
    out->text_bytes = body;
    body = out->text_bytes;
    out->texts.resize(known_.size());
    for (size_t i = 0; i < known_.size(); ++i) {
      if (!TakeText(&body, &out->texts[i])) return Damaged();
      known_[i] = static_cast<int64_t>(i);
    }
    return Status::Ok();
  }
  if (body.size() < known_.size() * sizeof(int64_t)) return Damaged();
  std::memcpy(known_.data(), body.data(), known_.size() * sizeof(int64_t));
  return Status::Ok();
}

}  // namespace rtl::parquet
