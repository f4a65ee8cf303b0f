// SPDX-License-Identifier: MIT
#include "trace/write/op_table.h"

#include <string.h>

#include <algorithm>

#include "trace/schema/api_text.h"
#include "trace/schema/tables.h"

namespace rtl::store {
namespace {

// Far above any real value, and so small that SQLite can still add a few of them as integers.
constexpr int64_t kMostNumber = int64_t{1} << 60;

int64_t Bounded(int64_t number) { return std::clamp<int64_t>(number, 0, kMostNumber); }

std::string ThreeOf(const uint32_t* numbers) {
  return std::to_string(numbers[0]) + "," + std::to_string(numbers[1]) + "," +
         std::to_string(numbers[2]);
}

}  // namespace

std::string CompletionSignalOf(const OpRow& row) {
  return "hwq=" + Hex(row.hsa_queue) + " wg=" + ThreeOf(row.workgroup) +
         " grid=" + ThreeOf(row.grid);
}

OpTable::Key OpTable::KeyOf(const OpRow& row) {
  Key key = {};
  key.process = row.process;
  key.queue = row.queue;
  key.kernel = row.kernel;
  key.description = row.is_marker ? 0 : row.description;
  key.op_type = row.op_type;
  key.gpu = static_cast<uint32_t>(row.gpu);
  key.tid = static_cast<uint32_t>(row.tid);
  key.flags = static_cast<uint32_t>(row.flags);
  memcpy(key.grid, row.grid, sizeof key.grid);
  memcpy(key.workgroup, row.workgroup, sizeof key.workgroup);
  key.group_segment = row.group_segment;
  key.private_segment = row.private_segment;
  return key;
}

Status OpTable::Prepare(const Database& database, BulkTables* bulk, int64_t last_op,
                        int64_t last_launch) {
  bulk_ = bulk;
  last_op_ = last_op;
  last_launch_ = last_launch;
  return launch_.Prepare(database, InsertSql(kLaunchTableDescription));
}

Status OpTable::AddLaunch(const OpRow& row, const Launch& launch) {
  LaunchTable stored;
  TakeFields(row, &stored);
  stored.id = launch.id;
  stored.origin = launch.origin;
  stored.sequence = launch.sequence;
  stored.packet = launch.packet;
  if (row.rank >= 0) stored.rank = row.rank;
  if (!row.is_marker) stored.description = row.description;
  TakeExtents(row, &stored);
  if (row.is_kernel) stored.completion_signal = CompletionSignalOf(row);
  return launch_.Add(stored);
}

Status OpTable::FindLaunch(const OpRow& row, const Launch** out) {
  const Key key = KeyOf(row);
  const auto part = static_cast<uint64_t>(key.kernel + key.queue * 5) + key.tid * 7u;
  Recent& recent = recent_[part % kRecent];
  *out = &recent.launch;
  if (recent.launch.id != 0 && WordEqual<Key>()(recent.key, key)) {
    const bool is_far =
        ++recent.rows >= kRowsOfFarLaunch && row.start - recent.launch.origin >= kNearNs;
    if (!is_far) [[likely]]
      return Status::Ok();
    recent.rows = 0;
    return MakeLaunch(row, key, row.start, &recent.launch);
  }
  if (const auto known = launches_.find(key); known != launches_.end()) {
    recent.launch = known->second;
  } else {
    RTL_TRY(MakeLaunch(row, key, std::max<int64_t>(row.opened, 0), &recent.launch));
  }
  recent.key = key;
  recent.rows = 0;
  return Status::Ok();
}

Status OpTable::MakeLaunch(const OpRow& row, const Key& key, int64_t origin, Launch* out) {
  if (launches_.size() >= kMaxLaunches) launches_.clear();
  out->id = ++last_launch_;
  out->origin = origin;
  out->sequence = Bounded(row.sequence) - last_op_;
  out->packet = Bounded(row.packet) - Bounded(row.sequence);
  launches_.insert_or_assign(key, *out);
  return AddLaunch(row, *out);
}

Status OpTable::Add(const OpRow& row) {
  ++last_op_;
  const Launch* found = nullptr;
  RTL_TRY(FindLaunch(row, &found));
  const Launch& launch = *found;
  const int64_t start = row.start - launch.origin;
  const int64_t duration = row.end - row.start;
  if (row.is_marker) {
    return bulk_->AddOp(last_op_, {launch.id, start, duration, btree::kNull, btree::kNull,
                                   row.description, row.roctx});
  }
  const int64_t sequence = Bounded(row.sequence);
  const int64_t waited = row.submit > 0 ? row.start - row.submit : btree::kNull;
  return bulk_->AddOp(last_op_,
                      {launch.id, start, duration, waited, sequence - last_op_ - launch.sequence,
                       Bounded(row.packet) - sequence - launch.packet, row.correlation});
}

}  // namespace rtl::store
