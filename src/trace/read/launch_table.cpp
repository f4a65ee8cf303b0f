// SPDX-License-Identifier: MIT
#include "trace/read/launch_table.h"

namespace rtl::query {

Status LaunchTable::Prepare(sqlite3* db, const std::string& path) {
  return by_id_.Prepare(db, path,
                        "SELECT origin, sequence, packet, pid, tid, gpuId, queueId, kernel_id,"
                        " description_id, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ,"
                        " groupSegmentSize, privateSegmentSize, opType_id, process_id, flags FROM "
                        "rtl_launch WHERE id = ?1");
}

Status LaunchTable::Read(int64_t id, const Launch** out) {
  RTL_TRY(by_id_.Bind(1, id));
  bool has_row = false;
  RTL_TRY(by_id_.Step(&has_row));
  Launch launch;
  if (has_row) {
    const auto narrow = [&](int column) { return static_cast<uint32_t>(by_id_.Int(column)); };
    launch.origin = by_id_.Unsigned(0);
    launch.sequence = by_id_.Unsigned(1);
    launch.packet = by_id_.Unsigned(2);
    launch.pid = narrow(3);
    launch.tid = narrow(4);
    launch.gpu = static_cast<int32_t>(by_id_.Int(5));
    launch.queue = by_id_.Int(6);
    launch.kernel = by_id_.Int(7);
    launch.name = by_id_.Int(8);
    launch.has_name = !by_id_.IsNull(8);
    for (int axis = 0; axis < 3; ++axis) {
      launch.grid[axis] = narrow(9 + axis);
      launch.workgroup[axis] = narrow(12 + axis);
    }
    launch.group_segment = narrow(15);
    launch.private_segment = narrow(16);
    launch.type = by_id_.Int(17);
    launch.process = by_id_.Int(18);
    launch.flags = by_id_.Int(19);
    RTL_TRY(by_id_.Rewind());
  }
  *out = known_.Add(id, launch);
  return Status::Ok();
}

}  // namespace rtl::query
