// SPDX-License-Identifier: MIT
#include "export/tool/tool_samples.h"

namespace rtl::exporting::tool {
namespace {

std::string CommentOf(const symbols::CodePlace& place) {
  std::string comment;
  for (const symbols::SourceFrame& frame : place.frames) {
    if (frame.file.empty()) continue;
    comment += (comment.empty() ? "" : " -> ") + frame.file + ":" + std::to_string(frame.line);
  }
  return comment;
}

}  // namespace

ToolSamples::ToolSamples(ToolTrace* trace)
    : trace_(*trace), places_([this](int64_t content, std::string* bytes) {
        return trace_.reader().tables().CodeBytes(content, bytes);
      }) {}

Status ToolSamples::Open() {
  if (open_) return Status::Ok();
  open_ = true;
  std::vector<query::CodeObjectRow> rows;
  RTL_TRY(trace_.reader().tables().CodeObjects(&rows));
  for (query::CodeObjectRow& row : rows) code_objects_.emplace(row.id, std::move(row));
  return trace_.OwnIdsOfKernels(&own_ids_);
}

Status ToolSamples::Locate(ToolSample* sample) {
  const auto object = code_objects_.find(sample->row.code_object);
  if (object == code_objects_.end()) return Status::Ok();
  const query::CodeObjectRow& code = object->second;
  sample->code_object = code.generation;
  const uint64_t address = code.AddressOf(sample->row.offset);
  const auto [known, is_new] =
      numbers_.try_emplace({code.content, address}, static_cast<int64_t>(instructions_.size()));
  sample->instruction = known->second;
  if (!is_new) return Status::Ok();
  const symbols::CodePlace* place = nullptr;
  RTL_TRY(places_.At(code.content, address, &place));
  instructions_.push_back({place->instruction, CommentOf(*place)});
  return Status::Ok();
}

Status ToolSamples::ForEach(const std::function<Status(const ToolSample&)>& take) {
  if (!trace_.options().samples) return Status::Ok();
  RTL_TRY(Open());
  query::SampleCursor cursor;
  RTL_TRY(trace_.reader().SamplesByTime(&cursor));
  return cursor.Each([&](const query::SampleRow& row) {
    if (row.process != trace_.process().id) return Status::Ok();
    if (!trace_.InPeriods(row.time, row.time)) return Status::Ok();
    ToolSample sample = {.row = row};
    const auto own = row.correlation == 0 ? own_ids_.find(row.dispatch) : own_ids_.end();
    if (own != own_ids_.end()) sample.row.correlation = own->second;
    RTL_TRY(Locate(&sample));
    return take(sample);
  });
}

}  // namespace rtl::exporting::tool
