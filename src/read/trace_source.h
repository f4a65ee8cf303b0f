// SPDX-License-Identifier: MIT
// trace_source.h: opens the files that a user gives: a database of rtl, another tool's trace, which
// is imported, several traces, which are merged, or a dataset of Parquet files.
//
// Threads    any; constant once open
// Blocking   file I/O
// Files      imported and merged databases are in a folder in TMPDIR, which is removed with the
// object
// Errors     one line that names the file
#pragma once

#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "import/sources.h"
#include "read/dataset.h"
#include "trace/read/trace_reader.h"

namespace rtl::read {

class TraceSource {
 public:
  static Status Open(const std::vector<std::string>& files, std::shared_ptr<TraceSource>* out);
  ~TraceSource();
  TraceSource(const TraceSource&) = delete;
  TraceSource& operator=(const TraceSource&) = delete;

  // Null: the files are a trace, and `database` is its database.
  const Dataset* dataset() const { return dataset_.get(); }
  const std::string& database() const { return database_; }
  // Sentences for the user, which the command line prints.
  const std::vector<std::string>& notes() const { return notes_; }
  // Makes a reader of the database. Each thread needs its own.
  Status MakeReader(std::unique_ptr<query::TraceReader>* out) const;

 private:
  TraceSource() = default;
  Status MakeDatabase(const std::vector<std::string>& files);
  Status DatabaseOf(const std::string& file, std::string* database);
  Status MakePath(std::string* path);

  std::string name_;  // the name in errors
  std::unique_ptr<const Dataset> dataset_;
  std::string database_;
  std::vector<std::string> notes_;
  std::string folder_;  // empty: nothing was imported or merged
  int made_ = 0;
  const pid_t process_ = getpid();  // the process that made the folder
  std::vector<std::shared_ptr<import::UnpackedFile>> unpacked_;
};

}  // namespace rtl::read
