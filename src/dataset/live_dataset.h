// SPDX-License-Identifier: MIT
// live_dataset.h: the files of ranks while they run (rtl trace --dataset): takes the parts that the
// collector makes of each process, and completes a segment of files about once a minute.
//
// A rank's files are written by one program only (claim.h). The file of processes comes last, in
// Finish: without it a rank is incomplete, and what it has is right.
//
// Threads    one at a time
// Blocking   file I/O
// Memory     of each rank: a row group of each table, the kernels of one part, its names
// Errors     one line; then nothing more may be taken, and the complete files stay
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "dataset/table_writer.h"
#include "trace/collect/collector.h"

namespace rtl::dataset {

class Claim;
class RankFiles;

struct LiveOptions {
  std::string folder;           // made if it does not exist
  bool replace = false;         // files of the same ranks that are there; otherwise an error
  bool only_summaries = false;  // no rows of events
  uint64_t segment_ns = 60'000'000'000;  // a segment takes at least this, and a row group of rows
  std::function<void(const std::string& sentence)> say;  // a process without its rank; not null
};

class LiveDataset {
 public:
  LiveDataset();
  ~LiveDataset();
  LiveDataset(const LiveDataset&) = delete;
  LiveDataset& operator=(const LiveDataset&) = delete;

  // Fails before the program starts: when the folder cannot be written, and when the rank of this
  // process, if it has one, is in it.
  Status Open(LiveOptions options);
  Status Take(const store::Part& part);
  // From time to time, also while no part comes.
  Status Tick();
  // After the last part. `result`: of the collector.
  Status Finish(const store::CollectResult& result);

  // Complete files, without those of the file of processes.
  std::vector<WrittenFile> files() const;
  std::vector<std::string> labels() const;

 private:
  Status FilesOf(const store::Part& part, RankFiles** out);
  Status Begin(const store::ProcessResult& process, RankFiles** out);
  Status TakeFree(std::string label, Claim* claim, std::string* free);

  LiveOptions options_;
  std::map<std::string, std::unique_ptr<RankFiles>> ranks_;  // by label
  std::map<size_t, RankFiles*> of_process_;                  // by Part::process
};

}  // namespace rtl::dataset
