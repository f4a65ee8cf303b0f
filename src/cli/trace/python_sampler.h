// SPDX-License-Identifier: MIT
// python_sampler.h: samples the stacks of the traced program's Python processes. py-spy does that
// from outside: it reads the memory of a process without stopping it. One py-spy is started for
// each process that is Python or has mapped Python's library, unless the py-spy of an ancestor
// samples it already.
//
// Clock      py-spy counts from its own start. How long py-spy takes to start is measured by
//            `py-spy --version`, and added to the time at which it was launched
// Threads    one of its own between Start and Stop
// Blocking   Find: runs py-spy once. Stop: until py-spy has written its file, at most kMostWait
// Errors     a sentence for the user; the program is then traced without samples
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "cli/base/temporary_folder.h"
#include "cli/trace/background_thread.h"
#include "cli/trace/thread_handles.h"
#include "import/py_spy.h"

namespace rtl::cli {

class PythonSampler {
 public:
  explicit PythonSampler(uint32_t hz) : hz_(hz) {}
  ~PythonSampler() { Stop(); }

  // Finds py-spy beside `program`, then in PATH. An error says how to install it.
  Status Find(const std::string& program);
  void Start(pid_t program);
  void Stop();

  // Call it after Stop: adds the samples to the trace. *sentences: what is missing, for the user.
  Status AddTo(const std::string& database, std::vector<std::string>* sentences) const;

 private:
  struct Run {
    pid_t python = 0;  // the sampled process
    pid_t py_spy = 0;
    uint64_t began = 0;  // zero of py-spy's clock, BOOTTIME ns
    std::string file, log;
  };

  void Watch(pid_t program);
  void LookAt(pid_t process);
  std::string PythonOf(pid_t process);
  void Sample(pid_t process);
  bool Reap(Run* run, bool wait);
  uint32_t ThreadOf(const import::SampledFrame& frame, uint64_t began,
                    std::map<std::pair<uint32_t, uint64_t>, uint32_t>* others) const;

  const uint32_t hz_;
  TemporaryFolder folder_;  // for py-spy's files
  std::string py_spy_, version_;
  uint64_t start_ns_ = 0;  // the time that py-spy takes to start
  std::vector<Run> running_, ended_;
  std::set<pid_t> sampled_;  // processes for which a py-spy runs
  std::map<pid_t, uint32_t> tries_;
  struct Embedding {
    std::string python;  // "python3.12.so.1.0"
    uint32_t looks = 0;
  };
  std::map<pid_t, Embedding> embeddings_;  // by pid, for programs whose name is not Python's
  ThreadHandles handles_;                  // of processes whose Python does not know thread ids
  std::string refused_;                    // why a process could not be read; empty: all could
  std::string failed_;                     // last failure for another reason
  uint32_t next_file_ = 0;
  BackgroundThread thread_;
};

}  // namespace rtl::cli
