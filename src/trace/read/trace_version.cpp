// SPDX-License-Identifier: MIT
#include "trace/read/trace_version.h"

#include <charconv>
#include <set>
#include <span>
#include <vector>

#include "trace/read/error.h"
#include "trace/schema/schema.h"

namespace rtl::query {
namespace {

// The tables that every version of a trace has.
const char* const kOurs[] = {"rocpd_metadata", "rtl_process"};
const char* const kTables[] = {
    "rocpd_string", "rtl_op",      "rtl_launch", "rocpd_metadata",      "rtl_process",
    "rtl_agent",    "rtl_queue",   "rtl_kernel", "rtl_process_counter", "rtl_queue_loss",
    "rtl_copy",     "rtl_barrier", "rtl_name",   "rtl_stream"};

// The tables of calls and of their links to operations: in this version, since schema 8, and before
// schema 8.
const char* const kLinksInCalls[] = {"rtl_call", "rtl_call_site", "rtl_api_op"};
const char* const kNarrowCalls[] = {"rtl_call", "rtl_call_site", "rocpd_api_ops"};
const char* const kWideCalls[] = {"rocpd_api", "rocpd_api_ops"};

Status CheckTables(const TraceDatabase& database, std::span<const char* const> tables) {
  std::set<std::string, std::less<>> names;
  RTL_TRY(database.ReadRows("SELECT name FROM sqlite_master WHERE type = 'table'",
                            [&](const Statement& rows) { names.insert(Copy(rows.Text(0))); }));
  bool is_ours = true;
  for (const char* table : tables) is_ours = is_ours && names.contains(table);
  if (is_ours) return Status::Ok();
  const auto first_rocpd = names.lower_bound("rocpd_");
  if (first_rocpd != names.end() && first_rocpd->starts_with("rocpd_")) {
    return FileError(database.shown(),
                     "a rocpd database of another tool; rtl reads only its own traces");
  }
  return FileError(database.shown(), "a database, but not a trace");
}

}  // namespace

const std::string* SourceOf(const Metadata& metadata) {
  const auto source = metadata.find(store::kSourceTag);
  return source == metadata.end() ? nullptr : &source->second;
}

Status TraceVersion::Read(const TraceDatabase& database) {
  // Checked first, because an older trace has other tables, and the error must name its version.
  RTL_TRY(CheckTables(database, kOurs));
  RTL_TRY(database.ReadRows("SELECT tag, value FROM rocpd_metadata ORDER BY id",
                            [&](const Statement& rows) {
                              metadata_.insert_or_assign(Copy(rows.Text(0)), Copy(rows.Text(1)));
                            }));
  AddPresentTags();
  RTL_TRY(CheckSchema(database.shown()));
  bool is_packed = false;
  RTL_TRY(database.HasTable("rtl_op_block", &is_packed));
  if (is_packed) {
    return FileError(database.shown(),
                     "its kernels are packed, which this version does not read; the rtl that wrote "
                     "it makes rows of them: rtl convert --to db");
  }
  RTL_TRY(CheckTables(database, kTables));
  RTL_TRY(has_links_in_calls() ? CheckTables(database, kLinksInCalls)
          : has_narrow_calls() ? CheckTables(database, kNarrowCalls)
                               : CheckTables(database, kWideCalls));
  return CheckSpanTables(database);
}

void TraceVersion::AddPresentTags() {
  Metadata present;
  for (const auto& [tag, value] : metadata_) {
    if (std::string name = store::PresentTag(tag); !name.empty()) present.emplace(name, value);
  }
  metadata_.merge(present);  // what is there already stays
}

Status TraceVersion::CheckSchema(const std::string& path) {
  const auto tag = metadata_.find("schema_version");
  if (tag == metadata_.end()) return FileError(path, "a trace without a schema version");
  const std::string& text = tag->second;
  int64_t version = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), version);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  schema_ = version;
  const bool is_known = version >= store::kOldestSchemaVersion && version <= store::kSchemaVersion;
  if (is_number && is_known) return Status::Ok();
  const std::string what = "schema " + text.substr(0, 20) + "; this version reads schema " +
                           std::to_string(store::kSchemaVersion);
  if (!is_number) return FileError(path, "written with an unknown " + what);
  return FileError(path,
                   (version > store::kSchemaVersion ? "written by a newer version of rtl: "
                                                    : "written by an older version of rtl: ") +
                       what);
}

Status TraceVersion::CheckSpanTables(const TraceDatabase& database) const {
  if (!has_spans()) return Status::Ok();
  std::vector<std::string> names = {"rtl_place"};
  for (size_t i = 0; i < kEventKindCount; ++i) {
    const auto each = static_cast<EventKind>(i);
    const SpanKind* const kind = FindSpanKind(each);
    if (kind != nullptr && HasTableOf(each)) names.push_back(std::string("rtl_") + kind->view);
  }
  std::vector<const char*> tables;
  for (const std::string& name : names) tables.push_back(name.c_str());
  return CheckTables(database, tables);
}

uint64_t TraceVersion::Number(std::string_view tag) const {
  const auto found = metadata_.find(tag);
  if (found == metadata_.end()) return 0;
  const std::string& text = found->second;
  uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc() ? value : 0;
}

bool TraceVersion::has_spans() const { return schema_ > store::kOldestSchemaVersion; }

bool TraceVersion::HasTableOf(EventKind kind) const {
  return has_spans() && (schema_ >= store::kRcclSchemaVersion || kind != EventKind::kRcclCall);
}

bool TraceVersion::has_narrow_calls() const { return schema_ >= store::kNarrowCallsSchemaVersion; }

bool TraceVersion::has_links_in_calls() const {
  return schema_ >= store::kLinksInCallsSchemaVersion;
}

}  // namespace rtl::query
