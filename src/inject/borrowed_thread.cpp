// SPDX-License-Identifier: MIT
#include "inject/borrowed_thread.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/clock.h"
#include "base/unique_fd.h"

namespace rtl::inject {
namespace {

// Long enough for a stop that is certain to come, even on a busy machine.
constexpr uint64_t kStepNs = 10'000'000'000;
constexpr size_t kVectorBytes = 16 * 1024;
constexpr uint64_t kNapNs = 20'000;
constexpr int64_t kInterrupted = -EINTR;

// All signals except those of faults, which the borrowed code could only cause itself.
uint64_t AllButFaults() {
  uint64_t mask = ~uint64_t{0};
  for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP})
    mask &= ~(uint64_t{1} << (fault - 1));
  return mask;
}

long Trace(int request, uint32_t thread, uintptr_t address, void* data) {
  return ptrace(static_cast<__ptrace_request>(request), static_cast<pid_t>(thread),
                reinterpret_cast<void*>(address), data);
}

// System calls that return EINTR after an interruption. The kernel repeats other calls.
bool IsNotRepeated(int64_t number) {
  switch (number) {
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
    case 441:  // epoll_pwait2
    case SYS_semop:
    case SYS_semtimedop:
    case SYS_rt_sigtimedwait:
    case SYS_io_getevents:
    case 333:  // io_pgetevents
    case 426:  // io_uring_enter
    case SYS_msgrcv:
    case SYS_msgsnd:
    case SYS_read:  // of inotify and similar files
    case SYS_readv:
    case SYS_write:  // this call and the next ones: if the socket has a time limit
    case SYS_writev:
    case SYS_connect:
    case SYS_accept:
    case SYS_accept4:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendmmsg:
      return true;
    default:
      return false;
  }
}

// Whether the program has a pending signal, which is its own reason for an interrupted call.
bool HasSignal(uint32_t process, uint32_t thread) {
  std::ifstream status("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) +
                       "/status");
  uint64_t pending = 0, blocked = 0;
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigPnd:") || line.starts_with("ShdPnd:"))
      pending |= strtoull(line.c_str() + 7, nullptr, 16);
    if (line.starts_with("SigBlk:")) blocked = strtoull(line.c_str() + 7, nullptr, 16);
  }
  return (pending & ~blocked) != 0;
}

}  // namespace

bool ReadMemory(uint32_t process, uint64_t address, void* out, size_t bytes) {
  const iovec mine = {out, bytes};
  const iovec theirs = {reinterpret_cast<void*>(address), bytes};
  return process_vm_readv(static_cast<pid_t>(process), &mine, 1, &theirs, 1, 0) ==
         static_cast<ssize_t>(bytes);
}

bool WriteMemory(uint32_t process, uint64_t address, const void* from, size_t bytes) {
  const iovec mine = {const_cast<void*>(from), bytes};
  const iovec theirs = {reinterpret_cast<void*>(address), bytes};
  return process_vm_writev(static_cast<pid_t>(process), &mine, 1, &theirs, 1, 0) ==
         static_cast<ssize_t>(bytes);
}

bool WriteCode(uint32_t process, uint64_t address, const void* from, size_t bytes) {
  const std::string path = "/proc/" + std::to_string(process) + "/mem";
  const UniqueFd memory(open(path.c_str(), O_RDWR | O_CLOEXEC));
  return memory.valid() && pwrite(memory.get(), from, bytes, static_cast<off_t>(address)) ==
                               static_cast<ssize_t>(bytes);
}

BorrowedThread::How BorrowedThread::Wait(uint64_t limit_ns, int* signal) const {
  const uint64_t start = BootTimeNs();
  for (;;) {
    int status = 0;
    const pid_t done = waitpid(static_cast<pid_t>(thread_), &status, __WALL | WNOHANG);
    if (done < 0 && errno != EINTR) return How::kGone;
    if (done > 0) {
      if (!WIFSTOPPED(status)) return How::kGone;
      *signal = WSTOPSIG(status);
      if (status >> 16 == PTRACE_EVENT_STOP) return *signal == SIGTRAP ? How::kTrap : How::kOther;
      if (*signal == (SIGTRAP | 0x80)) return How::kCall;
      return How::kSignal;
    }
    if (BootTimeNs() - start > limit_ns) return How::kTimeout;
    Nap(kNapNs);
  }
}

