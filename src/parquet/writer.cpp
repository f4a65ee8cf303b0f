// SPDX-License-Identifier: MIT
#include "parquet/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace rtl::parquet {

namespace {

constexpr char kMagic[] = "PAR1";
constexpr int kLevel = 3;               // of zstd: 9 is slower and not smaller
constexpr size_t kLongestExtreme = 64;  // bytes: a longer text is not in the statistics

template <typename Number>
std::string_view BytesOf(const Number& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

void PutText(std::string_view text, std::string* out) {
  const auto size = static_cast<uint32_t>(text.size());
  *out += BytesOf(size);
  *out += text;
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

}  // namespace

int TypeId(Type type) {
  constexpr int kIds[] = {2, 5, 6};
  return kIds[static_cast<size_t>(type)];
}

struct Writer::Page {
  PageType type;
  Encoding encoding;
  size_t rows;
  std::string_view body;
};

struct Writer::Chunk {
  size_t rows = 0;
  size_t nulls = 0;
  int64_t begin = 0;       // offset in the file
  int64_t dictionary = 0;  // offset of its dictionary page; 0: none
  int64_t data = 0;
  int64_t raw_bytes = 0;
  Encoding encoding = kPlain;
  bool has_extremes = false;
  std::string least, most;
};

Status Writer::Create(const std::string& path, std::vector<Column> columns,
                      std::unique_ptr<Writer>* out) {
  std::unique_ptr<Writer> writer(new Writer);
  writer->path_ = path;
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  writer->temporary_ =
      path.substr(0, name) + "." + path.substr(name) + ".tmp-" + std::to_string(getpid());
  writer->fd_.reset(
      open(writer->temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!writer->fd_.valid()) {
    const int error = errno;
    writer->temporary_.clear();
    return Status::ErrnoError(error, "cannot create %s", path.c_str());
  }
  writer->columns_ = std::move(columns);
  writer->compressor_ = ZSTD_createCCtx();
  if (writer->compressor_ == nullptr) return Status::Error("no memory to compress");
  writer->groups_.BeginElement();
  RTL_TRY(writer->Put(kMagic));
  *out = std::move(writer);
  return Status::Ok();
}

Writer::~Writer() {
  ZSTD_freeCCtx(compressor_);
  if (!temporary_.empty()) (void)unlink(temporary_.c_str());
}

void Writer::Describe(std::string key, std::string value) {
  pairs_.emplace_back(std::move(key), std::move(value));
}

Status Writer::Put(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Status::ErrnoError(errno, "cannot write %s", path_.c_str());
    bytes.remove_prefix(static_cast<size_t>(written));
    bytes_ += written;
  }
  return Status::Ok();
}

Status Writer::PutPage(const Page& page, Chunk* chunk) {
  if (page.body.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return Status::Error("cannot write %s: a page of %zu bytes", path_.c_str(), page.body.size());
  }
  compressed_.resize(ZSTD_compressBound(page.body.size()));
  const size_t bytes = ZSTD_compressCCtx(compressor_, compressed_.data(), compressed_.size(),
                                         page.body.data(), page.body.size(), kLevel);
  if (ZSTD_isError(bytes) != 0) {
    return Status::Error("cannot compress %s: %s", path_.c_str(), ZSTD_getErrorName(bytes));
  }
  ThriftWriter head;
  head.BeginElement();
  head.I32(1, page.type);
  head.I32(2, static_cast<int64_t>(page.body.size()));
  head.I32(3, static_cast<int64_t>(bytes));
  head.Begin(page.type == kDictionaryPage ? 7 : 5);
  head.I32(1, static_cast<int64_t>(page.rows));
  head.I32(2, page.encoding);
  if (page.type == kDataPage) {
    head.I32(3, kRle);  // encoding of levels
    head.I32(4, kRle);
  }
  head.End();
  head.End();
  chunk->raw_bytes += static_cast<int64_t>(head.bytes().size() + page.body.size());
  if (page.type == kDictionaryPage) {
    chunk->dictionary = bytes_;
  } else {
    chunk->data = bytes_;
    chunk->encoding = page.encoding;
  }
  RTL_TRY(Put(head.bytes()));
  return Put(std::string_view(compressed_.data(), bytes));
}

Status Writer::PutPositions(Chunk* chunk) {
  const int width = WidthOf(dictionary_.values().size());
  body_ = levels_;
  body_.push_back(static_cast<char>(width));
  PutRuns(dictionary_.positions(), width, &body_);
  return PutPage({kDataPage, kDictionary, chunk->rows, body_}, chunk);
}

Status Writer::PutNumbers(const Column& column, Chunk* chunk) {
  // If values repeat, a dictionary is used; otherwise the differences of neighbours.
  if (dictionary_.Fill(known_, std::max<size_t>(known_.size() / 8, 16))) {
    const std::vector<int64_t>& words = dictionary_.values();
    const std::string_view bytes(reinterpret_cast<const char*>(words.data()), words.size() * 8);
    RTL_TRY(PutPage({kDictionaryPage, kPlain, words.size(), bytes}, chunk));
    return PutPositions(chunk);
  }
  body_ = levels_;
  if (column.type == Type::kInt64) {
    PutDeltas(known_, &body_);
    return PutPage({kDataPage, kDelta, chunk->rows, body_}, chunk);
  }
  body_.append(reinterpret_cast<const char*>(known_.data()), known_.size() * 8);
  return PutPage({kDataPage, kPlain, chunk->rows, body_}, chunk);
}

Status Writer::PutTexts(const Values& values, Chunk* chunk) {
  const auto text_of = [&](int64_t position) {
    return values.texts[static_cast<size_t>(position)];
  };
  for (const int64_t position : known_) {
    if (position < 0 || static_cast<size_t>(position) >= values.texts.size()) {
      return Status::Error("cannot write %s: a text has no place", path_.c_str());
    }
  }
  if (!dictionary_.Fill(known_, std::max<size_t>(known_.size() / 2, 16))) {
    body_ = levels_;
    for (const int64_t position : known_) PutText(text_of(position), &body_);
    return PutPage({kDataPage, kPlain, chunk->rows, body_}, chunk);
  }
  body_.clear();
  std::string_view least = text_of(dictionary_.values()[0]);
  std::string_view most = least;
  for (const int64_t position : dictionary_.values()) {
    const std::string_view text = text_of(position);
    PutText(text, &body_);
    least = std::min(least, text);
    most = std::max(most, text);
  }
  chunk->has_extremes = std::max(least.size(), most.size()) <= kLongestExtreme;
  chunk->least = least;
  chunk->most = most;
  RTL_TRY(PutPage({kDictionaryPage, kPlain, dictionary_.values().size(), body_}, chunk));
  return PutPositions(chunk);
}

namespace {

// Finds the least and the greatest value. False: there are none, because values cannot be compared.
bool FindExtremes(Type type, std::span<const int64_t> values, std::string* least,
                  std::string* most) {
  if (type == Type::kInt64) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    *least = BytesOf(*low);
    *most = BytesOf(*high);
    return true;
  }
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const int64_t bits : values) {
    const auto value = std::bit_cast<double>(bits);
    if (std::isnan(value)) return false;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low == 0) low = -0.0;  // the format demands this, because zeros of both signs are equal
  if (high == 0) high = 0.0;
  *least = BytesOf(low);
  *most = BytesOf(high);
  return true;
}

}  // namespace

