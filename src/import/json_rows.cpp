// SPDX-License-Identifier: MIT
#include "import/json_rows.h"

#include <charconv>
#include <deque>
#include <unordered_map>

#include "import/json_reader.h"
#include "import/text_input.h"

namespace rtl::import {
namespace {

constexpr size_t kDeepestRow = 32;
constexpr size_t kMostFields = 65536;
constexpr size_t kLongestText = size_t{1} << 20;
constexpr size_t kMostPathBytes = size_t{16} << 20;

// The paths of the fields of rows. Rows of a table usually have the same fields in the same order.
// So each path remembers the path that followed it last; if that one follows again, no path is put
// together.
class FieldPaths {
 public:
  struct Path {
    const Path* parent;
    std::string key;   // appended to the parent's path
    std::string text;  // the path within the row
    Path* next;        // the path that followed this one last
  };

  FieldPaths() { Clear(); }

  // Begins a row.
  const Path* Begin() {
    if (bytes_ > kMostPathBytes / 2) Clear();
    last_ = &paths_.front();
    return last_;
  }
  // Null: the paths of all rows take more than kMostPathBytes.
  const Path* Find(const Path* parent, std::string_view key, bool is_index) {
    Path* const next = last_->next;
    if (next != nullptr && next->parent == parent && next->key == key) return last_ = next;
    text_.assign(parent->text);
    if (!text_.empty() && !is_index) text_ += '.';
    text_.append(key);
    const auto known = by_text_.find(text_);
    Path* found = known == by_text_.end() ? nullptr : known->second;
    if (found == nullptr) {
      bytes_ += sizeof(Path) + key.size() + text_.size();
      if (bytes_ > kMostPathBytes) return nullptr;
      found = &paths_.emplace_back(Path{parent, std::string(key), text_, nullptr});
      by_text_.emplace(found->text, found);
    }
    last_->next = found;
    return last_ = found;
  }

 private:
  void Clear() {
    by_text_.clear();
    paths_.clear();
    last_ = &paths_.emplace_back(Path{nullptr, "", "", nullptr});
    bytes_ = 0;
  }

  std::deque<Path> paths_;  // addresses stay valid; the first one is the row itself
  std::unordered_map<std::string_view, Path*> by_text_;
  Path* last_ = nullptr;
  size_t bytes_ = 0;
  std::string text_;
};

class RowHandler {
 public:
  RowHandler(TextInput* input, std::string_view parts, JsonRowReader* reader)
      : input_(*input), parts_(parts), reader_(*reader) {}

  const Status& status() const { return status_; }
  bool has_parts() const { return has_parts_; }

  bool Null() { return Value({}); }
  bool Bool(bool value) { return Value(value ? "true" : "false"); }
  bool RawNumber(std::string_view text) { return Value(text); }
  bool String(std::string_view text) { return Value(text); }
  bool Key(std::string_view text) {
    if (text.size() > kLongestText) return TooLong();
    const Level& level = levels_.back();
    if (in_row_) return Go(level, text, false);
    path_.resize(level.path_bytes);
    if (!path_.empty()) path_ += '.';
    path_.append(text);
    return path_.size() <= kLongestText || TooLong();
  }
  bool StartObject() { return Start(false); }
  bool EndObject() { return End(); }
  bool StartArray() { return Start(true); }
  bool EndArray() { return End(); }

 private:
  struct Level {
    bool is_array;
    size_t path_bytes;                       // length of this object's or array's path in path_
    const FieldPaths::Path* path = nullptr;  // within a row: its path
    uint32_t next = 0;                       // of an array: index of the next value
  };

  bool Fail(const Status& status) {
    status_ = status;
    return status.ok();
  }
  bool TooLong() { return Fail(Status::Error("has a value that is too long for a trace")); }

  bool Go(const Level& level, std::string_view key, bool is_index) {
    field_ = paths_.Find(level.path, key, is_index);
    return field_ != nullptr || TooLong();
  }