Status BorrowedThread::Stop(uint32_t process, uint32_t thread, uint64_t limit_ns) {
  process_ = process;
  if (Trace(PTRACE_SEIZE, thread, 0, reinterpret_cast<void*>(uintptr_t{PTRACE_O_TRACESYSGOOD})) < 0)
    return Status::ErrnoError(errno, "its thread %u cannot be stopped", thread);
  thread_ = thread;
  return Interrupt(limit_ns);
}

Status BorrowedThread::Interrupt(uint64_t limit_ns) {
  if (Trace(PTRACE_INTERRUPT, thread_, 0, nullptr) < 0)
    return Status::ErrnoError(errno, "its thread %u cannot be stopped", thread_);
  if (stopped_) (void)Trace(PTRACE_CONT, thread_, 0, nullptr);  // leaves a stop of another kind
  stopped_ = trapped_ = false;
  for (;;) {
    int signal = 0;
    const How how = Wait(limit_ns, &signal);
    if (how == How::kGone) {
      const uint32_t ended = thread_;
      thread_ = 0;
      return Status::Error("its thread %u has ended", ended);
    }
    if (how == How::kTimeout) return Status::Error("its thread %u does not stop", thread_);
    stopped_ = true;
    trapped_ = how == How::kTrap;
    if (trapped_) break;
    if (how == How::kOther) return Status::Error("it is stopped by a signal");
    if (how == How::kSignal && !changed_) {
      signal_ = signal;  // the program's own signal, which GiveBack delivers
      return Status::Error("its thread %u gets a signal", thread_);
    }
    if (how == How::kSignal) return Status::Error("the code there fails with signal %d", signal);
    stopped_ = trapped_ = false;
    (void)Trace(PTRACE_CONT, thread_, 0, nullptr);
  }
  return changed_ ? Status::Ok() : Borrow();
}

Status BorrowedThread::GetRegisters(user_regs_struct* out) const {
  if (Trace(PTRACE_GETREGS, thread_, 0, out) >= 0) return Status::Ok();
  return Status::ErrnoError(errno, "the registers of its thread %u cannot be read", thread_);
}

Status BorrowedThread::Borrow() {
  RTL_TRY(GetRegisters(&saved_));
  constexpr uint64_t kLongMode = 0x33;
  if (saved_.cs != kLongMode) return Status::Error("its thread %u runs 32-bit code", thread_);
  vectors_.resize(kVectorBytes);
  iovec room = {vectors_.data(), vectors_.size()};
  if (Trace(PTRACE_GETREGSET, thread_, NT_X86_XSTATE, &room) < 0)
    return Status::ErrnoError(errno, "the registers of its thread %u cannot be read", thread_);
  vectors_.resize(room.iov_len);
  if (Trace(PTRACE_GETSIGMASK, thread_, sizeof mask_, &mask_) < 0)
    return Status::ErrnoError(errno, "the signals of its thread %u cannot be read", thread_);
  return Status::Ok();
}

