// SPDX-License-Identifier: MIT
// losses.h: lists every way in which an event can fail to reach the trace. Code that drops events
// in a new way needs a new line here first. The totals go into the trace's metadata, and `rtl info`
// prints them with these words.
//
// Every scenario test asserts for each kind of event: submitted == recorded + sum of losses
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <string_view>

#include "model/event_kinds.h"

namespace rtl {

// Each row: name, text for users.
#define RTL_LOSSES(X)                                                                        \
  X(kBatch, "submitted in a batch, which this mode passes through untouched")                \
  X(kHasSignal, "carried the application's own signal, which this mode leaves alone")        \
  X(kNoSignal, "the runtime refused to create a profiling signal")                           \
  X(kTakenEarly, "the GPU took the packet before the tracer saw it")                         \
  X(kNotWritten, "reserved in a queue, and not written while its doorbell waited for it")    \
  X(kNotRung, "written into a queue whose doorbell did not ring for it")                     \
  X(kNoMemory, "there was no memory to store it")                                            \
  X(kBacklog, "too many kernels in flight for the tracer's bounded memory")                  \
  X(kStalled, "passed through while the tracer's thread was stalled")                        \
  X(kSpoolFull, "the spool was full or could not grow")                                      \
  X(kBadTimestamps, "the GPU reported no start, no end, or an end before the start")         \
  X(kSharedSignal, "had no completion signal of its own to read its times from")             \
  X(kSignalReused, "the application reused or destroyed its signal before it could be read") \
  X(kShutdown, "still in flight when the exit budget ran out")                               \
  X(kQueueDestroyed, "still in flight when the application destroyed the queue")             \
  X(kForked, "made by a forked child without exec, which is not traced")                     \
  X(kKilled, "in flight, or not yet read, when the process was killed")                      \
  X(kExec, "in flight when the process became another program (exec)")                       \
  X(kTorn, "unreadable in the spool")                                                        \
  X(kAbandoned, "left by a jump or an exception, so its end was not seen")                   \
  X(kProfilerLost, "HIP's own profiler did not report it")                                   \
  X(kProfilerOff, "made while HIP's own profiler was off, to be drained or for good")        \
  X(kPaused, "left out: recording was paused, or it was not selected")                       \
  X(kDuplicate, "carried the correlation id of a call that was already in the trace")        \
  X(kNotCountable, "the GPU, its queue or AMD's library cannot count these events for it")   \
  X(kCoDependent, "ran together with kernels that it may have been waiting for")             \
  X(kOutOfWindow, "older than the window (--ring)")                                          \
  X(kSampleBuffer, "the runtime's buffer of samples was full")                               \
  X(kUndescribed, "calls of a function that is newer than this tracer's list of them")

enum class Loss : uint8_t {
#define X(name, text) name,
  RTL_LOSSES(X)
#undef X
};

#define X(...) +1
inline constexpr size_t kLossCount = 0 RTL_LOSSES(X);
#undef X

// For example "kBatch": the word in metadata tags (`loss.kBatch.kernels`).
const char* LossName(Loss loss);
// The text for users.
const char* LossText(Loss loss);
// The text for a name that a trace has, also for names of earlier versions. Null if this version
// does not know the name.
const char* FindLossText(std::string_view name);
// True if events are left out because the mode or the application requests it; nothing went wrong.
bool IsLeftOut(Loss loss);

}  // namespace rtl
