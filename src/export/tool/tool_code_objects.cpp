// SPDX-License-Identifier: MIT
// The part of ToolTrace for the code objects of kernels.
#include <algorithm>
#include <charconv>

#include "export/tool/tool_trace.h"

namespace rtl::exporting::tool {
namespace {

constexpr uint64_t kMost = 1 << 20;  // a limit, because the file is not trusted

// The value of `name` in a text such as "offset=0x10&size=20" after '#'; zero if it is missing.
uint64_t NumberOf(std::string_view uri, std::string_view name) {
  const size_t at = uri.find(name);
  if (at == std::string_view::npos) return 0;
  std::string_view text = uri.substr(at + name.size());
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  return parsed.ec == std::errc() ? value : 0;
}

}  // namespace

Status ToolTrace::ReadCodeObjects() {
  uint64_t last = 0;
  for (const ToolSymbol& symbol : symbols_) last = std::max(last, symbol.info.code_object);
  code_objects_.resize(std::min(last, kMost) + 1);
  for (size_t id = 0; id < code_objects_.size(); ++id) code_objects_[id].id = id;
  for (const ToolSymbol& symbol : symbols_) {
    if (symbol.info.code_object < code_objects_.size() && symbol.info.agent != 0)
      code_objects_[symbol.info.code_object].agent = symbol.info.agent;
  }
  std::vector<query::CodeObjectRow> rows;
  RTL_TRY(reader_->tables().CodeObjects(&rows));
  for (query::CodeObjectRow& row : rows) {
    if (row.process != process_.id || row.generation >= code_objects_.size()) continue;
    ToolCodeObject& object = code_objects_[row.generation];
    if (object.bytes != 0) continue;
    object.uri = std::move(row.uri);
    object.base = row.base;
    object.bytes = row.bytes;
    object.delta = row.delta;
    if (!object.uri.starts_with("memory://")) continue;
    object.memory_base = NumberOf(object.uri, "offset=");
    object.memory_size = NumberOf(object.uri, "size=");
  }
  return Status::Ok();
}

}  // namespace rtl::exporting::tool
