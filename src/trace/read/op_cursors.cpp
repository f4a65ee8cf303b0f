// SPDX-License-Identifier: MIT
// Cursors over kernels and markers, in the order of time.
#include "trace/read/trace_reader.h"
#include "trace/schema/schema.h"

namespace rtl::query {
namespace {

// The id of the type, if there are launches of this type.
constexpr char kSelectType[] =
    "SELECT opType_id FROM rtl_launch"
    " WHERE opType_id = (SELECT id FROM rocpd_string WHERE string = ?1) LIMIT 1";

}  // namespace

template <typename Row>
Status TraceReader::OpenOps(std::string_view type, OpOrder order, OpCursor<Row>* out) {
  out->launches_ = &launches_;
  Statement launch;
  RTL_TRY(database_.Prepare(kSelectType, &launch));
  RTL_TRY(launch.Bind(1, type));
  bool has_row = false;
  RTL_TRY(launch.Step(&has_row));
  if (!has_row) return Status::Ok();  // otherwise all rows would be read in vain
  OpRows rows;
  RTL_TRY(rows.Open(database_.file(), &launches_, launch.Int(0), order));
  return out->rows_.Open(std::move(rows), path());
}

Status TraceReader::KernelsBySubmit(KernelCursor* out) {
  out->selection_ = selection_;
  RTL_TRY(graph_kernels_.Prepare(&out->graph_kernel_));
  return OpenOps(store::kOpTypeKernel, OpOrder::kSubmit, &out->kernels_);
}

Status TraceReader::SpansByStart(KernelSpanCursor* out) {
  out->selection_ = selection_;
  return OpenOps(store::kOpTypeKernel, OpOrder::kStart, out);
}

Status TraceReader::MarkersByStart(MarkerCursor* out) {
  out->selection_ = selection_;
  return OpenOps(store::kOpTypeMarker, OpOrder::kStartOuterFirst, out);
}

Status KernelCursor::NextRow(KernelRow* row, bool* has_row) {
  RTL_TRY(kernels_.Next(row, has_row));
  if (!*has_row || !graph_kernel_.is_prepared()) return Status::Ok();
  bool is_of_graph = false;
  RTL_TRY(graph_kernel_.Bind(1, row->id));
  RTL_TRY(graph_kernel_.Step(&is_of_graph));
  if (!is_of_graph) return Status::Ok();
  row->graph = graph_kernel_.Int(0);
  row->graph_launch = Narrow(graph_kernel_.Int(1));
  row->graph_node = Narrow(graph_kernel_.Int(2));
  return graph_kernel_.Rewind();
}

void FillRow(const OpRow& op, const Launch& launch, KernelRow* row) {
  row->id = op.key.id;
  row->launch = op.launch;
  row->process = launch.process;
  row->pid = launch.pid;
  row->tid = launch.tid;
  row->gpu = launch.gpu;
  row->queue = launch.queue;
  row->kernel = launch.kernel;
  row->name = launch.name;
  for (int axis = 0; axis < 3; ++axis) {
    row->grid[axis] = launch.grid[axis];
    row->workgroup[axis] = launch.workgroup[axis];
  }
  row->group_segment = launch.group_segment;
  row->private_segment = launch.private_segment;
  row->flags = launch.flags;
  row->start = op.start;
  row->end = op.start + op.duration;
  row->submit = op.submit;
  row->dispatch = static_cast<uint64_t>(op.key.id) + launch.sequence + op.sequence;
  row->packet = row->dispatch + launch.packet + op.packet;
  row->correlation = op.link;
  row->graph = 0;
  row->graph_launch = row->graph_node = 0;
}

void FillRow(const OpRow& op, const Launch& launch, KernelSpan* row) {
  *row = {.process = launch.process,
          .pid = launch.pid,
          .tid = launch.tid,
          .name = launch.name,
          .gpu = launch.gpu,
          .queue = launch.queue,
          .submit = op.submit,
          .start = op.start,
          .end = op.start + op.duration};
}

void FillRow(const OpRow& op, const Launch& launch, MarkerRow* row) {
  row->id = op.key.id;
  row->process = launch.process;
  row->pid = launch.pid;
  row->tid = launch.tid;
  // As in the view rocpd_op: markers have their text in `packet`, and no correlation.
  row->name = launch.has_name ? launch.name : static_cast<int64_t>(op.packet);
  row->range = launch.has_name ? 0 : op.link;
  row->start = op.start;
  row->end = op.start + op.duration;
  row->is_mark = (launch.flags & store::kOpFlagMark) != 0;
  row->is_start_stop = (launch.flags & store::kOpFlagStartStop) != 0;
  row->is_unclosed = (launch.flags & store::kOpFlagUnclosed) != 0;
}

}  // namespace rtl::query
