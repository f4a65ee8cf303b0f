// SPDX-License-Identifier: MIT
// report_json.h: common helpers of reports: the number of shown rows, and members of JSON objects.
//
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

// The default for each table.
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

}  // namespace rtl::cli
