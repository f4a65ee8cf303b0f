// SPDX-License-Identifier: MIT
// renumbering.h: gives the rows of a trace new numbers when the trace is appended to other traces
// in one database. Ids of a table continue after the last id in the database. Texts get the ids
// that the database has for them. A GPU that another trace also has gets the number that it has
// there (trace/write/gpu_numbers.h). Most references between tables are declared by REFERENCES in
// the schema; a short list has the others.
//
// Threads    one
// Memory     eight bytes for each text of the trace
// Errors     those of the database; an impossible id of a text is an error of the trace
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "export/sql.h"
#include "trace/schema/database.h"
#include "trace/schema/strings.h"
#include "trace/write/gpu_numbers.h"

namespace rtl::exporting {

class Renumbering {
 public:
  enum class How : uint8_t {
    kAsIs,
    kText,       // an id in rocpd_string
    kReference,  // 0 means no reference, and stays 0
    kNumber,
    kGpu
  };
  struct Column {
    How how = How::kAsIs;
    int64_t add = 0;
  };

  // Begins with the next trace. `ops`: the last id of rocpd_op in the database. The texts of the
  // trace are put into `strings`.
  Status Begin(const store::Database& to, int64_t ops, const SourceTrace& from,
               store::Strings* strings);

  Column Of(const std::string& table, const std::string& column) const;
  int64_t Apply(const Column& column, int64_t number) const;
  int64_t Text(int64_t id) const;
  // The number that is added to the ids of a table.
  int64_t Shift(const std::string& table) const;

 private:
  Status ReadReferences(const store::Database& to);
  Status MapGpus(const SourceTrace& from);
  Status MapTexts(const SourceTrace& from, store::Strings* strings);

  // For each "table.column": the referenced table.
  std::map<std::string, std::string> references_;
  std::map<std::string, int64_t> shifts_;  // for each table that has ids
  std::vector<int64_t> texts_;             // new ids, indexed by the id in the trace
  store::GpuNumbers gpu_numbers_;          // the GPUs of all traces so far
  std::map<int64_t, int64_t> gpus_;        // new numbers, by the number in the trace
};

}  // namespace rtl::exporting
