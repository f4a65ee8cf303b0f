// SPDX-License-Identifier: MIT
#include "import/json_rows.h"

#include <charconv>

#include "import/json_reader.h"
#include "import/text_input.h"

namespace rtl::import {
namespace {

constexpr size_t kDeepestRow = 32;
constexpr size_t kMostFields = 65536;
constexpr size_t kLongestText = size_t{1} << 20;

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
    Level& level = levels_.back();
    path_.resize(level.path_bytes);
    if (!path_.empty() && path_.size() != row_) path_ += '.';
    path_.append(text);
    return true;
  }
  bool StartObject() { return Start(false); }
  bool EndObject() { return End(); }
  bool StartArray() { return Start(true); }
  bool EndArray() { return End(); }

 private:
  static constexpr size_t kNoRow = SIZE_MAX;
  struct Level {
    bool is_array;
    size_t path_bytes;  // of the path of this object or array
    uint32_t next = 0;  // index of an array
  };

  bool Fail(const Status& status) {
    status_ = status;
    return status.ok();
  }
  bool TooLong() { return Fail(Status::Error("has a value that is too long for a trace")); }

  // The path of the value that comes now.
  void Enter() {
    if (levels_.empty() || !levels_.back().is_array) return;
    Level& level = levels_.back();
    path_.resize(level.path_bytes);
    if (row_ == kNoRow) {
      path_ += "[]";
    } else {
      path_ += '[';
      path_ += std::to_string(level.next);
      path_ += ']';
    }
    ++level.next;
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
    if (in_part_ && row_ == kNoRow && in_array && !is_array) {
      path_.resize(levels_.back().path_bytes);
      table_ = path_;
      row_ = path_.size();
      row_depth_ = depth;
      fields_.Clear();
      levels_.push_back({is_array, path_.size()});
      return true;
    }
    Enter();
    levels_.push_back({is_array, path_.size()});
    return true;
  }

  bool End() {
    levels_.pop_back();
    if (row_ != kNoRow && levels_.size() == row_depth_) {
      row_ = kNoRow;
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
    Enter();
    if (!in_part_) return true;
    if (row_ == kNoRow) {
      input_.Mark();
      return Fail(reader_.TakeFact(path_, text));
    }
    if (fields_.size() >= kMostFields) return TooLong();
    fields_.Add(std::string_view(path_).substr(row_), text);
    return true;
  }

  TextInput& input_;
  const std::string_view parts_;
  JsonRowReader& reader_;
  Status status_ = Status::Ok();
  bool has_parts_ = false, in_part_ = false;
  std::vector<Level> levels_;
  std::string path_, table_;
  size_t row_ = kNoRow;  // bytes of the path before the fields of the row
  size_t row_depth_ = 0;
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
  (void)std::from_chars(text.data(), text.data() + text.size(), value);  // otherwise 0
  return value;
}

// A time above INT64_MAX is no time.
int64_t JsonRow::Signed(std::string_view key) const {
  const std::string_view text = Text(key);
  int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? value : -1;
}

void JsonRow::Add(std::string_view key, std::string_view value) {
  fields_.push_back(
      {text_.size(), static_cast<uint32_t>(key.size()), static_cast<uint32_t>(value.size())});
  text_.append(key).append(value);
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
