// SPDX-License-Identifier: MIT
#include "trace/read/trace_reader.h"

#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "trace/read/error.h"
#include "trace/read/trace_file.h"
#include "trace/schema/schema.h"

namespace rtl::query {
namespace {

constexpr size_t kTextCacheBytes = 16u << 20;
constexpr int kStepsBetweenCancelChecks = 20000;

// The tables that every version of a trace has.
const char* const kOurs[] = {"rocpd_metadata", "rtl_process"};
const char* const kTables[] = {
    "rocpd_string", "rtl_op",      "rtl_launch", "rocpd_metadata",      "rtl_process",
    "rtl_agent",    "rtl_queue",   "rtl_kernel", "rtl_process_counter", "rtl_queue_loss",
    "rtl_copy",     "rtl_barrier", "rtl_name",   "rtl_stream"};

// The tables of calls and of their links to operations: of this version, since schema 8, and before.
const char* const kLinksInCalls[] = {"rtl_call", "rtl_call_site", "rtl_api_op"};
const char* const kNarrowCalls[] = {"rtl_call", "rtl_call_site", "rocpd_api_ops"};
const char* const kWideCalls[] = {"rocpd_api", "rocpd_api_ops"};

constexpr char kSelectCopies[] =
    "SELECT o.id, o.pid, o.tid, o.description_id, c.dst_gpu, c.src_gpu, c.bytes, o.submit, o.start,"
    " o.\"end\", o.correlation_id, c.dst_agent, c.src_agent, c.dst, c.src, o.process_id"
    " FROM rtl_copy c JOIN rocpd_op o ON o.id = c.op_id ORDER BY ";
constexpr char kOpsByStart[] = "o.start, o.id";
constexpr char kOpsBySubmit[] =
    "CASE WHEN o.submit > 0 AND o.submit < o.start THEN o.submit ELSE o.start END, o.id";

constexpr char kSelectBarriers[] =
    "SELECT o.id, o.pid, o.tid, o.gpuId, o.queueId, o.description_id, b.dependencies, o.submit,"
    " o.start, o.\"end\", o.correlation_id, o.packet, o.process_id"
    " FROM rtl_barrier b JOIN rocpd_op o ON o.id = b.op_id ORDER BY ";

constexpr char kSelectLaunches[] =
    "SELECT o.description_id, a.start, o.submit, o.start, o.\"end\", o.gpuId, o.queueId,"
    " o.process_id FROM rocpd_api_ops l"
    " JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_op o ON o.id = l.op_id"
    " WHERE o.opType_id = ?1";

int StopWhenCancelled(void* flag) {
  return static_cast<const std::atomic<bool>*>(flag)->load(std::memory_order_relaxed) ? 1 : 0;
}

}  // namespace

Status TraceReader::Open(const std::string& path, std::unique_ptr<TraceReader>* out) {
  RTL_TRY(CheckTraceFile(path));
  std::unique_ptr<TraceReader> reader(new TraceReader());
  reader->path_ = path;
  RTL_TRY(OpenDatabase(path, &reader->db_));
  RTL_TRY(reader->OpenTables());
  RTL_TRY(reader->Validate());
  *out = std::move(reader);
  return Status::Ok();
}

Status TraceReader::OpenTables() {
  tables_.db = db_;
  tables_.path = path_;
  const Status status = tables_.pages.Open(path_);
  return status.ok() ? status : FileError(path_, status.message());
}

const std::string* SourceOf(const Metadata& metadata) {
  const auto source = metadata.find(store::kSourceTag);
  return source == metadata.end() ? nullptr : &source->second;
}

TraceReader::~TraceReader() {
  text_by_id_ = Statement();
  stream_of_call_ = Statement();
  launches_.Finalize();
  // Open cursors keep the connection alive.
  (void)sqlite3_close_v2(db_);
}

void TraceReader::SetCancel(const std::atomic<bool>* cancel) {
  tables_.cancel = cancel;
  sqlite3_progress_handler(db_, kStepsBetweenCancelChecks,
                           cancel != nullptr ? StopWhenCancelled : nullptr,
                           const_cast<std::atomic<bool>*>(cancel));
}

Status TraceReader::Validate() {
  // An older trace has other tables; the error must name its version.
  RTL_TRY(CheckTables(kOurs));
  RTL_TRY(ReadMetadata());
  RTL_TRY(CheckSchemaVersion());
  bool is_packed = false;
  RTL_TRY(HasTable("rtl_op_block", &is_packed));
  if (is_packed) {
    return FileError(path_,
                     "its kernels are packed, which this version does not read; the rtl that wrote "
                     "it makes rows of them: rtl convert --to db");
  }
  RTL_TRY(CheckTables(kTables));
  RTL_TRY(links_in_calls_ ? CheckTables(kLinksInCalls)
          : narrow_calls_ ? CheckTables(kNarrowCalls)
                          : CheckTables(kWideCalls));
  RTL_TRY(CheckSpanTables());
  RTL_TRY(launches_.Prepare(db_, path_));
  return text_by_id_.Prepare(db_, path_, "SELECT string FROM rocpd_string WHERE id = ?1");
}

// Hands every row of a query to `take`.
Status TraceReader::CheckTables(std::span<const char* const> tables) {
  std::set<std::string, std::less<>> names;
  RTL_TRY(ReadRows("SELECT name FROM sqlite_master WHERE type = 'table'",
                   [&](const Statement& rows) { names.insert(Copy(rows.Text(0))); }));
  bool is_ours = true;
  for (const char* table : tables) is_ours = is_ours && names.contains(table);
  if (is_ours) return Status::Ok();
  const auto first_rocpd = names.lower_bound("rocpd_");
  if (first_rocpd != names.end() && first_rocpd->starts_with("rocpd_")) {
    return FileError(path_, "a rocpd database of another tool; rtl reads only its own traces");
  }
  return FileError(path_, "a database, but not a trace");
}

Status TraceReader::CheckSpanTables() {
  if (!has_spans_) return Status::Ok();
  std::vector<std::string> names = {"rtl_place"};
  for (size_t i = 0; i < kEventKindCount; ++i) {
    const auto each = static_cast<EventKind>(i);
    const SpanKind* const kind = FindSpanKind(each);
    if (kind != nullptr && HasTableOf(each)) names.push_back(std::string("rtl_") + kind->view);
  }
  std::vector<const char*> tables;
  for (const std::string& name : names) tables.push_back(name.c_str());
  return CheckTables(tables);
}

Status TraceReader::ReadMetadata() {
  return ReadRows("SELECT tag, value FROM rocpd_metadata ORDER BY id", [&](const Statement& rows) {
    metadata_.insert_or_assign(Copy(rows.Text(0)), Copy(rows.Text(1)));
  });
}

Status TraceReader::CheckSchemaVersion() {
  const auto tag = metadata_.find("schema_version");
  if (tag == metadata_.end()) return FileError(path_, "a trace without a schema version");
  const std::string& text = tag->second;
  int64_t version = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), version);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  schema_version_ = version;
  has_spans_ = version > store::kOldestSchemaVersion;
  has_rccl_ = version >= store::kRcclSchemaVersion;
  narrow_calls_ = version >= store::kNarrowCallsSchemaVersion;
  links_in_calls_ = version >= store::kLinksInCallsSchemaVersion;
  const bool is_known = version >= store::kOldestSchemaVersion && version <= store::kSchemaVersion;
  if (is_number && is_known) return Status::Ok();
  const std::string what = "schema " + text.substr(0, 20) + "; this version reads schema " +
                           std::to_string(store::kSchemaVersion);
  if (!is_number) return FileError(path_, "written with an unknown " + what);
  return FileError(path_,
                   (version > store::kSchemaVersion ? "written by a newer version of rtl: "
                                                    : "written by an older version of rtl: ") +
                       what);
}

