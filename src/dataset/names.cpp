// SPDX-License-Identifier: MIT
#include "dataset/names.h"

#include <fmt/format.h>

#include "dataset/columns.h"

namespace rtl::dataset {

std::vector<std::string_view> OrderOf(tables::TableId table) {
  switch (table) {
    case tables::TableId::kKernels:
    case tables::TableId::kBarriers:
      return {"queue", "start"};
    case tables::TableId::kCalls:
    case tables::TableId::kRanges:
      return {"tid", "start"};
    case tables::TableId::kCopies:
    case tables::TableId::kEvents:
    case tables::TableId::kSamples:
      return {"start"};
    default:
      return {};
  }
}

KernelKind KindOf(std::string_view text) {
  return text == "communication" ? KernelKind::kCommunication
         : text == "copy"        ? KernelKind::kCopy
                                 : KernelKind::kCompute;
}

void TakeNames(const tables::Table& table, const tables::Batch& batch,
               const std::vector<uint32_t>& rows, Names* names) {
  const size_t id_column = table.Find("name_id");
  if (id_column == table.columns.size()) return;
  const tables::ColumnValues& texts = batch.columns[table.Find("name")];
  const tables::ColumnValues& ids = batch.columns[id_column];
  const size_t kind_column = table.Find("kind");
  const bool has_kind = table.id == tables::TableId::kKernels;
  std::vector<bool> is_known(texts.texts->size());
  for (const uint32_t row : rows) {
    if (texts.IsNull(row)) continue;
    const auto key = static_cast<size_t>(texts.keys()[row]);
    if (is_known[key]) continue;
    is_known[key] = true;
    KnownName& name = (*names)[std::string((*texts.texts)[key])];
    name.name_id = ids.integers()[row];
    if (!has_kind || batch.columns[kind_column].IsNull(row)) continue;
    const tables::ColumnValues& kinds = batch.columns[kind_column];
    name.kind = (*kinds.texts)[static_cast<size_t>(kinds.keys()[row])];
  }
}

Status WriteNewNames(const Owner& owner, Names* names, TableWriter* table) {
  using N = NamesColumn;
  for (auto& [text, name] : *names) {
    if (name.is_written) continue;
    name.is_written = true;
    if (!owner.rank.empty()) table->Set(N::rank, std::stoll(owner.rank));
    table->SetText(N::host, owner.host);
    table->SetText(N::name, text);
    table->Set(N::name_id, name.name_id);
    if (!name.kind.empty()) table->SetText(N::kind, name.kind);
    RTL_TRY(table->EndRow());
  }
  return Status::Ok();
}

Status WriteClock(const query::ClockRow& reading, TableWriter* row) {
  using C = ClocksColumn;
  const auto time = static_cast<int64_t>(reading.time);
  row->Set(C::time, time);
  row->Set(C::realtime_offset, reading.realtime - time);
  row->Set(C::realtime_width, reading.realtime_width);
  row->Set(C::raw_offset, reading.raw - time);
  row->Set(C::raw_width, reading.raw_width);
  const std::pair<size_t, std::optional<int64_t>> discipline[] = {
      {C::synchronized, reading.is_synchronized},
      {C::status, reading.status},
      {C::frequency, reading.frequency},
      {C::max_error, reading.max_error},
      {C::estimated_error, reading.estimated_error},
      {C::tai_offset, reading.tai_offset},
  };
  for (const auto& [column, value] : discipline) {
    if (value) row->Set(column, *value);
  }
  return row->EndRow();
}

std::string ListOf(const std::vector<WrittenFile>& files) {
  std::string list;
  for (const WrittenFile& file : files) list += fmt::format("{} {}\n", file.name, file.rows);
  return list;
}

}  // namespace rtl::dataset
