// SPDX-License-Identifier: MIT
// inject.h: loads a library into a running process that was not prepared for it, and calls one of
// its functions there on a thread of its own.
//
// One thread of the process is borrowed for some system calls and for the C library's
// pthread_create, on a stack of its own; no other thread stops. It is one whose stack shows that it
// is inside neither the allocator nor the loader, whose locks the borrowed code needs. The new
// thread loads the library.
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
// Blocking   Start: a second or so; longer while every thread of the process is busy inside the
//            allocator, up to kPatienceNs. AwaitLeft: as long as it says
// Errors     one sentence with what to grant or to do; the process is as before then
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
  ~Injection() { End(); }  // see End

  // Returns when the function in the process records, or has refused.
  Status Start(uint32_t pid, const std::string& library, const std::string& function,
               const LateTraceRequest& request);
  // Start has failed because the process uses no GPU.
  bool idle() const { return idle_; }
  // False: the process has ended, has executed another program, or its thread has given the memory
  // back.
  bool IsThere() const;
  // Tells the function to return. The process may be gone, may be another program by now, or may have
  // given the memory back.
  void Leave();
  // The function has returned.
  bool HasLeft() const;
  // Tells it, and waits until it has left. False: it is gone, or does not in this time.
  bool AwaitLeft(uint64_t limit_ns);
  // The thread there ends, and its memory goes.
  void End();

 private:
  Status Await();

  uint32_t pid_ = 0;
  bool idle_ = false;
  uint64_t block_ = 0;  // its address there; zero: none
  uint32_t tracer_ = 0;
  uint64_t tracer_start_ = 0;
};

}  // namespace rtl::inject
