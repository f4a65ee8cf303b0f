// SPDX-License-Identifier: MIT
// counter_writer.h: writes the tables of hardware counters, and their values for kernels.
#pragma once

#include <string_view>

#include "base/status.h"
#include "model/records.h"
#include "trace/schema/database.h"
#include "trace/schema/strings.h"
#include "trace/write/traced_process.h"

namespace rtl::store {

class CounterWriter {
 public:
  Status Prepare(const Database& database, Strings* strings);

  Status Add(TracedProcess* process, const CounterRecord& record, std::string_view text);
  // `text`: name, block, expression and description; each except the last one ends with a zero
  // byte.
  Status AddInfo(const TracedProcess& process, const CounterInfoRecord& record,
                 std::string_view text);

 private:
  Strings* strings_ = nullptr;
  Statement value_, info_;
};

}  // namespace rtl::store
