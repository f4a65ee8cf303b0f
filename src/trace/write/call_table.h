// SPDX-License-Identifier: MIT
// call_table.h: fills rocpd_api, rocpd_kernelapi and rocpd_api_ops, which are views. A row of
// rtl_call has a call and the operation that the call submitted. A row of rtl_call_site has what
// many calls have in common: thread, function, stream, and the shape of the kernel that they launch
// (docs/adr/0124-a-call-and-its-kernel-in-one-row.md).
//
//   record of a call ──► held (kMostHeld calls) ──► rtl_call
//   operation ──────────► found among them: in the call's row
//                         not found: rtl_api_op, and for the kernel's name rtl_kernelapi
//
// Held calls are written, the oldest first, when no operation of them is expected any more.
//
// Threads    one
// Memory     kMostHeld calls; kMostWaiting operations without their call, and launches without
//            their kernel; kMostKnown sites; the numbers of all calls (id_set.h)
// Errors     those of the database
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "trace/schema/database.h"
#include "trace/write/api_details.h"
#include "trace/write/bulk_tables.h"
#include "trace/write/call_index.h"
#include "trace/write/id_set.h"
#include "trace/write/known_rows.h"

namespace rtl::store {

struct CallSite {
  int64_t pid = 0;
  int64_t tid = 0;
  int64_t name = 0;  // rocpd_string.id
  std::optional<int64_t> result;
  int64_t process = 0;  // rtl_process.id; gives pid and rank
  std::optional<int64_t> rank;
  std::optional<int64_t> stream;
};

class CallTable {
 public:
  static constexpr size_t kMostHeld = 131072;
  static constexpr size_t kMostWaiting = 131072;
  static constexpr size_t kMostKnown = 65536;

  struct Last {
    int64_t site = 0;         // the highest ids that are in the tables already
    int64_t launch_call = 0;  //
  };
  // `no_kernel`: the name (a string's id) for launches whose kernel was not recorded. `most_held`:
  // limits the number of held calls.
  Status Prepare(const Database& database, BulkTables* bulk, int64_t no_kernel, Last last,
                 size_t most_held = kMostHeld);
  // What many calls have in common, as numbers that are valid in this object.
  struct Described {
    uint32_t site = 0;
    uint32_t shape = 0;
    bool may_submit = false;
  };
  // `launch`: set if the call launches a kernel. `may_submit`: an operation of the call may follow.
  // *out is valid until generation() changes.
  Status Describe(const CallSite& site, const std::optional<LaunchDetails>& launch, bool may_submit,
                  Described* out);
  uint32_t generation() const { return generation_; }

  struct Call {
    int64_t id = 0;  // rocpd_api.id
    int64_t start = 0;
    int64_t duration = 0;
    int64_t arguments = 0;  // rocpd_string.id
    Described described;
  };
  // HOT. *added is false if an earlier call has the same id; the earlier call stays.
  Status Add(const Call& call, bool* added);
  // Adds an operation (rtl_op.id) that the call submitted. `kernel`: the name of the kernel that
  // the program launched; 0: the operation is not such a kernel.
  Status AddOperation(int64_t api, int64_t op, int64_t kernel);
  // Called when no further call or operation will come.
  Status Settle();
  // The site (rtl_call_site.id) of a call; 0 if no such call was added.
  Status FindSite(int64_t api, int64_t* site);

 private:
  static constexpr uint32_t kNoShape = UINT32_MAX;
  // Calls are written in groups of at least kGroup, when kLag later ones have operations.
  static constexpr size_t kGroup = 4096;
  static constexpr int64_t kLag = 131072;
  // A call, an operation, or a call with its operation.
  struct Held {
    int64_t id;
    int64_t start;  // kNotRead: the call has not been read, only its operation
    int64_t duration, arguments;
    int64_t op;      // btree::kNull: no operation so far
    int64_t kernel;  // 0: not known so far
    Described described;
  };
  static constexpr int64_t kNotRead = INT64_MIN;
  struct SiteKey {
    int64_t process, tid, name, result, stream, given;
  };
  // A row of rtl_call_site.
  struct RowKey {
    uint32_t site, shape;
    int64_t kernel;  // 0: the row has no shape
  };
  // A row of rtl_launch_call.
  struct ShapeKey {
    LaunchDetails launch;
    int64_t name;
  };
  struct Operation {
    int64_t op;
    int64_t kernel;
  };

  static SiteKey KeyOf(const CallSite& site);
  bool IsComplete(const Held& held) const;
  Status Hold(const Held& held);
  Status Emit(size_t count);
  Status EmitOne(const Held& held);
  Status SiteRow(const Held& held, int64_t* row);
  Status ShapeRow(const LaunchDetails& launch, int64_t name, int64_t* row);
  Status WriteApart(int64_t api, const Operation& operation);
  Status NameLaunch(int64_t api, int64_t kernel);
  Status WriteLaunches();
  Status KeepEarly(const Held& held);
  Status WriteEarly();
  Status Forget();

  BulkTables* bulk_ = nullptr;
  Statement site_, shape_, launch_, operation_;
  int64_t no_kernel_ = 0;
  size_t most_held_ = kMostHeld;
  std::vector<Held> held_;  // in the order in which they were read
  CallIndex index_;         // positions in held_, by id
  size_t complete_ = 0;     // number of calls at the front that need not be held any more
  int64_t latest_ = 0;      // the call whose operation was read last
  uint32_t generation_ = 1;
  Interned<SiteKey, CallSite> sites_;
  Interned<LaunchDetails, LaunchDetails> shapes_;
  KnownRows<RowKey> rows_;
  KnownRows<ShapeKey> shape_rows_;
  // operations that are not held any more, and whose calls were not read
  std::unordered_map<int64_t, Operation> early_;
  // launches that were written without the name of their kernel
  std::unordered_map<int64_t, LaunchDetails> launches_;
  IdSet emitted_;
};

}  // namespace rtl::store