  // Sets the path of the next value, if it is a value of an array.
  bool Enter() {
    if (levels_.empty() || !levels_.back().is_array) return true;
    Level& level = levels_.back();
    if (in_row_) return Go(level, "[" + std::to_string(level.next++) + "]", true);
    path_.resize(level.path_bytes);
    path_ += "[]";
    return true;
  }

  bool Start(bool is_array) {
    if (levels_.size() >= kDeepestRow) {
      return Fail(Status::Error("is nested too deeply for a trace"));
    }
    const size_t depth = levels_.size();
    const bool in_array = depth > 0 && levels_.back().is_array;
    if (depth == 1 && path_ == parts_ && is_array) has_parts_ = true;
    if (depth == 2 && in_array && has_parts_ && !is_array) {
      in_part_ = true;
      path_.clear();
      levels_.push_back({is_array, 0});
      return Fail(reader_.BeginPart());
    }
    if (in_part_ && !in_row_ && in_array && !is_array) {
      path_.resize(levels_.back().path_bytes);
      table_ = path_;
      in_row_ = true;
      row_depth_ = depth;
      fields_.Clear();
      levels_.push_back({is_array, path_.size(), paths_.Begin()});
      return true;
    }
    if (!Enter()) return false;
    levels_.push_back({is_array, path_.size(), field_});
    return true;
  }

  bool End() {
    levels_.pop_back();
    if (in_row_ && levels_.size() == row_depth_) {
      in_row_ = false;
      input_.Mark();
      return Fail(reader_.TakeRow(table_, fields_));
    }
    if (in_part_ && levels_.size() == 2) {
      in_part_ = false;
      return Fail(reader_.EndPart());
    }
    return true;
  }

  bool Value(std::string_view text) {
    if (text.size() > kLongestText) return TooLong();
    if (levels_.empty()) return true;
    if (!Enter()) return false;
    if (!in_part_) return true;
    if (!in_row_) {
      input_.Mark();
      return Fail(reader_.TakeFact(path_, text));
    }
    if (fields_.size() >= kMostFields) return TooLong();
    fields_.Add(field_->text, text);
    return true;
  }

  TextInput& input_;
  const std::string_view parts_;
  JsonRowReader& reader_;
  Status status_ = Status::Ok();
  bool has_parts_ = false, in_part_ = false;
  std::vector<Level> levels_;
  std::string path_, table_;  // path_: the current path, outside of rows
  bool in_row_ = false;
  size_t row_depth_ = 0;
  FieldPaths paths_;
  const FieldPaths::Path* field_ = nullptr;
  JsonRow fields_;
};

}  // namespace

std::string_view JsonRow::Text(std::string_view key) const {
  for (size_t i = 0; i < fields_.size(); ++i, ++next_) {
    if (next_ >= fields_.size()) next_ = 0;
    if (this->key(next_) == key) return value(next_++);
  }
  return {};
}

uint64_t JsonRow::Number(std::string_view key) const {
  const std::string_view text = Text(key);
  uint64_t value = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), value);  // on failure: 0
  return value;
}

// A time above INT64_MAX is rejected.
int64_t JsonRow::Signed(std::string_view key) const {
  const std::string_view text = Text(key);
  int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? value : -1;
}

void JsonRow::Add(const std::string& key, std::string_view value) {
  fields_.push_back({&key, values_.size(), value.size()});
  values_.append(value);
}

Status ReadJsonRows(const std::string& path, std::string_view parts, JsonRowReader* reader) {
  TextInput input;
  RTL_TRY(input.Open(path));
  input.SkipByteOrderMark();
  RowHandler handler(&input, parts, reader);
  uint64_t repaired = 0;
  RTL_TRY(ParseJson(path, &input, &handler, &repaired));
  if (repaired != 0) reader->TakeRepaired(repaired);
  if (!handler.has_parts()) {
    return Status::Error("%s: JSON without %s is no trace of rocprofv3", path.c_str(),
                         std::string(parts).c_str());
  }
  return Status::Ok();
}

}  // namespace rtl::import
