// SPDX-License-Identifier: MIT
// open_call.h: the API call that is open on a thread, and the thread's room for it.
//
// Threads    each thread sees its own; no constructor, no destructor, usable from signal handlers
// Memory     one pointer of thread-local state; the block behind it comes from a pool, is given
//            back when the thread ends and is never unmapped
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "capture/hip/preload_door.h"

namespace rtl::capture {

struct CallLayout;

enum class CallDoor : uint8_t { kTable, kPreload, kTracer, kActivity };

// One thread's open call. Written by that thread only.
struct ThreadCalls {
  static constexpr size_t kDataBytes = 3072;
  static constexpr size_t kPayloadBytes = 1024;  // arguments and their texts
  static constexpr size_t kRoomBytes = 1984;

  // For tools: the innermost call of any API, and the one around it. Zero: none.
  uint64_t correlation;
  uint64_t ancestor;
  uint64_t recorded;         // for the trace: id of the open HIP call; zero: none, or not recorded
  uint64_t start;            // time
  const CallLayout* layout;  // of the open HIP call; null: it is not described
  const void* frame;         // the stack where its door saw it begin
  uint32_t api;              // its number
  CallDoor door;             // that saw it
  uint32_t thread;           // kernel thread id
  int32_t result;            // when it is known before the call returns
  bool open;                 // a HIP call is open
  bool tell;                 // the listener wants to know of it
  bool told;                 // and does
  bool result_known;
  bool paused;             // it is counted and not recorded
  bool compiler;           // the compiler put it there: EventKind::kCompilerCall
  ThreadCalls* next_free;  // the pool's
  ThreadCalls* next_made;  // the pool's: every block there is
  // The context of rocprofiler-sdk whose function the thread is inside of; null: none.
  std::atomic<const void*> tool;
  alignas(8) uint8_t payload[kPayloadBytes];
  alignas(8) uint8_t room[kRoomBytes];   // of who listens to HIP's calls
  alignas(64) uint8_t data[kDataBytes];  // where doors without room of their own put arguments
};

static_assert(alignof(ThreadCalls) >= kEnteredAlignment);

class OpenCall {
 public:
  // The id of the HIP call of this thread that the trace records; zero when there is none.
  static uint64_t Recorded() { return calls_ == nullptr ? 0 : calls_->recorded; }

  // The correlation id that tools have for the call that this thread is inside of; zero when there
  // is none.
  static uint64_t Correlation() { return calls_ == nullptr ? 0 : calls_->correlation; }

  // This thread's block; null before its first call.
  static ThreadCalls* Calls() { return calls_; }
  // The same, made when missing. Null: no memory. May make system calls.
  static ThreadCalls* MakeCalls() { return calls_ != nullptr ? calls_ : MakeFirst(); }

  // How many threads are inside a function of this context. Any thread.
  static int32_t CountInside(const void* tool);

 private:
  static ThreadCalls* MakeFirst();
  static void OnThreadExit(void* calls);

  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local ThreadCalls* calls_ =
      nullptr;
};

}  // namespace rtl::capture
