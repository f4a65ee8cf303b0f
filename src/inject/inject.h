// SPDX-License-Identifier: MIT
// inject.h: loads a library into a running process that was not prepared for this, and calls one of
// the library's functions on a new thread of the process.
//
// One thread of the process is borrowed to make some system calls, and to call the C library's
// pthread_create on a stack of its own. No other thread stops. A thread is chosen whose stack shows
// that it is inside neither the allocator nor the loader, because the borrowed code needs their
// locks. The new thread loads the library.
//
//   the process is refused when           because
//   it runs in another namespace of       its numbers are other ones
//   processes or users
//   it does not see the library           it has another view of the file system
//   it has musl, or no dynamic loader     there is no dlopen that is known
//   its filters forbid system calls       a filter may kill it
//   another process traces it             there is one tracer at a time
//   it belongs to another user            their files are not shared
//
// Threads    one
// Blocking   Start: about a second; up to kPatienceNs while every thread of the process is inside
//            the
//            allocator. AwaitLeft: up to its limit
// Errors     one sentence with the right to grant or the thing to do; the process is then unchanged
// Why        docs/adr/0177-attach-to-any-process.md
#pragma once

#include <stdint.h>

#include <string>

#include "base/status.h"
#include "model/late_trace.h"

namespace rtl::inject {

class Injection {
 public:
  Injection() = default;
  Injection(const Injection&) = delete;
  Injection& operator=(const Injection&) = delete;
  ~Injection() { End(); }  // End tells the thread in the process to end

  // Returns when the function in the process records, or when it has refused to.
  Status Start(uint32_t pid, const std::string& library, const std::string& function,
               const LateTraceRequest& request);
  // True if Start failed because the process uses no GPU.
  bool idle() const { return idle_; }
  // Whether the function's memory is still in the process. False: the process has ended or has
  // executed another program, or its thread has given the memory back.
  bool IsThere() const;
  // Tells the function to return. Does nothing if IsThere is false.
  void Leave();
  // True if the function has returned.
  bool HasLeft() const;
  // Tells the function to return, and waits until it has. False: IsThere became false, or the time
  // was not enough.
  bool AwaitLeft(uint64_t limit_ns);
  // Ends the thread in the process, which then frees its memory.
  void End();

 private:
  Status Await();

  uint32_t pid_ = 0;
  bool idle_ = false;
  uint64_t block_ = 0;  // address of the block in the process; zero: none
  uint32_t tracer_ = 0;
  uint64_t tracer_start_ = 0;
};

}  // namespace rtl::inject
