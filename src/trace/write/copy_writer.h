// SPDX-License-Identifier: MIT
// copy_writer.h: writes copies of memory by a GPU. A copy waits until the agents of its memory are
// known.
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

class CopyWriter {
 public:
  // The arguments must outlive this object.
  Status Prepare(const Database& database, Strings* strings, OpWriter* ops, const Chooser* chooser);

  Status Add(TracedProcess* process, const CopyRecord& record);
  // Writes copies that are complete by now; at the end of the process, all.
  Status Settle(TracedProcess* process, bool is_end);

 private:
  Status Write(TracedProcess* process, const CopyRecord& record);

  Strings* strings_ = nullptr;
  OpWriter* ops_ = nullptr;
  const Chooser* chooser_ = nullptr;
  Statement copy_;
  int64_t types_[std::size(kOpTypeCopies)] = {};  // ids in rocpd_string; 0: not needed yet
};

}  // namespace rtl::store
