// SPDX-License-Identifier: MIT
// new_database.h: a trace that is made from other traces. It begins empty and gets its name when it
// is complete.
//
// Threads    one
// Blocking   file I/O
// Errors     one line that names the file; then no file is left under its name
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "trace/schema/database.h"
#include "trace/write/bulk_tables.h"
#include "trace/write/output_file.h"

namespace rtl::exporting {

class NewDatabase {
 public:
  explicit NewDatabase(std::string output) : output_(std::move(output)) {}

  Status Begin(store::Database* database);
  // For the rows of operations and calls.
  store::BulkTables* bulk() { return &bulk_; }
  // `notes`: gets the new name if the output's name was taken meanwhile.
  Status Finish(store::Database* database, std::vector<std::string>* notes);

 private:
  const std::string output_;
  store::OutputFile file_;
  store::BulkTables bulk_;
};

}  // namespace rtl::exporting
