// SPDX-License-Identifier: MIT
// requests.h: passes requests of other threads to the collecting thread, and its answers back. A
// request asks that it ends, that a process or all processes are read, for the kernels in flight,
// or for a window.
//
// Threads    the first functions: any; the functions of the collecting thread: only that one
// Blocking   as each says
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "trace/write/in_flight_row.h"

namespace rtl::store {

class Requests {
 public:
  void Stop();
  void Window(const std::string& why);
  // Returns when the process has been read to its end, or is gone with nothing left to read.
  // `has_left`: returns true if the process lives and writes no more.
  void WaitForProcess(uint32_t pid, const std::function<bool()>& has_left = nullptr);
  // Returns when every process that exists now has been found and none runs any more. Returns how
  // many were found; empty if nothing will be read any more.
  std::optional<size_t> WaitForNone();
  // Waits for the answer at most `limit`.
  Status InFlight(std::vector<InFlightRow>* rows,
                  std::chrono::milliseconds limit = std::chrono::seconds(5));

  // The following functions are for the collecting thread. HasAny: true if a thread waits for
  // something.
  bool HasAny() const;
  // Returns when a thread waits for a process or for the end, or after `limit`.
  void Pause(std::chrono::milliseconds limit);
  // Reports that a process has been read to its end.
  void NoteEnded(uint32_t pid);
  void AnswerInFlight(const std::function<std::vector<InFlightRow>()>& rows);
  std::vector<std::string> TakeWindows();
  struct Round {
    size_t known = 0;     // number of processes found so far, readable or not
    size_t running = 0;   // those that have not been read to the end
    bool failed = false;  // reading has failed: this was the last round
  };
  // Ends a round over the spool. False if it was the last one. Otherwise returns after `pause`, or
  // when the collecting thread must end.
  bool EndRound(const Round& round, std::chrono::milliseconds pause);

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // The members are guarded by mutex_.
  bool stop_ = false;
  bool hurry_ = false;  // a caller waits for the rest of the spool
  Round round_;
  uint64_t rounds_ = 0;
  std::vector<uint32_t> ended_;  // processes that have been read to the end
  uint64_t asked_ = 0;           // number of requests for kernels in flight
  uint64_t answered_ = 0;
  std::vector<InFlightRow> in_flight_;  // the last answer
  std::vector<std::string> windows_;    // the reason for each requested window
};

}  // namespace rtl::store
