// SPDX-License-Identifier: MIT
// scan.h: examines the files of a dataset before an engine reads them: which ranks have files,
// which ranks are complete, and which files cannot be read.
//
// Threads    one
// Blocking   file I/O: the footer of every file
// Memory     in proportion to the number of files
// Errors     a folder that is no dataset; a damaged file is a problem of its rank, not an error
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace rtl::fleet {

struct DataFile {
  std::string path;
  std::string label;  // label of its rank
  std::string host;
  int64_t rows = 0;
  std::optional<std::pair<int64_t, int64_t>> steps;  // the lowest and the highest step of its rows
};

// A rank, or a process without one.
struct RankState {
  std::string label;  // begin of its files' names: "rank-00017"
  std::optional<int64_t> rank;
  std::string host;
  std::string folder;
  bool has_files = false;
  bool is_complete = false;         // it ended by itself, and has all of its files
  bool has_only_summaries = false;  // it was written without rows of events
  // If not empty, it did not end by itself ("killed", "running"); the files have all until then.
  std::string end;
  std::optional<int64_t> first_start, last_start;  // starts of kernels, CLOCK_BOOTTIME
  std::optional<int64_t> clock_shift;              // CLOCK_REALTIME - CLOCK_BOOTTIME
  std::vector<std::string> problems;               // "kernels/…: it is cut off"

  // For users: "complete", "no data", "until 12:41:07, killed or still running", "until 12:41:07,
  // killed", "damaged: …".
  std::string State() const;
  // The time of the last kernel, in UTC; empty: not known.
  std::string Until() const;
};

struct Fleet {
  std::map<std::string, std::vector<DataFile>> tables;  // readable files by table
  std::vector<RankState> ranks;                         // by number, then label
  int64_t world = 0;                                    // 0: not known
  // Sizes of the job in the files; several: perhaps the folder has files of two jobs.
  std::set<int64_t> worlds;
  // Two ranks, of which one ended long before the other began: perhaps the folder has files of two
  // jobs.
  std::optional<std::pair<int64_t, int64_t>> apart;

  // Whether there are rows of kernels, and whether there are sums of steps.
  bool HasEvents() const;
  bool HasSummaries() const;
};

// Whether a path begins with "s3://", "gs://" or "hdfs://".
bool IsRemote(const std::string& path);

// A file of a dataset in an object store.
struct RemoteFile {
  std::string table, name;
  std::string error;  // why it cannot be read; empty: it can
  int64_t rows = 0;
  std::vector<std::string> columns;
  std::map<std::string, std::string> pairs;        // key-value pairs of the footer
  std::optional<int64_t> first_start, last_start;  // least and greatest value of the column `start`
};
using ListFiles = std::function<Status(const std::string& folder, std::vector<RemoteFile>* out)>;

// A whole text as a number.
std::optional<int64_t> NumberOf(std::string_view text);

// Examines the folders of one job. If the size of the job is known, ranks without files are listed,
// too. `remote`: fleet/remote.h; null: paths to object stores are rejected.
Status Scan(const std::vector<std::string>& folders, Fleet* out, const ListFiles& remote = nullptr);

// Lines for users: one for all ranks together, and one for each rank that is not complete, of these
// `most` at most.
std::vector<std::string> Describe(const Fleet& fleet, size_t most);

}  // namespace rtl::fleet
