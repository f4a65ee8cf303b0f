// SPDX-License-Identifier: MIT
// op_table.h: fills rocpd_op, which is a view over two tables (docs/adr/0035-narrow-rows.md):
// rtl_op has the columns that differ from row to row, and rtl_launch has the columns that many rows
// share.
//
// Memory     kMaxLaunches launches; if there are more, known ones are forgotten and written again.
//            A launch is also written again if its rows are far from its origin
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "trace/schema/database.h"
#include "trace/write/bulk_tables.h"
#include "trace/write/known_rows.h"

namespace rtl::store {

// One row of rocpd_op without its id. The id follows from the order of the calls of Add.
struct OpRow {
  int64_t gpu = 0;
  int64_t queue = 0;  // rtl_queue.id
  int64_t sequence = 0;
  uint64_t hsa_queue = 0;  // for kernels: shown in completionSignal
  bool is_kernel = false;  // the row has a completionSignal
  bool is_marker = false;  // the row has no sequence, packet or time of submission
  int64_t start = 0;
  int64_t end = 0;  // not before start
  int64_t description = 0;
  int64_t op_type = 0;
  int64_t roctx = 0;
  int64_t correlation = 0;
  int64_t pid = 0;
  int64_t tid = 0;
  int64_t submit = 0;  // zero: not known
  uint32_t grid[3] = {};
  uint32_t workgroup[3] = {};
  uint32_t group_segment = 0;
  uint32_t private_segment = 0;
  int64_t kernel = 0;  // rtl_kernel.id; zero for markers
  int64_t packet = 0;
  int64_t flags = 0;
  int64_t process = 0;  // rtl_process.id; gives pid, rank and opened
  int64_t rank = -1;    // -1: NULL
  int64_t opened = 0;   // when the process began to be traced
};

class OpTable {
 public:
  static constexpr size_t kMaxLaunches = 65536;

  // `last_op`, `last_launch`: the highest ids that are in the tables already.
  Status Prepare(const Database& database, BulkTables* bulk, int64_t last_op = 0,
                 int64_t last_launch = 0);
  Status Add(const OpRow& row);

 private:
  // The key of a launch. It has no padding, because it is compared and hashed as words.
  struct Key {
    int64_t process, queue, kernel, description, op_type;
    uint32_t gpu, tid, flags, grid[3], workgroup[3], group_segment, private_segment, reserved;
  };
  // The origins from which the numbers in the launch's rows count.
  struct Launch {
    int64_t id = 0;
    int64_t origin = 0;
    int64_t sequence = 0;  // sequenceId minus id, in its first row
    int64_t packet = 0;    // packet minus sequenceId, in its first row
  };
  // The launches that were found last, indexed by a hash of a part of the key.
  struct Recent {
    Key key = {};
    Launch launch;
    uint32_t rows = 0;
  };
  static constexpr size_t kRecent = 64;
  // A time that is at most kNearNs from its origin takes four bytes; others take six. After
  // kRowsOfFarLaunch rows with six bytes, another launch with a later origin takes less room than
  // it saves.
  static constexpr int64_t kNearNs = int64_t{1} << 31;
  static constexpr uint32_t kRowsOfFarLaunch = 256;
  static Key KeyOf(const OpRow& row);
  Status FindLaunch(const OpRow& row, const Launch** out);
  Status MakeLaunch(const OpRow& row, const Key& key, int64_t origin, Launch* out);
  Status AddLaunch(const OpRow& row, const Launch& launch);

  BulkTables* bulk_ = nullptr;
  std::unordered_map<Key, Launch, WordHash<Key>, WordEqual<Key>> launches_;
  Recent recent_[kRecent];
  int64_t last_op_ = 0;
  int64_t last_launch_ = 0;
  Statement launch_;
};

// "hwq=0x<queue> wg=x,y,z grid=x,y,z", for a kernel.
std::string CompletionSignalOf(const OpRow& row);

}  // namespace rtl::store