Status BorrowedThread::Call(uint64_t instruction, long number,
                            const std::vector<uint64_t>& arguments, int64_t* answer) {
  uint64_t mask = AllButFaults();
  user_regs_struct registers = saved_;
  unsigned long long* const places[] = {&registers.rdi, &registers.rsi, &registers.rdx,
                                        &registers.r10, &registers.r8,  &registers.r9};
  for (size_t i = 0; i < arguments.size() && i < 6; ++i) *places[i] = arguments[i];
  registers.rax = static_cast<uint64_t>(number);
  registers.orig_rax = ~uint64_t{0};
  registers.rip = instruction;
  changed_ = true;
  if (Trace(PTRACE_SETSIGMASK, thread_, sizeof mask, &mask) < 0 ||
      Trace(PTRACE_SETREGS, thread_, 0, &registers) < 0)
    return Status::ErrnoError(errno, "the registers of its thread %u cannot be set", thread_);
  for (int stop = 0; stop < 2; ++stop) {
    if (Trace(PTRACE_SYSCALL, thread_, 0, nullptr) < 0)
      return Status::ErrnoError(errno, "its thread %u does not continue", thread_);
    stopped_ = trapped_ = false;
    int signal = 0;
    const How how = Wait(kStepNs, &signal);
    if (how == How::kGone) thread_ = 0;
    if (how == How::kTimeout || how == How::kGone)
      return Status::Error("it does not return from a system call");
    stopped_ = true;
    if (how != How::kCall) return Status::Error("it was stopped by a signal meanwhile");
  }
  RTL_TRY(GetRegisters(&registers));
  *answer = static_cast<int64_t>(registers.rax);
  return Status::Ok();
}

Status BorrowedThread::Run(uint64_t code, uint64_t stack, uint64_t rbx) {
  user_regs_struct registers = saved_;
  constexpr uint64_t kDirection = 0x400, kTrapFlag = 0x100;
  registers.eflags &= ~(kDirection | kTrapFlag);
  registers.orig_rax = ~uint64_t{0};
  registers.rip = code;
  registers.rsp = stack;
  registers.rbx = rbx;
  changed_ = true;
  if (Trace(PTRACE_SETREGS, thread_, 0, &registers) < 0 ||
      Trace(PTRACE_CONT, thread_, 0, nullptr) < 0)
    return Status::ErrnoError(errno, "its thread %u does not continue", thread_);
  stopped_ = trapped_ = false;
  return Status::Ok();
}

Status BorrowedThread::Where(uint64_t* code) const {
  user_regs_struct registers;
  RTL_TRY(GetRegisters(&registers));
  *code = registers.rip;
  return Status::Ok();
}

void BorrowedThread::GiveBack() {
  if (thread_ == 0) return;
  // On a busy machine the thread may stop after the limit. Its system call is then interrupted,
  // too.
  if (!stopped_ && !changed_) {
    int signal = 0;
    const How how = Wait(kStepNs, &signal);
    stopped_ = how != How::kGone && how != How::kTimeout;
    if (how == How::kSignal) signal_ = signal;
    if (how != How::kTrap || !Borrow().ok()) saved_.orig_rax = ~uint64_t{0};
  }
  // The kernel repeats an interrupted system call only after a stop by PTRACE_INTERRUPT.
  if (changed_ && !trapped_ && !Interrupt(kStepNs).ok() && !stopped_) return;
  if (thread_ == 0) return;
  user_regs_struct registers = saved_;
  if (IsNotRepeated(static_cast<int64_t>(registers.orig_rax)) &&
      static_cast<int64_t>(registers.rax) == kInterrupted && !HasSignal(process_, thread_)) {
    constexpr uint64_t kInstructionBytes = 2;
    registers.rip -= kInstructionBytes;
    registers.rax = registers.orig_rax;
    registers.orig_rax = ~uint64_t{0};
    if (!changed_) (void)Trace(PTRACE_SETREGS, thread_, 0, &registers);
  }
  if (changed_) {
    iovec vectors = {vectors_.data(), vectors_.size()};
    (void)Trace(PTRACE_SETREGSET, thread_, NT_X86_XSTATE, &vectors);
    (void)Trace(PTRACE_SETREGS, thread_, 0, &registers);
    (void)Trace(PTRACE_SETSIGMASK, thread_, sizeof mask_, &mask_);
  }
  // Delivers the signal that stopped the thread, if there was one.
  (void)Trace(PTRACE_DETACH, thread_, 0, reinterpret_cast<void*>(intptr_t{signal_}));
  thread_ = 0;
}

}  // namespace rtl::inject
