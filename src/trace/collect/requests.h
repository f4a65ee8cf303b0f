// SPDX-License-Identifier: MIT
// requests.h: what other threads want of the collecting thread, and what it tells them: that it
// ends, that a process or all have been read, the kernels in flight, a window.
//
// Threads    the first functions: any; those of the collecting thread: that one
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
  // `has_left`: it lives, and writes no more.
  void WaitForProcess(uint32_t pid, const std::function<bool()>& has_left = nullptr);
  // Returns when every process that exists now has been found and none runs: their number. Empty:
  // nothing will be read any more.
  std::optional<size_t> WaitForNone();
  // Waits for the answer at most `limit`.
  Status InFlight(std::vector<InFlightRow>* rows,
                  std::chrono::milliseconds limit = std::chrono::seconds(5));

  // The collecting thread. Whether a thread waits for something.
  bool HasAny() const;
  // Returns when a thread waits for a process or for the end, at the latest after `limit`.
  void Pause(std::chrono::milliseconds limit);
  // A process has been read to its end.
  void NoteEnded(uint32_t pid);
  void AnswerInFlight(const std::function<std::vector<InFlightRow>()>& rows);
  std::vector<std::string> TakeWindows();
  struct Round {
    size_t known = 0;     // processes found so far, readable or not
    size_t running = 0;   // of those, not read to the end
    bool failed = false;  // it was the last one
  };
  // A round over the spool is complete. False: it was the last one. Else returns after `pause`, or
  // when the collecting thread is to end.
  bool EndRound(const Round& round, std::chrono::milliseconds pause);

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // All under mutex_.
  bool stop_ = false;
  bool hurry_ = false;  // a caller waits for the rest of the spool
  Round round_;
  uint64_t rounds_ = 0;
  std::vector<uint32_t> ended_;  // processes that have been read to the end
  uint64_t asked_ = 0;           // requests for kernels in flight
  uint64_t answered_ = 0;
  std::vector<InFlightRow> in_flight_;  // the last answer
  std::vector<std::string> windows_;    // why each is requested
};

}  // namespace rtl::store
