// SPDX-License-Identifier: MIT
// trace_source.h: what is behind the files that a user gives: a database of rtl as it is, one that is
// imported of another tool's trace, one that is merged of several; or a dataset of Parquet files.
//
// Threads    any; constant once open
// Blocking   file I/O
// Files      what is made lies in a folder in TMPDIR, which is removed with the object
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
  // What the user should know: sentences, as the command prints them.
  const std::vector<std::string>& notes() const { return notes_; }
  // A reader of the database, for one thread.
  Status MakeReader(std::unique_ptr<query::TraceReader>* out) const;

 private:
  TraceSource() = default;
  Status MakeDatabase(const std::vector<std::string>& files);
  Status DatabaseOf(const std::string& file, std::string* database);
  Status MakePath(std::string* path);

  std::string name_;  // in errors
  std::unique_ptr<const Dataset> dataset_;
  std::string database_;
  std::vector<std::string> notes_;
  std::string folder_;  // empty: nothing was made
  int made_ = 0;
  const pid_t process_ = getpid();  // that made it
  std::vector<std::shared_ptr<import::UnpackedFile>> unpacked_;
};

}  // namespace rtl::read
