// SPDX-License-Identifier: MIT
#include "parquet/footer.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/unique_fd.h"
#include "parquet/thrift.h"

namespace rtl::parquet {
namespace {

constexpr uint32_t kLongestFooter = 64U << 20;
constexpr size_t kMostChunks = 1U << 20;
constexpr int kInt64 = 2;

bool TakeNumber(std::string_view bytes, int64_t* out) {
  if (bytes.size() != sizeof *out) return false;
  std::memcpy(out, bytes.data(), sizeof *out);
  return true;
}

void ReadStatistics(ThriftReader* in, ColumnChunk* chunk) {
  bool has_least = false;
  bool has_most = false;
  in->EachField([&](int id, ThriftType type) {
    if ((id != 5 && id != 6) || type != ThriftType::kBinary) return false;
    const std::string_view bytes = in->Binary();
    (id == 5 ? has_most : has_least) =
        TakeNumber(bytes, id == 5 ? &chunk->extremes.most : &chunk->extremes.least);
    return true;
  });
  chunk->has_extremes = has_least && has_most;
}

void ReadChunk(ThriftReader* in, ColumnChunk* chunk) {
  in->EachField([&](int chunk_id, ThriftType chunk_type) {
    if (chunk_id != 3 || chunk_type != ThriftType::kStruct) return false;
    int64_t data = 0;
    int64_t dictionary = 0;
    in->EachField([&](int id, ThriftType type) {
      int64_t* const narrow = id == 1 ? &chunk->type : id == 4 ? &chunk->codec : nullptr;
      int64_t* const wide = id == 7    ? &chunk->bytes
                            : id == 9  ? &data
                            : id == 11 ? &dictionary
                                       : nullptr;
      if (narrow != nullptr && type == ThriftType::kI32) {
        *narrow = in->Zigzag();
      } else if (wide != nullptr && type == ThriftType::kI64) {
        *wide = in->Zigzag();
      } else if (id == 3 && type == ThriftType::kList) {
        in->EachElement(ThriftType::kBinary, [&] { chunk->name = in->Binary(); });
      } else if (id == 12 && type == ThriftType::kStruct) {
        ReadStatistics(in, chunk);
      } else {
        return false;
      }
      return true;
    });
    chunk->begin = dictionary > 0 ? dictionary : data;
    return true;
  });
}

class FooterReader {
 public:
  FooterReader(std::string_view bytes, Footer* out) : in_(bytes), out_(out) {}

  bool Read() {
    bool has_columns = false;
    bool has_rows = false;
    in_.EachField([&](int id, ThriftType type) {
      if (id == 3 && type == ThriftType::kI64) {
        out_->rows = in_.Zigzag();
        has_rows = out_->rows >= 0;
        return true;
      }
      if (type != ThriftType::kList) return false;
      if (id == 2) {
        in_.EachElement(ThriftType::kStruct, [&] { ReadColumn(); });
        has_columns = !out_->columns.empty();
      } else if (id == 4) {
        in_.EachElement(ThriftType::kStruct, [&] { ReadGroup(); });
      } else if (id == 5) {
        in_.EachElement(ThriftType::kStruct, [&] { ReadPair(); });
      } else {
        return false;
      }
      return true;
    });
    for (const std::string& name : without_) out_->extremes.erase(name);
    return in_.ok() && has_columns && has_rows && chunks_ <= kMostChunks;
  }

 private:
  void ReadColumn() {
    std::string name;
    bool is_column = false;
    in_.EachField([&](int id, ThriftType type) {
      if (id == 1 && type == ThriftType::kI32) {
        is_column = true;
        in_.Zigzag();
        return true;
      }
      if (id != 4 || type != ThriftType::kBinary) return false;
      name = in_.Binary();
      return true;
    });
    if (is_column) out_->columns.push_back(std::move(name));
  }

