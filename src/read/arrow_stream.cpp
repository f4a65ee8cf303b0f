// SPDX-License-Identifier: MIT
#include "read/arrow_stream.h"

#include <errno.h>

#include <algorithm>
#include <new>
#include <string>
#include <vector>

namespace rtl::read {
namespace {

using tables::Batch;
using tables::Bytes;
using tables::Column;
using tables::ColumnType;
using tables::ColumnValues;

// The memory of a schema or an array. A consumer may move a child out of its parent, so each child
// owns its memory itself.
struct SchemaParts {
  std::string format, name, metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
  ArrowSchema dictionary = {};
};

struct ArrayParts {
  std::vector<Bytes> kept;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  ArrowArray dictionary = {};
};

template <typename Part>
void ReleaseIfOwned(Part* part) {
  if (part->release != nullptr) part->release(part);
}

template <typename Struct, typename Parts>
void Release(Struct* self) {
  const std::unique_ptr<Parts> parts(static_cast<Parts*>(self->private_data));
  for (Struct& child : parts->children) ReleaseIfOwned(&child);
  ReleaseIfOwned(&parts->dictionary);
  self->release = nullptr;
}

void Fill(std::unique_ptr<SchemaParts> parts, bool is_nullable, ArrowSchema* out) {
  for (ArrowSchema& child : parts->children) parts->pointers.push_back(&child);
  *out = {};
  out->format = parts->format.c_str();
  out->name = parts->name.c_str();
  if (!parts->metadata.empty()) out->metadata = parts->metadata.data();
  out->flags = is_nullable ? ARROW_FLAG_NULLABLE : 0;
  out->n_children = static_cast<int64_t>(parts->children.size());
  if (!parts->pointers.empty()) out->children = parts->pointers.data();
  if (parts->dictionary.release != nullptr) out->dictionary = &parts->dictionary;
  out->release = Release<ArrowSchema, SchemaParts>;
  out->private_data = parts.release();
}

void Fill(std::unique_ptr<ArrayParts> parts, int64_t length, int64_t nulls, ArrowArray* out) {
  for (ArrowArray& child : parts->children) parts->pointers.push_back(&child);
  *out = {};
  out->length = length;
  out->null_count = nulls;
  out->n_buffers = static_cast<int64_t>(parts->buffers.size());
  out->buffers = parts->buffers.data();
  out->n_children = static_cast<int64_t>(parts->children.size());
  if (!parts->pointers.empty()) out->children = parts->pointers.data();
  if (parts->dictionary.release != nullptr) out->dictionary = &parts->dictionary;
  out->release = Release<ArrowArray, ArrayParts>;
  out->private_data = parts.release();
}

void AppendCounted(const std::string& text, std::string* out) {
  const auto size = static_cast<int32_t>(text.size());
  out->append(reinterpret_cast<const char*>(&size), sizeof size);
  out->append(text);
}

std::string MetadataOf(const Column& column) {
  const bool has_unit = column.unit[0] != '\0';
  const int32_t pairs = has_unit ? 2 : 1;
  std::string out(reinterpret_cast<const char*>(&pairs), sizeof pairs);
  AppendCounted("description", &out);
  AppendCounted(column.text, &out);
  if (!has_unit) return out;
  AppendCounted("unit", &out);
  AppendCounted(column.unit, &out);
  return out;
}

bool IsTime(const Column& column) { return std::string_view(column.unit) == "ns"; }
const char* FormatOf(const Column& column, bool datetimes) {
  switch (column.type) {
    case ColumnType::kInteger:
      if (!datetimes || !IsTime(column)) return "l";
      return IsMoment(column) ? "tsn:UTC" : "tDn";
    case ColumnType::kReal:
      return "g";
    case ColumnType::kName:
      return "i";
    case ColumnType::kText:
      return "u";
  }
  return "n";
}

void MakeField(const Column& column, bool datetimes, ArrowSchema* out) {
  auto parts = std::make_unique<SchemaParts>();
  parts->format = FormatOf(column, datetimes);
  parts->name = column.name;
  parts->metadata = MetadataOf(column);
  if (column.type == ColumnType::kName) {
    auto texts = std::make_unique<SchemaParts>();
    texts->format = "u";
    Fill(std::move(texts), false, &parts->dictionary);
  }
  Fill(std::move(parts), true, out);
}

void AddTexts(const std::shared_ptr<const tables::TextList>& texts, ArrayParts* parts) {
  parts->kept.push_back(texts);
  parts->buffers.push_back(texts->offsets.data());
  parts->buffers.push_back(texts->bytes.data());
}

// The times of a column, moved to the wall clock.
Bytes Shifted(const ColumnValues& column, size_t rows, int64_t shift) {
  const std::shared_ptr<int64_t[]> moved(new int64_t[rows]);
  std::transform(column.integers(), column.integers() + rows, moved.get(), [&](int64_t value) {
    return static_cast<int64_t>(static_cast<uint64_t>(value) + static_cast<uint64_t>(shift));
  });
  return moved;
}

class Stream {
 public:
  explicit Stream(OpenTable table) : table_(std::move(table)) {}