uint64_t TraceReader::MetadataNumber(std::string_view tag) const {
  const auto found = metadata_.find(tag);
  if (found == metadata_.end()) return 0;
  const std::string& text = found->second;
  uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc() ? value : 0;
}

Status TraceReader::LastCorrelation(uint64_t* out) {
  *out = 0;
  return ReadRows("SELECT coalesce(max(correlation_id), 0) FROM rocpd_api",
                  [&](const Statement& rows) { *out = rows.Unsigned(0); });
}

Status TraceReader::StreamOfCall(int64_t process, uint64_t correlation, StreamUse* out,
                                 bool* found) {
  if (!has_stream_of_call_) {
    RTL_TRY(stream_of_call_.Prepare(
        db_, path_, "SELECT stream, start FROM rocpd_api WHERE id = ?1 AND stream IS NOT NULL"));
    has_stream_of_call_ = true;
  }
  // As in docs/formats/database.md#what-happened; a wrapped id finds nothing.
  const uint64_t id = correlation + (static_cast<uint64_t>(process - 1) << 40);
  RTL_TRY(stream_of_call_.Bind(1, static_cast<int64_t>(id)));
  RTL_TRY(stream_of_call_.Step(found));
  if (!*found) return Status::Ok();
  out->handle = stream_of_call_.Unsigned(0);
  out->time = stream_of_call_.Unsigned(1);
  return stream_of_call_.Rewind();
}

