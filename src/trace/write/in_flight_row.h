// SPDX-License-Identifier: MIT
// in_flight_row.h: a kernel that is in flight, or was when its process ended, with all known facts.
// Also the request by which another program gets the kernels in flight from the collector of a
// living process (asks.h); the answer has a line for each kernel.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rtl::store {

// A kernel, or a recorded barrier packet.
struct InFlightRow {
  int64_t process = 0;  // rtl_process.id
  uint32_t pid = 0;
  uint32_t tid = 0;  // the thread that rang the doorbell
  int32_t gpu = 0;
  uint32_t queue = 0;   // rtl_queue.queue
  uint64_t packet = 0;  // index of the packet in the queue
  bool is_barrier = false;
  // The state of the kernel. No device reports that a kernel has started. For a living process,
  // this is the present state; for a process that has ended, the state when the tracer last checked
  // (`looked`).
  enum class State : uint8_t {
    kFirst = 0,    // nothing before it in its queue holds it up
    kWaits = 1,    // it waits for others of these rows, or for the barrier packet in `behind`
    kUnknown = 2,  // the packets before it may have ended or been passed
    kEnded = 3,    // its signal has dropped, but the tracer has not recorded it yet
  };
  State state = State::kFirst;
  bool alive = false;  // its process was alive at `until`
  uint64_t submitted = 0;
  uint64_t looked = 0;  // every kernel that had ended by this time is left out; 0: not known
  uint64_t until = 0;   // the kernel was in flight at least until this time
  uint32_t grid[3] = {};
  uint32_t workgroup[3] = {};
  int64_t stream = -1;  // number of the stream in the process; 0: the null stream; -1: not known
  std::string name;
  std::string call;   // the API call that submitted it; empty: not known
  std::string range;  // the innermost open roctx range of its thread; empty: none
  // The barrier packet that holds the kernel up, and the signals for which the barrier waits;
  // empty: none is known.
  std::string behind;
};

std::string FormatInFlight(const std::vector<InFlightRow>& rows);
Status ParseInFlight(std::string_view text, std::vector<InFlightRow>* rows);

// For the collector: answers requests. Calls `rows` only if there is a request.
void AnswerInFlight(const std::string& spool,
                    const std::function<std::vector<InFlightRow>()>& rows);
// For any program: returns the kernels in flight in the processes of the spool. Waits for the
// collector, at most `limit_ns`.
Status AskInFlight(const std::string& spool, uint64_t limit_ns, std::vector<InFlightRow>* rows);

}  // namespace rtl::store
