// SPDX-License-Identifier: MIT
// renumbering.h: what the numbers in a trace's rows become when the trace is put behind others in one
// database. Ids of a table go on where its ids end; texts have the ids that the database has for them.
// What refers to what is read from the schema's REFERENCES, and from a short list where it has none.
//
// Threads    one
// Memory     eight bytes for each text of the trace
// Errors     of the database; an id of a text that cannot be is one of the trace
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "store/database.h"
#include "store/strings.h"

namespace rtl::exporting {

class Renumbering {
 public:
  enum class How : uint8_t {
    kAsIs,
    kText,       // rocpd_string.id
    kReference,  // 0 refers to nothing, and stays
    kNumber
  };
  struct Column {
    How how = How::kAsIs;
    int64_t add = 0;
  };

  // The next trace: `ops` is the last id of rocpd_op in the database. Its texts are put into `strings`.
  Status Begin(const store::Database& to, int64_t ops, sqlite3* from, const std::string& path,
               store::Strings* strings);

  Column Of(const std::string& table, const std::string& column) const;
  int64_t Apply(const Column& column, int64_t number) const;
  int64_t Text(int64_t id) const;
  // What the ids of a table grow by.
  int64_t Shift(const std::string& table) const;

 private:
  Status ReadReferences(const store::Database& to);
  Status MapTexts(sqlite3* from, const std::string& path, store::Strings* strings);

  // "table.column": the table that it refers to.
  std::map<std::string, std::string> references_;
  std::map<std::string, int64_t> shifts_;  // by table, of those that have ids
  std::vector<int64_t> texts_;             // by the trace's id
};

}  // namespace rtl::exporting