// Sets levels_ to which rows have a value, and known_ to these values.
void Writer::PutLevels(const Values& values, Chunk* chunk) {
  std::string runs;
  const bool is_null = values.numbers.empty();
  if (is_null || values.present.empty()) {
    known_.assign(values.numbers.begin(), values.numbers.end());
    PutVarint(chunk->rows << 1, &runs);  // a single run of equal levels
    runs.push_back(is_null ? 0 : 1);
  } else {
    known_.clear();
    std::vector<uint32_t> levels(chunk->rows);
    for (size_t i = 0; i < chunk->rows; ++i) {
      levels[i] = values.present[i] != 0 ? 1 : 0;
      if (levels[i] != 0) known_.push_back(values.numbers[i]);
    }
    PutRuns(levels, 1, &runs);
  }
  levels_.clear();
  PutText(runs, &levels_);  // preceded by its size
  chunk->nulls = chunk->rows - known_.size();
}

Status Writer::PutChunk(const Column& column, const Values& values, Chunk* chunk) {
  chunk->begin = bytes_;
  PutLevels(values, chunk);
  if (known_.empty()) return PutPage({kDataPage, kPlain, chunk->rows, levels_}, chunk);
  if (column.type == Type::kText) return PutTexts(values, chunk);
  chunk->has_extremes = FindExtremes(column.type, known_, &chunk->least, &chunk->most);
  return PutNumbers(column, chunk);
}

