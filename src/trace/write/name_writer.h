// SPDX-License-Identifier: MIT
// name_writer.h: writes the names of threads, agents, devices and streams, and the table of
// streams.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "model/records.h"
#include "trace/schema/database.h"
#include "trace/write/traced_process.h"

namespace rtl::store {

class NameWriter {
 public:
  // `earlier`: number of streams that a continued trace has.
  Status Prepare(const Database& database, int64_t earlier);

  Status Add(TracedProcess* process, const NameRecord& record, std::string_view text);
  // Called when the process has ended: writes its streams, and for threads that the program has not
  // named, the kernel's names.
  Status EndProcess(const TracedProcess& process);

 private:
  Statement name_, stream_;
  int64_t next_stream_ = 0;
};

}  // namespace rtl::store