Status TraceReader::Text(int64_t id, std::string_view* out) {
  const auto known = texts_.find(id);
  if (known != texts_.end()) {
    *out = known->second;
    return Status::Ok();
  }
  RTL_TRY(text_by_id_.Bind(1, id));
  bool has_row = false;
  RTL_TRY(text_by_id_.Step(&has_row));
  std::string text;
  if (has_row) {
    text = Copy(text_by_id_.Text(0));
    RTL_TRY(text_by_id_.Rewind());
  }
  if (text_bytes_ + text.size() > kTextCacheBytes) {
    texts_.clear();
    text_bytes_ = 0;
  }
  text_bytes_ += text.size() + sizeof(std::string) * 2;
  *out = texts_.insert_or_assign(id, std::move(text)).first->second;
  return Status::Ok();
}

// The single number in a query's result.
Status TraceReader::Highest(const char* sql, uint64_t* out) {
  Statement last;
  RTL_TRY(last.Prepare(db_, path_, sql));
  bool has_row = false;
  RTL_TRY(last.Step(&has_row));
  *out = has_row ? last.Unsigned(0) : 0;
  return Status::Ok();
}

Status TraceReader::EventCount(uint64_t* out) { return Highest("SELECT max(id) FROM rtl_op", out); }

Status TraceReader::CallCount(uint64_t* out) {
  return Highest("SELECT max(id) FROM rocpd_api", out);
}

// Foreign traces have ids that are far apart. Of those beyond the bytes of the file, which no count
// of calls exceeds, each has its own entry.
Status TraceReader::Works(WorkOfCalls* out) {
  uint64_t room = 0;
  RTL_TRY(Highest("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", &room));
  return ReadRows("SELECT api_id FROM rocpd_api_ops", [&](const Statement& rows) {
    const int64_t api = rows.Int(0);
    if (api < 0) return;
    std::vector<uint8_t>& few = out->few[api / WorkOfCalls::kIdsOfAProcess];
    const auto place = static_cast<size_t>(api % WorkOfCalls::kIdsOfAProcess);
    if (place >= few.size()) {
      const size_t more = place + 1 - few.size();
      if (more > room) {
        ++out->many[api];
        return;
      }
      room -= more;
      few.resize(place + 1);
    }
    if (few[place] < WorkOfCalls::kMany - 1) {
      ++few[place];
      return;
    }
    uint32_t& many = out->many[api];
    many = few[place] < WorkOfCalls::kMany ? WorkOfCalls::kMany : many + 1;
    few[place] = WorkOfCalls::kMany;
  });
}

Status TraceReader::OperationType(std::string_view name, int64_t* id) {
  Statement type;
  RTL_TRY(type.Prepare(db_, path_, "SELECT id FROM rocpd_string WHERE string = ?1"));
  RTL_TRY(type.Bind(1, name));
  bool has_row = false;
  RTL_TRY(type.Step(&has_row));
  *id = has_row ? type.Int(0) : -1;  // without the string there are no rows
  return Status::Ok();
}

