// SPDX-License-Identifier: MIT
// renumbering.h: the new numbers of a trace's rows when it is appended to other traces in one
// database. Ids of a table continue after the last one there; texts get the ids that the database
// has for them. A GPU that another trace has, too, gets its number there (trace/write/gpu_numbers.h). The
// schema's REFERENCES declare references; a short list has the others.
//
// Threads    one
// Memory     eight bytes for each text of the trace
// Errors     of the database; an impossible id of a text is the trace's error
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "trace/schema/database.h"
#include "trace/schema/strings.h"
#include "trace/write/gpu_numbers.h"

namespace rtl::exporting {

class Renumbering {
 public:
  enum class How : uint8_t {
    kAsIs,
    kText,       // rocpd_string.id
    kReference,  // 0 is no reference, and stays
    kNumber,
    kGpu
  };
  struct Column {
    How how = How::kAsIs;
    int64_t add = 0;
  };

  // The next trace. `ops`: the last id of rocpd_op in the database. Its texts are put into
  // `strings`.
  Status Begin(const store::Database& to, int64_t ops, sqlite3* from, const std::string& path,
               store::Strings* strings);

  Column Of(const std::string& table, const std::string& column) const;
  int64_t Apply(const Column& column, int64_t number) const;
  int64_t Text(int64_t id) const;
  // The amount that is added to the ids of a table.
  int64_t Shift(const std::string& table) const;

 private:
  Status ReadReferences(const store::Database& to);
  Status MapGpus(sqlite3* from, const std::string& path);
  Status MapTexts(sqlite3* from, const std::string& path, store::Strings* strings);

  // By "table.column": the referenced table.
  std::map<std::string, std::string> references_;
  std::map<std::string, int64_t> shifts_;  // by table, for those with ids
  std::vector<int64_t> texts_;             // by the trace's id
  store::GpuNumbers gpu_numbers_;          // of all traces so far
  std::map<int64_t, int64_t> gpus_;        // by the trace's number
};

}  // namespace rtl::exporting
