// SPDX-License-Identifier: MIT
// continuation.h: decides whether a trace is continued in the database that an earlier part of the
// same job left with the output's name, and reads what is needed for that.
//
// Threads    one
// Blocking   file I/O
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "trace/schema/database.h"
#include "trace/write/gpu_numbers.h"

namespace rtl::store {

// True if `database` is a complete trace of this version that has a process of the same job as
// those of `spool`: a process of the same process group on the same boot of the same host, or one
// that the same launcher's job started.
bool ContinuesJob(const std::string& database, const std::string& spool);

// The state with which a continued trace begins.
struct Continuation {
  int64_t processes = 0;  // highest ids so far
  int64_t agents = 0;
  int64_t queues = 0;
  int64_t kernels = 0;
  int64_t streams = 0;
  int64_t ops = 0;
  int64_t launches = 0;
  int64_t call_sites = 0;
  int64_t launch_calls = 0;
  std::vector<std::pair<GpuNumbers::Gpu, uint32_t>> gpus;  // the GPUs and their numbers
  std::map<std::string, std::string> metadata;
};

// Reads the state from the open copy. Removes the metadata, which is written again later.
Status TakeOver(Database* copy, Continuation* out);

}  // namespace rtl::store
