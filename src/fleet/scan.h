// SPDX-License-Identifier: MIT
// scan.h: the files of a dataset, looked at before an engine reads them: which ranks are there, which
// of them are complete, and which files cannot be read.
//
// Threads    one
// Blocking   file I/O: the footer of every file
// Memory     in proportion to the number of files
// Errors     a folder that is no dataset; a damaged file is no error but a problem of its rank
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace rtl::fleet {

struct DataFile {
  std::string path;
  std::string label;  // of its rank
  std::string host;
  int64_t rows = 0;
  std::optional<std::pair<int64_t, int64_t>> steps;  // the first and the last of its rows
};

// A rank, or a process without one.
struct RankState {
  std::string label;  // of its files: "rank-00017"
  std::optional<int64_t> rank;
  std::string host;
  std::string folder;
  bool has_files = false;
  bool is_complete = false;         // it ended by itself, and all its files are there
  bool has_only_summaries = false;  // it was written without rows of events
  std::string end;                  // "killed", "running": the files are all there, up to then
  std::optional<int64_t> first_start, last_start;  // of kernels; CLOCK_BOOTTIME
  std::optional<int64_t> clock_shift;              // CLOCK_REALTIME - CLOCK_BOOTTIME
  std::vector<std::string> problems;               // "kernels/…: it is cut off"

  // "complete", "no data", "until 12:41:07, killed or still running", "until 12:41:07, killed",
  // "damaged: …"
  std::string State() const;
  // The time of the last kernel, in UTC; empty: not known.
  std::string Until() const;
};

struct Fleet {
  std::map<std::string, std::vector<DataFile>> tables;  // the readable files of each
  std::vector<RankState> ranks;                         // by number, then label
  int64_t world = 0;                                    // 0: not known
  std::set<int64_t> worlds;  // that the files name; several: files of two jobs, perhaps
  // Two ranks of which one ended long before the other began: files of two jobs, perhaps.
  std::optional<std::pair<int64_t, int64_t>> apart;

  // Rows of kernels, and the sums of each step.
  bool HasEvents() const;
  bool HasSummaries() const;
};

// "s3://", "gs://", "hdfs://".
bool IsRemote(const std::string& path);

// A file of a dataset in an object store.
struct RemoteFile {
  std::string table, name;
  std::string error;  // empty: it can be read
  int64_t rows = 0;
  std::vector<std::string> columns;
  std::map<std::string, std::string> pairs;        // of the footer
  std::optional<int64_t> first_start, last_start;  // extremes of the column `start`
};
using ListFiles = std::function<Status(const std::string& folder, std::vector<RemoteFile>* out)>;

// The folders of one job. Ranks that are in none of them are listed, where the job's size is known.
// `remote`: fleet/remote.h; null: object stores are refused.
Status Scan(const std::vector<std::string>& folders, Fleet* out, const ListFiles& remote = nullptr);

// For people: a line for all ranks, and one for each that is not complete, `most` at most.
std::vector<std::string> Describe(const Fleet& fleet, size_t most);

}  // namespace rtl::fleet
