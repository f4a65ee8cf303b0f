// SPDX-License-Identifier: MIT
#include "export/tool/host_functions.h"

#include <sqlite3.h>

#include <charconv>
#include <string>

#include "trace/read/error.h"

namespace rtl::exporting::tool {

HostFunctions::~HostFunctions() {
  arguments_ = query::Statement();
  (void)sqlite3_close_v2(database_);
}

Status HostFunctions::Open() {
  const std::string& path = trace_->reader().database();
  if (sqlite3_open_v2(path.c_str(), &database_, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK)
    return query::FileError(path, sqlite3_errmsg(database_));
  return arguments_.Prepare(
      database_, path,
      "SELECT s.string FROM rocpd_api a JOIN rocpd_string s ON s.id = a.args_id WHERE a.id = ?1");
}

Status HostFunctions::FunctionOf(uint64_t correlation, uint64_t* address) {
  *address = 0;
  if (database_ == nullptr) RTL_TRY(Open());
  // As described in docs/formats/database.md#what-happened. An id that wraps around finds no call.
  const uint64_t id = correlation + (static_cast<uint64_t>(trace_->process().id - 1) << 40);
  RTL_TRY(arguments_.Bind(1, static_cast<int64_t>(id)));
  bool found = false;
  RTL_TRY(arguments_.Step(&found));
  if (!found) return Status::Ok();
  const std::string text(arguments_.Text(0));
  constexpr std::string_view kName = "function_address=0x";
  const size_t at = text.find(kName);
  if (at != std::string::npos) {
    const char* const digits = text.data() + at + kName.size();
    // If it is not a number, *address stays zero.
    (void)std::from_chars(digits, text.data() + text.size(), *address, 16);
  }
  return arguments_.Rewind();
}

Status HostFunctions::Note(const ToolKernel& kernel) {
  if (kernel.row.correlation == 0 || kernel.symbol->info.kernel == 0) return Status::Ok();
  uint32_t& tries = tries_[kernel.symbol];
  if (tries >= kMostTries) return Status::Ok();
  ++tries;
  uint64_t address = 0;
  RTL_TRY(FunctionOf(kernel.row.correlation, &address));
  if (address == 0) return Status::Ok();
  tries = kMostTries;  // the function is known, so no further call is tried
  functions_.push_back({functions_.size(), kernel.symbol, address});
  return Status::Ok();
}

}  // namespace rtl::exporting::tool
