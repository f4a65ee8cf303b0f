// SPDX-License-Identifier: MIT
// barrier_writer.h: writes barrier packets. A barrier waits until its queue and the queue's agent
// are known.
#pragma once

#include <cstdint>
#include <iterator>

#include "base/status.h"
#include "model/records.h"
#include "trace/schema/database.h"
#include "trace/schema/schema.h"
#include "trace/schema/strings.h"
#include "trace/write/choice.h"
#include "trace/write/op_writer.h"
#include "trace/write/traced_process.h"

namespace rtl::store {

class BarrierWriter {
 public:
  // The arguments must outlive this object.
  Status Prepare(const Database& database, Strings* strings, OpWriter* ops, const Chooser* chooser);

  Status Add(TracedProcess* process, const BarrierRecord& record);
  // Writes barriers that are complete by now; at the end of the process, all.
  Status Settle(TracedProcess* process, bool is_end);

 private:
  Status Write(TracedProcess* process, const BarrierRecord& record);

  Strings* strings_ = nullptr;
  OpWriter* ops_ = nullptr;
  const Chooser* chooser_ = nullptr;
  Statement barrier_;
  // ids in rocpd_string; 0: not needed yet
  int64_t type_ = 0, names_[std::size(kBarrierNames)] = {};
};

}  // namespace rtl::store
