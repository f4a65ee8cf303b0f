// SPDX-License-Identifier: MIT
// borrowed_thread.h: a thread of another process that is stopped, runs a little code for us, and goes
// on as if nothing had been: registers, signal mask and an interrupted system call are as before.
// Only this thread stops.
//
// Threads    all calls from the thread that called Stop (ptrace)
// Blocking   each function as long as it says
// Errors     one sentence; the thread is given back by the destructor in any case
#pragma once

#include <stdint.h>
#include <sys/user.h>

#include <string>
#include <vector>

#include "base/status.h"

namespace rtl::inject {

class BorrowedThread {
 public:
  BorrowedThread() = default;
  BorrowedThread(const BorrowedThread&) = delete;
  BorrowedThread& operator=(const BorrowedThread&) = delete;
  ~BorrowedThread() { GiveBack(); }

  // Stops it. Waits at most `limit_ns`.
  Status Stop(uint32_t process, uint32_t thread, uint64_t limit_ns);
  uint32_t thread() const { return thread_; }
  // As they were when it stopped.
  const user_regs_struct& registers() const { return saved_; }

  // Runs a system call there, by the `syscall` instruction at this address. `answer`: as the kernel
  // gives it, an error is negative.
  Status Call(uint64_t instruction, long number, const std::vector<uint64_t>& arguments,
              int64_t* answer);
  // Continues at `code`, with this stack pointer and this value in rbx.
  Status Run(uint64_t code, uint64_t stack, uint64_t rbx);
  // Stops it again.
  Status Interrupt(uint64_t limit_ns);
  Status Where(uint64_t* code) const;

  // Everything is as before, and it runs.
  void GiveBack();

 private:
  enum class How : uint8_t { kTrap, kCall, kSignal, kOther, kGone, kTimeout };
  How Wait(uint64_t limit_ns, int* signal) const;
  Status Borrow();

  uint32_t process_ = 0;
  uint32_t thread_ = 0;  // zero: none
  bool stopped_ = false;
  bool trapped_ = false;  // and by PTRACE_INTERRUPT
  bool changed_ = false;
  int signal_ = 0;  // to be delivered
  user_regs_struct saved_ = {};
  std::vector<uint8_t> vectors_;  // the processor's other state
  uint64_t mask_ = 0;
};

// Memory of the process.
bool ReadMemory(uint32_t process, uint64_t address, void* out, size_t bytes);
bool WriteMemory(uint32_t process, uint64_t address, const void* from, size_t bytes);
// Also where the process itself may not write.
bool WriteCode(uint32_t process, uint64_t address, const void* from, size_t bytes);

}  // namespace rtl::inject
