// SPDX-License-Identifier: MIT
#include "inject/filters.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#ifndef PTRACE_SECCOMP_GET_FILTER
#define PTRACE_SECCOMP_GET_FILTER 0x420c
#endif

namespace rtl::inject {
namespace {

struct Call {
  int number;
  const char* name;
};
#define CALL(name) \
  { SYS_##name, #name }
// System calls of the C library while it loads libraries and makes threads, and those of the
// tracer.
constexpr Call kCalls[] = {CALL(mmap),
                           CALL(munmap),
                           CALL(mprotect),
                           CALL(madvise),
                           CALL(clone),
                           CALL(futex),
                           CALL(openat),
                           CALL(read),
                           CALL(pread64),
                           CALL(write),
                           CALL(close),
                           CALL(lseek),
                           CALL(newfstatat),
                           CALL(fstat),
                           CALL(access),
                           CALL(readlink),
                           CALL(getdents64),
                           CALL(ftruncate),
                           CALL(fallocate),
                           CALL(fcntl),
                           CALL(unlink),
                           CALL(gettid),
                           CALL(getpid),
                           CALL(geteuid),
                           CALL(clock_gettime),
                           CALL(clock_nanosleep),
                           CALL(rt_sigprocmask),
                           CALL(rt_sigaction),
                           CALL(set_robust_list),
                           CALL(prctl),
                           CALL(sched_yield),
                           CALL(membarrier),
                           CALL(exit),
                           CALL(uname)};
#undef CALL

uint32_t Load(const seccomp_data& data, uint32_t offset, bool* good) {
  uint32_t word = 0;
  *good = offset <= sizeof data - sizeof word && offset % sizeof word == 0;
  if (*good) memcpy(&word, reinterpret_cast<const char*>(&data) + offset, sizeof word);
  return word;
}

}  // namespace

uint32_t RunFilter(const std::vector<sock_filter>& program, int call) {
  constexpr uint32_t kUnknown = SECCOMP_RET_KILL_PROCESS;
  seccomp_data data = {};
  data.nr = call;
  data.arch = AUDIT_ARCH_X86_64;
  uint32_t a = 0, x = 0, memory[BPF_MEMWORDS] = {};
  for (size_t at = 0; at < program.size(); ++at) {
    const sock_filter& step = program[at];
    const uint32_t k = step.k;
    const uint32_t value = BPF_SRC(step.code) == BPF_X ? x : k;
    bool good = true;
    switch (BPF_CLASS(step.code)) {
      case BPF_LD:
      case BPF_LDX: {
        uint32_t& to = BPF_CLASS(step.code) == BPF_LD ? a : x;
        if (BPF_MODE(step.code) == BPF_ABS) {
          to = Load(data, k, &good);
        } else if (BPF_MODE(step.code) == BPF_IMM) {
          to = k;
        } else if (BPF_MODE(step.code) == BPF_LEN) {
          to = sizeof data;
        } else if (BPF_MODE(step.code) == BPF_MEM && k < BPF_MEMWORDS) {
          to = memory[k];
        } else {
          good = false;
        }
        break;
      }
      case BPF_ST:
      case BPF_STX:
        good = k < BPF_MEMWORDS;
        if (good) memory[k] = BPF_CLASS(step.code) == BPF_ST ? a : x;
        break;
      case BPF_ALU:
        switch (BPF_OP(step.code)) {
          case BPF_ADD:
            a += value;
            break;
          case BPF_SUB:
            a -= value;
            break;
          case BPF_MUL:
            a *= value;
            break;
          case BPF_DIV:
            good = value != 0;
            if (good) a /= value;
            break;
          case BPF_AND:
            a &= value;
            break;
          case BPF_OR:
            a |= value;
            break;
          case BPF_XOR:
            a ^= value;
            break;
          case BPF_LSH:
            a = value < 32 ? a << value : 0;
            break;
          case BPF_RSH:
            a = value < 32 ? a >> value : 0;
            break;
          case BPF_NEG:
            a = 0 - a;
            break;
          default:
            good = false;
        }
        break;
      case BPF_JMP: {
        bool taken = false;
        switch (BPF_OP(step.code)) {
          case BPF_JA:
            at += k;
            continue;
          case BPF_JEQ:
            taken = a == value;
            break;
          case BPF_JGT:
            taken = a > value;
            break;
          case BPF_JGE:
            taken = a >= value;
            break;
          case BPF_JSET:
            taken = (a & value) != 0;
            break;
          default:
            good = false;
        }
        at += taken ? step.jt : step.jf;
        break;
      }
      case BPF_RET:
        return BPF_RVAL(step.code) == BPF_A ? a : k;
      case BPF_MISC:
        if (BPF_MISCOP(step.code) == BPF_TAX) {
          x = a;
        } else {
          a = x;
        }
        break;
    }
    if (!good) return kUnknown;
  }
  return kUnknown;
}

Status CheckFilters(int thread) {
  constexpr long kMostFilters = 64;
  for (long index = 0; index < kMostFilters; ++index) {
    const long count = ptrace(static_cast<__ptrace_request>(PTRACE_SECCOMP_GET_FILTER), thread,
                              reinterpret_cast<void*>(index), nullptr);
    if (count < 0 && errno == ENOENT) return Status::Ok();
    if (count < 0) {
      return Status::Error(
          "it has a seccomp filter, which only a process with CAP_SYS_ADMIN can read; grant that, "
          "or start the program with RTL_ATTACH=1 and the tracer");
    }
    std::vector<sock_filter> program(static_cast<size_t>(count));
    if (ptrace(static_cast<__ptrace_request>(PTRACE_SECCOMP_GET_FILTER), thread,
               reinterpret_cast<void*>(index), program.data()) < 0)
      return Status::ErrnoError(errno, "its seccomp filter cannot be read");
    for (const Call& call : kCalls) {
      const uint32_t action = RunFilter(program, call.number) & SECCOMP_RET_ACTION_FULL;
      if (action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG) continue;
      return Status::Error(
          "its seccomp filter does not allow the system call %s, which the tracer needs there; "
          "allow it, or start the program with RTL_ATTACH=1 and the tracer",
          call.name);
    }
  }
  return Status::Error("it has more seccomp filters than can be checked");
}

}  // namespace rtl::inject