void Writer::DescribeChunk(const Column& column, const Chunk& chunk, ThriftWriter* out) const {
  out->BeginElement();
  out->I64(2, chunk.begin);
  out->Begin(3);
  out->I32(1, TypeId(column.type));
  out->List(2, ThriftType::kI32, chunk.encoding == kPlain ? 2 : 3);
  out->Number(kRle);
  out->Number(kPlain);
  if (chunk.encoding != kPlain) out->Number(chunk.encoding);
  out->List(3, ThriftType::kBinary, 1);
  out->Text(column.name);
  out->I32(4, kZstd);
  out->I64(5, static_cast<int64_t>(chunk.rows));
  out->I64(6, chunk.raw_bytes);
  out->I64(7, bytes_ - chunk.begin);
  out->I64(9, chunk.data);
  if (chunk.dictionary != 0) out->I64(11, chunk.dictionary);
  out->Begin(12);
  out->I64(3, static_cast<int64_t>(chunk.nulls));
  if (chunk.has_extremes) {
    out->Binary(5, chunk.most);
    out->Binary(6, chunk.least);
  }
  out->End();
  out->End();
  out->End();
}

Status Writer::WriteGroup(size_t rows, std::span<const Values> group) {
  if (rows == 0) return Status::Ok();
  const int64_t begin = bytes_;
  int64_t raw_bytes = 0;
  groups_.BeginElement();
  groups_.List(1, ThriftType::kStruct, columns_.size());
  for (size_t i = 0; i < columns_.size(); ++i) {
    Chunk chunk;
    chunk.rows = rows;
    RTL_TRY(PutChunk(columns_[i], group[i], &chunk));
    DescribeChunk(columns_[i], chunk, &groups_);
    raw_bytes += chunk.raw_bytes;
  }
  groups_.I64(2, raw_bytes);
  groups_.I64(3, static_cast<int64_t>(rows));
  groups_.I64(5, begin);
  groups_.I64(6, bytes_ - begin);
  groups_.End();
  ++group_count_;
  rows_ += static_cast<int64_t>(rows);
  return Status::Ok();
}

std::string Writer::Footer() const {
  ThriftWriter out;
  out.BeginElement();
  out.I32(1, 2);  // version of the format
  out.List(2, ThriftType::kStruct, columns_.size() + 1);
  out.BeginElement();
  out.Binary(4, "schema");
  out.I32(5, static_cast<int64_t>(columns_.size()));
  out.End();
  for (const Column& column : columns_) {
    out.BeginElement();
    out.I32(1, TypeId(column.type));
    out.I32(3, 1);  // the column may have NULL
    out.Binary(4, column.name);
    if (column.type == Type::kText) {
      out.I32(6, 0);  // UTF8, for older readers
      out.Begin(10);
      out.Begin(1);
      out.End();
      out.End();
    }
    out.End();
  }
  out.I64(3, rows_);
  out.List(4, ThriftType::kStruct, group_count_);
  out.Append(groups_.bytes());
  if (!pairs_.empty()) {
    out.List(5, ThriftType::kStruct, pairs_.size());
    for (const auto& [key, value] : pairs_) {
      out.BeginElement();
      out.Binary(1, key);
      out.Binary(2, value);
      out.End();
    }
  }
  out.Binary(6, "rtl");
  out.List(7, ThriftType::kStruct, columns_.size());  // the order by which extremes were compared
  for (size_t i = 0; i < columns_.size(); ++i) {
    out.BeginElement();
    out.Begin(1);
    out.End();
    out.End();
  }
  out.End();
  return out.bytes();
}

Status Writer::Commit() {
  const std::string footer = Footer();
  RTL_TRY(Put(footer));
  RTL_TRY(Put(BytesOf(static_cast<uint32_t>(footer.size()))));
  RTL_TRY(Put(kMagic));
  if (fsync(fd_.get()) != 0) return Status::ErrnoError(errno, "cannot write %s", path_.c_str());
  if (rename(temporary_.c_str(), path_.c_str()) != 0) {
    return Status::ErrnoError(errno, "cannot rename %s to %s", temporary_.c_str(), path_.c_str());
  }
  temporary_.clear();
  // Makes the name durable, too. Folders that cannot be synced (FUSE, some network file systems)
  // are left as they are.
  const UniqueFd folder(open(FolderOf(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.valid()) (void)fsync(folder.get());
  return Status::Ok();
}

}  // namespace rtl::parquet
