// SPDX-License-Identifier: MIT
#include "export/renumbering.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace rtl::exporting {
namespace {

constexpr char kTexts[] = "rocpd_string";
constexpr char kOps[] = "rtl_op";
constexpr char kCalls[] = "rtl_call";
constexpr char kDatabase[] = "the merged trace";

constexpr char kReferencesSql[] = R"sql(
SELECT m.name || '.' || f."from", f."table"
FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'
UNION ALL
SELECT m.name || '.id', m.name
FROM sqlite_master m JOIN pragma_table_info(m.name) c
WHERE m.type = 'table' AND c.name = 'id' AND c.pk <> 0
)sql";

// References that the schema does not declare.
struct Reference {
  const char* column;
  const char* table;
};
constexpr Reference kUnsaid[] = {{"rtl_launch.kernel_id", "rtl_kernel"},
                                 {"rtl_launch.queueId", "rtl_queue"},
                                 {"rtl_in_flight.kernel_id", "rtl_kernel"},
                                 {"rtl_in_flight.api_id", "rtl_call"},
                                 {"rtl_op.launch", "rtl_launch"}};

// Columns with numbers of GPUs. The numbers of the host and of unknown GPUs are negative.
constexpr const char* kGpuColumns[] = {"gpuId", "gpu", "dst_gpu", "src_gpu"};

// Sums wrap around: an id of a damaged file then collides and is refused.
int64_t Sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

Status Highest(sqlite3* database, const std::string& path, const std::string& table, int64_t* out) {
  return ReadNumber(database, path, ("SELECT max(id) FROM " + table).c_str(), out);
}

}  // namespace

Status Renumbering::ReadReferences(const store::Database& to) {
  RTL_TRY(ForEachRow(to.handle(), kDatabase, kReferencesSql, [&](const query::Statement& row) {
    // The first reference of a column counts, because the id of a row may also be an id of another
    // table.
    references_.emplace(std::string(row.Text(0)), std::string(row.Text(1)));
    return Status::Ok();
  }));
  for (const Reference& unsaid : kUnsaid) references_.emplace(unsaid.column, unsaid.table);
  return Status::Ok();
}

Status Renumbering::Begin(const store::Database& to, int64_t ops, const SourceTrace& from,
                          store::Strings* strings) {
  RTL_TRY(ReadReferences(to));
  shifts_.clear();
  for (const auto& [column, table] : references_) {
    if (column != table + ".id" || table == kTexts || table == kOps) continue;
    RTL_TRY(Highest(to.handle(), kDatabase, table, &shifts_[table]));
  }
  shifts_[kOps] = ops;
  // As docs/formats/database.md says, the id contains the number of the process.
  shifts_[kCalls] = shifts_["rtl_process"] << 40;
  RTL_TRY(MapGpus(from));
  return MapTexts(from, strings);
}

Status Renumbering::MapGpus(const SourceTrace& from) {
  gpus_.clear();
  constexpr char kSelect[] =
      "SELECT CASE p.boot_id WHEN '' THEN p.host ELSE p.boot_id END, a.uuid, a.bdf, a.node, a.gpu"
      " FROM rtl_agent a JOIN rtl_process p ON p.id = a.process_id WHERE a.is_gpu"
      " ORDER BY a.gpu, a.id";
  return from.ForEach(kSelect, [&](const query::Statement& rows) {
    const int64_t number = rows.Int(4);
    if (number < 0 || number > INT32_MAX) return Status::Ok();
    const uint32_t merged = gpu_numbers_.Of({.host = std::string(rows.Text(0)),
                                             .uuid = std::string(rows.Text(1)),
                                             .bdf = static_cast<uint32_t>(rows.Int(2)),
                                             .node = static_cast<uint32_t>(rows.Int(3)),
                                             .own = static_cast<uint32_t>(number),
                                             .of_host = static_cast<uint32_t>(number)});
    // In traces of earlier versions several GPUs may have the same number.
    gpus_.try_emplace(number, merged);
    return Status::Ok();
  });
}

Status Renumbering::MapTexts(const SourceTrace& from, store::Strings* strings) {
  int64_t last = 0;
  RTL_TRY(Highest(from.handle(), from.path(), kTexts, &last));
  // limits the memory: every row of a text takes at least one byte of the file
  std::error_code error;
  const uint64_t most = std::filesystem::file_size(from.path(), error);
  if (last < 0 || error || static_cast<uint64_t>(last) > most) {
    return query::FileError(from.path(), "the texts are broken: impossible numbers");
  }
  texts_.assign(static_cast<size_t>(last) + 1, 0);
  constexpr char kSelect[] = "SELECT id, string FROM rocpd_string WHERE id > 0";
  return from.ForEach(kSelect, [&](const query::Statement& row) {
    return strings->InternOnce(row.Text(1), &texts_[static_cast<size_t>(row.Int(0))]);
  });
}

Renumbering::Column Renumbering::Of(const std::string& table, const std::string& column) const {
  // `sequence` counts from the row's id, as docs/formats/database.md says.
  if (table == "rtl_launch" && column == "sequence") return {How::kNumber, -Shift(kOps)};
  if (std::find(std::begin(kGpuColumns), std::end(kGpuColumns), column) != std::end(kGpuColumns))
    return {How::kGpu, 0};
  const auto reference = references_.find(table + "." + column);
  // span kinds have args_id, too, and do not declare it
  const bool is_text =
      column == "args_id" || (reference != references_.end() && reference->second == kTexts);
  if (is_text) return {How::kText, 0};
  if (reference == references_.end()) return {};
  return {How::kReference, Shift(reference->second)};
}

int64_t Renumbering::Apply(const Column& column, int64_t number) const {
  switch (column.how) {
    case How::kAsIs:
      return number;
    case How::kText:
      return Text(number);
    case How::kReference:
      return number == 0 ? 0 : Sum(number, column.add);
    case How::kNumber:
      return Sum(number, column.add);
    case How::kGpu: {
      const auto merged = gpus_.find(number);
      return merged == gpus_.end() ? number : merged->second;
    }
  }
  return number;
}

int64_t Renumbering::Text(int64_t id) const {
  return id > 0 && static_cast<size_t>(id) < texts_.size() ? texts_[static_cast<size_t>(id)] : 0;
}

int64_t Renumbering::Shift(const std::string& table) const {
  const auto shift = shifts_.find(table);
  return shift == shifts_.end() ? 0 : shift->second;
}

}  // namespace rtl::exporting
