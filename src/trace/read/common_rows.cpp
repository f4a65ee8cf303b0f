// SPDX-License-Identifier: MIT
#include "trace/read/common_rows.h"

namespace rtl::query {
namespace {

const char* SelectOf(const Launch&) {
  return "SELECT origin, sequence, packet, pid, tid, gpuId, queueId, kernel_id, description_id,"
         " gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ, groupSegmentSize,"
         " privateSegmentSize, opType_id, process_id, flags FROM rtl_launch WHERE id = ?1";
}

void FillRow(const Statement& s, Launch* launch) {
  launch->origin = s.Unsigned(0);
  launch->sequence = s.Unsigned(1);
  launch->packet = s.Unsigned(2);
  launch->pid = Narrow(s.Int(3));
  launch->tid = Narrow(s.Int(4));
  launch->gpu = static_cast<int32_t>(s.Int(5));
  launch->queue = s.Int(6);
  launch->kernel = s.Int(7);
  launch->name = s.Int(8);
  launch->has_name = !s.IsNull(8);
  for (int axis = 0; axis < 3; ++axis) {
    launch->grid[axis] = Narrow(s.Int(9 + axis));
    launch->workgroup[axis] = Narrow(s.Int(12 + axis));
  }
  launch->group_segment = Narrow(s.Int(15));
  launch->private_segment = Narrow(s.Int(16));
  launch->type = s.Int(17);
  launch->process = s.Int(18);
  launch->flags = s.Int(19);
}

const char* SelectOf(const CallSite&) {
  return "SELECT process_id, pid, tid, apiName_id, result, stream FROM rtl_call_site WHERE id = ?1";
}

void FillRow(const Statement& s, CallSite* site) {
  site->is_known = true;
  site->process = s.Int(0);
  site->pid = Narrow(s.Int(1));
  site->tid = Narrow(s.Int(2));
  site->name = s.Int(3);
  site->has_result = !s.IsNull(4);
  site->result = s.Int(4);
  site->has_stream = !s.IsNull(5);
  site->stream = s.Unsigned(5);
}

}  // namespace

template <typename Row>
Status CommonRows<Row>::Prepare(const TraceDatabase& database) {
  return database.Prepare(SelectOf(Row()), &by_id_);
}

template <typename Row>
Status CommonRows<Row>::Read(int64_t id, const Row** out) {
  RTL_TRY(by_id_.Bind(1, id));
  bool has_row = false;
  RTL_TRY(by_id_.Step(&has_row));
  Row row;
  if (has_row) {
    FillRow(by_id_, &row);
    RTL_TRY(by_id_.Rewind());
  }
  *out = known_.Add(id, row);
  return Status::Ok();
}

template class CommonRows<Launch>;
template class CommonRows<CallSite>;

}  // namespace rtl::query
