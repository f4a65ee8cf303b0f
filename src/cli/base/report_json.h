// SPDX-License-Identifier: MIT
// report_json.h: writes members of JSON objects, for reports.
// Threads    any
#pragma once

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <stddef.h>
#include <stdint.h>

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/table.h"
#include "export/utf8.h"

namespace rtl::cli {

using JsonWriter = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

// `text` may be any bytes; invalid UTF-8 is replaced.
inline void JsonString(JsonWriter* json, std::string_view text) {
  std::string scratch;
  text = exporting::RepairUtf8(text, &scratch);
  json->String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

inline void JsonText(JsonWriter* json, const char* key, std::string_view text) {
  json->Key(key);
  JsonString(json, text);
}

inline void JsonTexts(JsonWriter* json, const char* key, const std::vector<std::string>& texts) {
  json->Key(key);
  json->StartArray();
  for (const std::string& text : texts) JsonString(json, text);
  json->EndArray();
}

// A number of any type, or a truth value.
template <typename T>
void JsonNumber(JsonWriter* json, const char* key, T value) {
  json->Key(key);
  if constexpr (std::same_as<T, bool>) {
    json->Bool(value);
  } else if constexpr (std::floating_point<T>) {
    json->Double(value);
  } else if constexpr (std::signed_integral<T>) {
    json->Int64(value);
  } else {
    json->Uint64(value);
  }
}

// `add` writes the members of the object.
template <typename Add>
void JsonObject(JsonWriter* json, const char* key, Add add) {
  json->Key(key);
  json->StartObject();
  add();
  json->EndObject();
}

// A JSON document that is one object. `add` writes its members. `indent`: spaces for each level.
template <typename Add>
std::string JsonDocument(Add add, unsigned indent = 2) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.SetIndent(' ', indent);
  json.StartObject();
  add(&json);
  json.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

// Writes an array with an object for each row. `add` writes the members of a row's object. `most`:
// as `most` of FirstRows.
template <typename Rows, typename Add>
void JsonRows(JsonWriter* json, const char* key, const Rows& rows, size_t most, Add add) {
  json->Key(key);
  json->StartArray();
  for (const auto& row : FirstRows(most, rows)) {
    json->StartObject();
    add(row);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace rtl::cli
