// SPDX-License-Identifier: MIT
// report_json.h: common functions of reports: the number of rows to show, and members of JSON
// objects.
// Threads    any
#pragma once

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "export/utf8.h"

namespace rtl::cli {

// The default number of rows in each table.
inline constexpr uint32_t kUsualRows = 20;

// `rows`: the requested number; zero: all.
inline size_t RowsToShow(size_t rows, size_t all) { return rows == 0 ? all : std::min(rows, all); }

using JsonWriter = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

// `text` may be any bytes; invalid UTF-8 is replaced.
inline void JsonText(JsonWriter* json, const char* key, std::string_view text) {
  std::string scratch;
  text = exporting::RepairUtf8(text, &scratch);
  json->Key(key);
  json->String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

inline void JsonNumber(JsonWriter* json, const char* key, uint64_t value) {
  json->Key(key);
  json->Uint64(value);
}

// A JSON document that is one object. `add` writes its members.
template <typename Add>
std::string JsonDocument(Add add) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.SetIndent(' ', 2);
  json.StartObject();
  add(&json);
  json.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

// Writes an array with an object for each row. `add` writes the members of a row's object. `most`:
// as `rows` of RowsToShow.
template <typename Rows, typename Add>
void JsonRows(JsonWriter* json, const char* key, const Rows& rows, size_t most, Add add) {
  json->Key(key);
  json->StartArray();
  for (size_t i = 0; i < RowsToShow(most, rows.size()); ++i) {
    json->StartObject();
    add(rows[i]);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace rtl::cli