Status TraceReader::Launches(LaunchCursor* out) {
  out->selection_ = selection_;
  int64_t type = 0;
  RTL_TRY(OperationType(store::kOpTypeKernel, &type));
  RTL_TRY(out->statement_.Prepare(db_, path_, kSelectLaunches));
  return out->statement_.Bind(1, type);
}

Status LaunchCursor::NextRow(LaunchRow* row, bool* has_row) {
  RTL_TRY(statement_.Step(has_row));
  if (!*has_row) return Status::Ok();
  row->name = statement_.Int(0);
  row->call_start = statement_.Unsigned(1);
  row->submit = statement_.Unsigned(2);
  row->start = statement_.Unsigned(3);
  row->end = statement_.Unsigned(4);
  row->gpu = static_cast<int32_t>(statement_.Int(5));
  row->queue = statement_.Int(6);
  row->process = statement_.Int(7);
  return Status::Ok();
}

Status TraceReader::CopiesByStart(CopyCursor* out) {
  out->selection_ = selection_;
  const std::string sql = std::string(kSelectCopies) + kOpsByStart;
  return out->statement_.Prepare(db_, path_, sql.c_str());
}

Status TraceReader::CopiesBySubmit(CopyCursor* out) {
  out->selection_ = selection_;
  const std::string sql = std::string(kSelectCopies) + kOpsBySubmit;
  return out->statement_.Prepare(db_, path_, sql.c_str());
}

Status CopyCursor::NextRow(CopyRow* row, bool* has_row) {
  RTL_TRY(statement_.Step(has_row));
  if (!*has_row) return Status::Ok();
  row->id = statement_.Int(0);
  row->pid = Narrow(statement_.Int(1));
  row->tid = Narrow(statement_.Int(2));
  row->name = statement_.Int(3);
  row->dst_gpu = static_cast<int32_t>(statement_.Int(4));
  row->src_gpu = static_cast<int32_t>(statement_.Int(5));
  row->bytes = statement_.Unsigned(6);
  row->submit = statement_.Unsigned(7);
  row->start = statement_.Unsigned(8);
  row->end = statement_.Unsigned(9);
  row->correlation = statement_.Unsigned(10);
  row->dst_agent = Narrow(statement_.Int(11));
  row->src_agent = Narrow(statement_.Int(12));
  row->dst = statement_.Unsigned(13);
  row->src = statement_.Unsigned(14);
  row->process = statement_.Int(15);
  return Status::Ok();
}

Status TraceReader::BarriersBySubmit(BarrierCursor* out) {
  out->selection_ = selection_;
  const std::string sql = std::string(kSelectBarriers) + kOpsBySubmit;
  return out->statement_.Prepare(db_, path_, sql.c_str());
}

Status TraceReader::BarriersByEnd(BarrierCursor* out) {
  out->selection_ = selection_;
  const std::string sql = std::string(kSelectBarriers) + "o.\"end\", o.id";
  return out->statement_.Prepare(db_, path_, sql.c_str());
}

Status BarrierCursor::NextRow(BarrierRow* row, bool* has_row) {
  RTL_TRY(statement_.Step(has_row));
  if (!*has_row) return Status::Ok();
  const Statement& s = statement_;
  row->id = s.Int(0);
  row->pid = Narrow(s.Int(1));
  row->tid = Narrow(s.Int(2));
  row->gpu = static_cast<int32_t>(s.Int(3));
  row->queue = s.Int(4);
  row->name = s.Int(5);
  row->dependencies = Narrow(s.Int(6));
  row->submit = s.Unsigned(7);
  row->start = s.Unsigned(8);
  row->end = s.Unsigned(9);
  row->correlation = s.Unsigned(10);
  row->packet = s.Unsigned(11);
  row->process = s.Int(12);
  return Status::Ok();
}

}  // namespace rtl::query
