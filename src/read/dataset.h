// SPDX-License-Identifier: MIT
// dataset.h: the tables of a dataset, the folder of Parquet files that `rtl convert` writes, with
// the conditions that the tables of a trace have. Rows come rank by rank, in the order of the files.
//
// Threads    any; constant once open
// Blocking   file I/O: the footers of all files when it is opened
// Memory     of a reader: the columns of a row group; with a selection of counters by GPU or time, a
//            number for each kernel
// Errors     one line that names the file. A file that is damaged or missing is an error when its
//            table is read; a rank that is not complete is a note
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "tables/table_reader.h"

namespace rtl::read {

// The files of a rank, or of a process without one.
struct DatasetPart {
  std::string label;  // of its files: "rank-00017"
  std::string folder;
  std::optional<int64_t> rank;
  std::optional<int64_t> clock_shift;  // CLOCK_REALTIME - CLOCK_BOOTTIME
  bool has_only_summaries = false;
  std::vector<std::string> problems;                      // "kernels/…: it is cut off"
  std::map<std::string, std::vector<std::string>> files;  // by table
};

class Dataset {
 public:
  // True: the folder has files of a dataset.
  static bool IsIn(const std::string& folder);
  // `folders`: of one job.
  static Status Open(const std::vector<std::string>& folders, std::unique_ptr<const Dataset>* out);

  // Sentences for the user: which ranks are not complete.
  const std::vector<std::string>& notes() const { return notes_; }
  // `datetimes`: times are those of the wall clock. The dataset outlives the reader.
  Status MakeReader(const tables::Table& table, const tables::TableRequest& request, bool datetimes,
                    std::unique_ptr<tables::TableReader>* out) const;

 private:
  Dataset() = default;

  std::string name_;  // in errors
  std::vector<DatasetPart> parts_;
  std::vector<std::string> notes_;
};

}  // namespace rtl::read