  void GetSchema(ArrowSchema* out) const {
    auto parts = std::make_unique<SchemaParts>();
    parts->format = "+s";
    for (const size_t i : table_.reader->columns()) {
      MakeField(ColumnAt(i), table_.datetimes, &parts->children.emplace_back());
    }
    Fill(std::move(parts), false, out);
  }

  Status GetNext(ArrowArray* out) {
    *out = {};
    Batch batch;
    if (is_at_end_) return Status::Ok();
    RTL_TRY(table_.reader->Next(&batch));
    is_at_end_ = batch.rows == 0;
    if (is_at_end_) return Status::Ok();
    auto parts = std::make_unique<ArrayParts>();
    parts->buffers.push_back(nullptr);
    parts->children.resize(batch.columns.size());
    for (size_t i = 0; i < batch.columns.size(); ++i) {
      const Column& column = ColumnAt(table_.reader->columns()[i]);
      MakeArray(column, batch.columns[i], batch.rows, &parts->children[i]);
    }
    Fill(std::move(parts), static_cast<int64_t>(batch.rows), 0, out);
    return Status::Ok();
  }

  void Fail(const char* message) { error_ = message; }
  const char* error() const { return error_.empty() ? nullptr : error_.c_str(); }

 private:
  const Column& ColumnAt(size_t i) const { return table_.reader->table().columns[i]; }

  void MakeArray(const Column& column, const ColumnValues& values, size_t rows,
                 ArrowArray* out) const {
    auto parts = std::make_unique<ArrayParts>();
    parts->kept.push_back(values.valid);
    parts->buffers.push_back(values.valid.get());
    if (values.type == ColumnType::kText) {
      AddTexts(values.texts, parts.get());
    } else {
      const bool is_moved = table_.datetimes && IsMoment(column);
      parts->kept.push_back(is_moved ? Shifted(values, rows, table_.realtime_minus_boottime)
                                     : values.values);
      parts->buffers.push_back(parts->kept.back().get());
    }
    if (values.type == ColumnType::kName) {
      auto texts = std::make_unique<ArrayParts>();
      texts->buffers.push_back(nullptr);
      AddTexts(values.texts, texts.get());
      const auto count = static_cast<int64_t>(values.texts->size());
      Fill(std::move(texts), count, 0, &parts->dictionary);
    }
    Fill(std::move(parts), static_cast<int64_t>(rows), static_cast<int64_t>(values.nulls), out);
  }

  OpenTable table_;
  bool is_at_end_ = false;
  std::string error_;
};

Stream* Of(ArrowArrayStream* stream) { return static_cast<Stream*>(stream->private_data); }

// Exceptions must not leave this function, because the caller is C code.
template <typename Function>
int Guarded(ArrowArrayStream* stream, const Function& function) {
  try {
    const Status status = function();
    if (status.ok()) return 0;
    Of(stream)->Fail(status.message());
    return EIO;
  } catch (const std::bad_alloc&) {
    Of(stream)->Fail("not enough memory for a batch of the table");
    return ENOMEM;
  } catch (const std::exception& error) {
    Of(stream)->Fail(error.what());
    return EIO;
  }
}

}  // namespace

bool IsMoment(const Column& column) {
  return IsTime(column) && std::string_view(column.name) != "duration";
}

void MakeStream(OpenTable table, ArrowArrayStream* out) {
  *out = {};
  out->get_schema = [](ArrowArrayStream* self, ArrowSchema* schema) {
    return Guarded(self, [&] {
      Of(self)->GetSchema(schema);
      return Status::Ok();
    });
  };
  out->get_next = [](ArrowArrayStream* self, ArrowArray* array) {
    return Guarded(self, [&] { return Of(self)->GetNext(array); });
  };
  out->get_last_error = [](ArrowArrayStream* self) { return Of(self)->error(); };
  out->release = [](ArrowArrayStream* self) {
    delete Of(self);
    self->release = nullptr;
  };
  out->private_data = new Stream(std::move(table));
}

}  // namespace rtl::read
