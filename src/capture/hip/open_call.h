// SPDX-License-Identifier: MIT
// open_call.h: the API call that is open on a thread, and the thread's room for it.
//
// Threads    each thread sees its own; no constructor, no destructor, usable from signal handlers
// Memory     one pointer of thread-local state; the block behind it comes from a pool, is given
//            back when the thread ends and is never unmapped
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/hip/preload_door.h"

namespace rtl::capture {

struct CallLayout;

enum class CallDoor : uint8_t { kTable, kPreload, kTracer, kActivity };

// One thread's open call. Written by that thread only.
struct ThreadCalls {
  static constexpr size_t kDataBytes = 3072;
  static constexpr size_t kPayloadBytes = 1024;  // arguments and their texts
  static constexpr size_t kRoomBytes = 1984;

  uint64_t correlation;      // of the open call; zero: none is open; OpenCall::kWithoutId
  uint64_t ancestor;         // the call around it; zero: none, or nobody keeps account of it
  uint64_t start;            // time
  const CallLayout* layout;  // of the open call; null: it is not described
  const void* frame;         // the stack where its door saw it begin
  uint32_t api;              // its number
  CallDoor door;             // that saw it
  uint32_t thread;           // kernel thread id
  int32_t result;            // when it is known before the call returns
  bool result_known;
  bool paused;             // it is counted and not recorded
  bool compiler;           // the compiler put it there: EventKind::kCompilerCall
  ThreadCalls* next_free;  // the pool's
  alignas(8) uint8_t payload[kPayloadBytes];
  alignas(8) uint8_t room[kRoomBytes];   // of who listens to HIP's calls
  alignas(64) uint8_t data[kDataBytes];  // where doors without room of their own put arguments
};

static_assert(alignof(ThreadCalls) >= kEnteredAlignment);

class OpenCall {
 public:
  // A call is open to which nothing belongs: what happens inside of it is as if there were none.
  static constexpr uint64_t kWithoutId = UINT64_MAX;

  // The correlation id of the call that this thread is inside of; zero when there is none.
  static uint64_t Correlation() {
    const uint64_t open = calls_ == nullptr ? 0 : calls_->correlation;
    return open == kWithoutId ? 0 : open;
  }

  // This thread's block; null before its first call.
  static ThreadCalls* Calls() { return calls_; }
  // The same, made when missing. Null: no memory. May make system calls.
  static ThreadCalls* MakeCalls();

 private:
  static void OnThreadExit(void* calls);

  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local ThreadCalls* calls_ =
      nullptr;
};

}  // namespace rtl::capture