  void ReadGroup() {
    RowGroup& group = out_->groups.emplace_back();
    in_.EachField([&](int id, ThriftType type) {
      if (id == 3 && type == ThriftType::kI64) {
        group.rows = in_.Zigzag();
        return true;
      }
      if (id != 1 || type != ThriftType::kList) return false;
      in_.EachElement(ThriftType::kStruct, [&] {
        ColumnChunk chunk;
        ReadChunk(&in_, &chunk);
        TakeExtremes(chunk);
        if (++chunks_ <= kMostChunks) group.columns.push_back(std::move(chunk));
      });
      return true;
    });
  }

  void TakeExtremes(const ColumnChunk& chunk) {
    if (chunk.type != kInt64) return;
    if (!chunk.has_extremes) {
      without_.insert(chunk.name);
      return;
    }
    const auto [known, is_new] = out_->extremes.try_emplace(chunk.name, chunk.extremes);
    if (is_new) return;
    known->second.least = std::min(known->second.least, chunk.extremes.least);
    known->second.most = std::max(known->second.most, chunk.extremes.most);
  }

  void ReadPair() {
    std::string key;
    std::string value;
    in_.EachField([&](int id, ThriftType type) {
      if ((id != 1 && id != 2) || type != ThriftType::kBinary) return false;
      (id == 1 ? key : value) = in_.Binary();
      return true;
    });
    out_->pairs[std::move(key)] = std::move(value);
  }

  ThriftReader in_;
  Footer* out_;
  size_t chunks_ = 0;
  std::set<std::string> without_;  // columns without statistics in at least one row group
};

}  // namespace

const ColumnChunk* RowGroup::Find(std::string_view name) const {
  for (const ColumnChunk& column : columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

Status ParseFooter(std::string_view bytes, Footer* out) {
  *out = Footer();
  return FooterReader(bytes, out).Read() ? Status::Ok() : Status::Error("its footer is damaged");
}

bool ReadAt(int fd, int64_t offset, char* to, size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = pread(fd, to, bytes, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    offset += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

Status OpenFile(const std::string& path, UniqueFd* out, int64_t* size) {
  out->reset(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!out->valid()) return Status::ErrnoError(errno, "it cannot be opened");
  struct stat info {};
  if (fstat(out->get(), &info) != 0) return Status::ErrnoError(errno, "it cannot be read");
  if (!S_ISREG(info.st_mode)) return Status::Error("it is no regular file");
  *size = info.st_size;
  return Status::Ok();
}

Status ReadFooter(const std::string& path, Footer* out) {
  UniqueFd fd;
  int64_t size = 0;
  RTL_TRY(OpenFile(path, &fd, &size));
  return ReadFooter(fd.get(), size, out);
}

Status ReadFooter(int fd, int64_t file_size, Footer* out) {
  if (file_size == 0) return Status::Error("it is empty");
  struct {
    char size[4];
    char magic[4];
  } tail;
  char magic[4];
  const int64_t end = file_size - static_cast<int64_t>(sizeof tail);
  if (end < 4 || !ReadAt(fd, end, tail.size, sizeof tail) || !ReadAt(fd, 0, magic, sizeof magic)) {
    return Status::Error("it is cut off");
  }
  if (std::memcmp(magic, "PAR1", 4) != 0) return Status::Error("it is no Parquet file");
  if (std::memcmp(tail.magic, "PAR1", 4) != 0) return Status::Error("it is cut off");
  uint32_t size = 0;
  std::memcpy(&size, tail.size, sizeof size);
  if (size > kLongestFooter || static_cast<int64_t>(size) > end - 4) {
    return Status::Error("its footer is damaged");
  }
  std::string bytes(size, '\0');
  if (!ReadAt(fd, end - static_cast<int64_t>(size), bytes.data(), size)) {
    return Status::Error("it cannot be read");
  }
  return ParseFooter(bytes, out);
}

}  // namespace rtl::parquet
