// SPDX-License-Identifier: MIT
// borrowed_thread.h: stops a thread of another process, makes it run a little code, and lets it
// continue as if nothing had happened: registers, signal mask and an interrupted system call are
// restored. Only this thread stops.
//
// Threads    all calls from the thread that called Stop (ptrace)
// Blocking   each function up to its limit
// Errors     one sentence; in any case the destructor gives the thread back
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

  // Stops the thread. Waits at most `limit_ns`.
  Status Stop(uint32_t process, uint32_t thread, uint64_t limit_ns);
  uint32_t thread() const { return thread_; }
  // The registers at the time of the stop.
  const user_regs_struct& registers() const { return saved_; }

  // Makes the thread run a system call, by the `syscall` instruction at this address. *answer: the
  // kernel's result; errors are negative.
  Status Call(uint64_t instruction, long number, const std::vector<uint64_t>& arguments,
              int64_t* answer);
  // Makes the thread continue at `code`, with this stack pointer and this value in rbx.
  Status Run(uint64_t code, uint64_t stack, uint64_t rbx);
  // Stops the thread again. Waits at most `limit_ns`.
  Status Interrupt(uint64_t limit_ns);
  Status Where(uint64_t* code) const;

  // Restores the thread's state and lets it run.
  void GiveBack();

 private:
  enum class How : uint8_t { kTrap, kCall, kSignal, kOther, kGone, kTimeout };
  How Wait(uint64_t limit_ns, int* signal) const;
  Status Borrow();
  Status GetRegisters(user_regs_struct* out) const;

  uint32_t process_ = 0;
  uint32_t thread_ = 0;  // zero: no thread is borrowed
  bool stopped_ = false;
  bool trapped_ = false;  // stopped by PTRACE_INTERRUPT
  bool changed_ = false;
  int signal_ = 0;  // a signal that GiveBack delivers; zero: none
  user_regs_struct saved_ = {};
  std::vector<uint8_t> vectors_;  // the processor's other registers
  uint64_t mask_ = 0;
};

// Access to memory of the process.
bool ReadMemory(uint32_t process, uint64_t address, void* out, size_t bytes);
bool WriteMemory(uint32_t process, uint64_t address, const void* from, size_t bytes);
// Writes also where the process itself may not write.
bool WriteCode(uint32_t process, uint64_t address, const void* from, size_t bytes);

}  // namespace rtl::inject
