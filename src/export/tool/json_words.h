// SPDX-License-Identifier: MIT
// json_words.h: writes JSON, with the words that many of rocprofv3's records have in common.
//
// Memory     the text since the last record
#pragma once

#include <rocprofiler-sdk/buffer_tracing.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "export/json_bytes.h"
#include "export/output_file.h"
#include "export/utf8.h"

namespace rtl::exporting::tool {

// Keys must be plain words, because they are not escaped.
class JsonWords {
 public:
  // `file`: receives the text as it grows; null: the text stays in text().
  explicit JsonWords(OutputFile* file) : file_(file) {}

  std::string_view text() const { return bytes_.text(); }
  void Flush() {
    if (file_ == nullptr) return;
    file_->Append(bytes_.text());
    bytes_.Clear();
  }

  void Begin() {
    Separate();
    Open('{');
  }
  void Begin(std::string_view key) {
    Key(key);
    Open('{');
  }
  void End() {
    Close('}');
    if (bytes_.text().size() >= kEnough) Flush();
  }
  void BeginList(std::string_view key) {
    Key(key);
    Open('[');
  }
  void EndList() { Close(']'); }
  // `write` writes the element for one item.
  template <typename Items, typename Write>
  void List(std::string_view key, const Items& items, const Write& write) {
    BeginList(key);
    for (const auto& item : items) write(item, this);
    EndList();
  }
  void Number(std::string_view key, uint64_t value) {
    Key(key);
    bytes_.Number(value);
  }
  void Signed(std::string_view key, int64_t value) {
    Key(key);
    const auto magnitude = static_cast<uint64_t>(value);
    if (value < 0) bytes_.Raw("-");
    bytes_.Number(value < 0 ? 0 - magnitude : magnitude);
  }
  void Real(std::string_view key, double value) {
    Key(key);
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    bytes_.Raw(std::isfinite(value) ? std::string_view(digits, end) : "null");
  }
  void Text(std::string_view key, std::string_view text) {
    Key(key);
    bytes_.Quoted(RepairUtf8(text, &scratch_));
  }
  void Element(std::string_view text) {
    Separate();
    bytes_.Quoted(RepairUtf8(text, &scratch_));
  }
  void Element(uint64_t value) {
    Separate();
    bytes_.Number(value);
  }
  void Raw(std::string_view key, std::string_view value) {
    Key(key);
    bytes_.Raw(value);
  }
  void Handle(std::string_view key, uint64_t value) {
    Begin(key);
    Number("handle", value);
    End();
  }
  template <typename T>
  void Triple(std::string_view key, const T (&values)[3]) {
    Begin(key);
    Number("x", values[0]);
    Number("y", values[1]);
    Number("z", values[2]);
    End();
  }
  void Head(size_t size, rocprofiler_buffer_tracing_kind_t kind, int32_t operation) {
    Begin();
    Number("size", size);
    Signed("kind", kind);
    Signed("operation", operation);
  }
  // `ancestor`: set for records of calls.
  void Correlation(uint64_t internal, uint64_t external, std::optional<uint64_t> ancestor) {
    Begin("correlation_id");
    Number("internal", internal);
    Number("external", external);
    if (ancestor) Number("ancestor", *ancestor);
    End();
  }
  void Times(uint64_t start, uint64_t end) {
    Number("start_timestamp", start);
    Number("end_timestamp", end);
  }
  // Writes an empty list, for data that this project does not have.
  void Empty(std::string_view key) {
    BeginList(key);
    EndList();
  }
  void Entry(uint64_t key, std::string_view value) {
    Begin();
    Number("key", key);
    Text("value", value);
    End();
  }

 private:
  static constexpr size_t kEnough = 1 << 16;

  // Writes a comma, unless this is the first element of a list or an object.
  void Separate() {
    if (!first_) bytes_.Raw(",");
    first_ = false;
  }
  void Key(std::string_view key) {
    bytes_.Raw(first_ ? "\"" : ",\"");
    bytes_.Raw(key);
    bytes_.Raw("\":");
    first_ = false;
  }
  void Open(char bracket) {
    bytes_.Raw({&bracket, 1});
    first_ = true;
  }
  void Close(char bracket) {
    bytes_.Raw({&bracket, 1});
    first_ = false;
  }

  OutputFile* file_;
  JsonBytes bytes_;
  bool first_ = true;  // the innermost list or object is empty so far
  std::string scratch_;
};

}  // namespace rtl::exporting::tool
