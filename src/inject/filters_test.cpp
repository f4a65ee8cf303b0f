// SPDX-License-Identifier: MIT
#include "inject/filters.h"

#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

namespace rtl::inject {
namespace {

constexpr sock_filter kLoadNumber = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
constexpr sock_filter kLoadMachine =
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
constexpr sock_filter kAllow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
constexpr sock_filter kKill = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);

TEST(Filters, FollowsJumpsOverTheNumberOfTheCall) {
  const std::vector<sock_filter> program = {
      kLoadNumber, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1), kKill, kAllow};
  EXPECT_EQ(RunFilter(program, SYS_openat), SECCOMP_RET_KILL_PROCESS);
  EXPECT_EQ(RunFilter(program, SYS_mmap), SECCOMP_RET_ALLOW);
}

TEST(Filters, KnowsThisMachine) {
  constexpr uint32_t kX86_64 = 0xc000003e;
  const std::vector<sock_filter> program = {
      kLoadMachine, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kX86_64, 1, 0), kKill, kAllow};
  EXPECT_EQ(RunFilter(program, SYS_mmap), SECCOMP_RET_ALLOW);
}

TEST(Filters, ComputesAndRemembers) {
  const std::vector<sock_filter> program = {kLoadNumber,
                                            BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, 1),
                                            BPF_STMT(BPF_ST, 3),
                                            BPF_STMT(BPF_LD | BPF_IMM, 0),
                                            BPF_STMT(BPF_LDX | BPF_MEM, 3),
                                            BPF_STMT(BPF_MISC | BPF_TXA, 0),
                                            BPF_STMT(BPF_RET | BPF_A, 0)};
  EXPECT_EQ(RunFilter(program, 41), 42u);
}

TEST(Filters, TakesWhatItCannotFollowForAFilterThatKills) {
  EXPECT_EQ(RunFilter({}, SYS_mmap), SECCOMP_RET_KILL_PROCESS);
  EXPECT_EQ(RunFilter({kLoadNumber}, SYS_mmap), SECCOMP_RET_KILL_PROCESS);
  EXPECT_EQ(RunFilter({BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 4096), kAllow}, SYS_mmap),
            SECCOMP_RET_KILL_PROCESS);
  EXPECT_EQ(RunFilter({BPF_STMT(BPF_ALU | BPF_DIV | BPF_K, 0), kAllow}, SYS_mmap),
            SECCOMP_RET_KILL_PROCESS);
  EXPECT_EQ(RunFilter({BPF_STMT(BPF_JMP | BPF_JA, 1000), kAllow}, SYS_mmap),
            SECCOMP_RET_KILL_PROCESS);
}

}  // namespace
}  // namespace rtl::inject
