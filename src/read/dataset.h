// SPDX-License-Identifier: MIT
// dataset.h: reads the tables of a dataset, which is the folder of Parquet files that `rtl convert`
// writes. Rows can be selected as in a trace. They come rank by rank, in the order of the files.
//
// Threads    any; constant once open
// Blocking   file I/O: the footers of all files when it is opened
// Memory     for a reader: the columns of a row group; if counters are selected by GPU or time,
//            also
//            a number for each kernel
// Errors     one line that names the file. A damaged or missing file is an error when its table is
//            read. A rank that is not complete is only a note
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "tables/table_reader.h"

namespace rtl::read {

// The files of a rank, or of a process without a rank.
struct DatasetPart {
  std::string label;  // begin of its files' names: "rank-00017"
  std::string folder;
  std::optional<int64_t> rank;
  std::optional<int64_t> clock_shift;  // CLOCK_REALTIME - CLOCK_BOOTTIME
  bool has_only_summaries = false;
  std::vector<std::string> problems;                      // "kernels/…: it is cut off"
  std::map<std::string, std::vector<std::string>> files;  // by table
};

class Dataset {
 public:
  // Whether the folder has files of a dataset.
  static bool IsIn(const std::string& folder);
  // `folders`: those of one job.
  static Status Open(const std::vector<std::string>& folders, std::unique_ptr<const Dataset>* out);

  // Sentences for users about the ranks that are not complete.
  const std::vector<std::string>& notes() const { return notes_; }
  // `datetimes`: whether times are converted to the wall clock. The dataset must outlive the
  // reader.
  Status MakeReader(const tables::Table& table, const tables::TableRequest& request, bool datetimes,
                    std::unique_ptr<tables::TableReader>* out) const;

 private:
  Dataset() = default;

  std::string name_;  // the name in errors
  std::vector<DatasetPart> parts_;
  std::vector<std::string> notes_;
};

}  // namespace rtl::read
