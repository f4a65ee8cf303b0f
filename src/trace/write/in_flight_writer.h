// SPDX-License-Identifier: MIT
// in_flight_writer.h: writes kernels and recorded barriers that are in flight, or were when their
// process or its trace ended, and finds out which of them wait, and for what.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "spool/reader.h"
#include "trace/schema/database.h"
#include "trace/schema/strings.h"
#include "trace/write/call_writer.h"
#include "trace/write/in_flight_row.h"
#include "trace/write/traced_process.h"

namespace rtl::store {

// The kernels and barriers that were submitted and have no row because their process ended.
struct Unended {
  uint64_t kernels = 0;
  uint64_t barriers = 0;
  // the process died without finishing, perhaps while a thread submitted a kernel
  bool died = false;
};

class InFlightWriter {
 public:
  // The arguments must outlive this object. `unknown_name`: as in KernelWriter.
  void Use(Database* database, Strings* strings, CallWriter* calls, int64_t unknown_name);

  // Writes the kernels and barriers that had not ended when the process, or its trace, ended at
  // `ended`; `count` gets their number. If the record of a kernel was just being written, the
  // kernel is among them only if `unended` says that one more has no row. A kernel that was about
  // to be submitted is not among them. To be called after all records of the process are added.
  Status Write(const TracedProcess& process, const spool::ProcessReader& reader, uint64_t ended,
               Unended unended, uint64_t* count);
  // Lists the kernels and barriers that are now in flight in a living process.
  Status List(const TracedProcess& process, const spool::ProcessReader& reader,
              std::vector<InFlightRow>* rows);

 private:
  using Kernels = std::vector<spool::ProcessReader::InFlight>;

  Status Add(const TracedProcess& process, const Kernels& kernels,
             const std::vector<spool::ProcessReader::Barrier>& barriers, uint64_t looked,
             uint64_t until);
  Status NameOf(const TracedProcess& process, const InFlightEntry& entry, int64_t* name,
                int64_t* kernel);
  bool LookUp(const char* sql, int64_t id, std::string* text, int64_t* second) const;

  Database* database_ = nullptr;
  Strings* strings_ = nullptr;
  CallWriter* calls_ = nullptr;
  int64_t unknown_name_ = 0;
};

}  // namespace rtl::store
