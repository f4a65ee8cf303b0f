// SPDX-License-Identifier: MIT
// live_dataset.h: writes the files of ranks while they run (rtl trace --dataset). It takes the
// parts that the collector makes of each process, and completes a segment of files about once a
// minute.
//
// Only one program writes a rank's files (claim.h). The file of processes is written last, by
// Finish. Without it the rank is incomplete, but the rows that it has are right.
//
// Threads    one at a time
// Blocking   file I/O
// Memory     for each rank: a row group of each table, the kernels of one part, the rank's names
// Errors     one line; after an error nothing more may be taken, and the complete files stay
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
  std::string folder;    // made if it does not exist
  bool replace = false;  // replace files of the same ranks; otherwise such files are an error
  bool only_summaries = false;  // no rows of events
  // The least age at which a segment is completed. Usually it must also hold a row group.
  uint64_t segment_ns = 60'000'000'000;
  // Reports a process that is written without its rank; not null.
  std::function<void(const std::string& sentence)> say;
};

class LiveDataset {
 public:
  LiveDataset();
  ~LiveDataset();
  LiveDataset(const LiveDataset&) = delete;
  LiveDataset& operator=(const LiveDataset&) = delete;

  // Call it before the program starts. Fails if the folder cannot be written, or if this process
  // has a rank and the folder has files of that rank.
  Status Open(LiveOptions options);
  Status Add(const store::Part& part);
  // Call it from time to time, also while no part comes.
  Status Tick();
  // Call it after the last part. `result`: the collector's.
  Status Finish(const store::CollectResult& result);

  // The complete files, without those of the table processes.
  std::vector<WrittenFile> files() const;
  std::vector<std::string> labels() const;

 private:
  Status FilesOf(const store::Part& part, RankFiles** out);
  Status Begin(const store::ProcessResult& process, RankFiles** out);
  RankFiles* Make(const std::string& label, int32_t rank, Claim claim);
  Status AcquireFree(const std::string& label, Claim* claim, std::string* free);

  LiveOptions options_;
  std::map<std::string, std::unique_ptr<RankFiles>> ranks_;  // by label
  std::map<size_t, RankFiles*> of_process_;                  // by Part::process
};

}  // namespace rtl::dataset
