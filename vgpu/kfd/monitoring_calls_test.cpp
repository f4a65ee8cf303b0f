// SPDX-License-Identifier: MIT
// The driver calls of monitoring programs, and those that debuggers need.
#include <gtest/gtest.h>
#include <linux/kfd_ioctl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "vgpu/kfd/ioctls.h"
#include "vgpu/queue/interrupts.h"

namespace vgpu {
namespace {

constexpr uint64_t kFaults = KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_VMFAULT);
constexpr uint64_t kThrottles = KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_THERMAL_THROTTLE);

class Monitor : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(GetDriver(), nullptr);
    kfd_ioctl_smi_events_args args{};
    args.gpuid = GpuIdOf(0);
    ASSERT_EQ(KfdIoctl(*GetDriver(), AMDKFD_IOC_SMI_EVENTS, &args), 0);
    fd_ = static_cast<int>(args.anon_fd);
  }
  void TearDown() override { close(fd_); }

  void Want(uint64_t mask) const { ASSERT_EQ(write(fd_, &mask, sizeof(mask)), 8); }

  // The text that can be read, or the error.
  std::string Read() const {
    char text[256];
    const ssize_t got = read(fd_, text, sizeof(text));
    return got < 0 ? strerrorname_np(errno) : std::string(text, static_cast<size_t>(got));
  }

  static void Fault() {
    ::testing::internal::CaptureStderr();
    RaiseMemoryFault(0, 0x1000, true);
    (void)::testing::internal::GetCapturedStderr();
  }
  static std::string FaultLine() {
    char line[KFD_SMI_EVENT_MSG_SIZE];
    std::snprintf(line, sizeof(line), "1 %x:%s\n", static_cast<unsigned>(getpid()),
                  program_invocation_short_name);
    return line;
  }

  int fd_ = -1;
};

TEST_F(Monitor, ReceivesPageFaultsOnceItWantsThem) {
  Fault();
  EXPECT_EQ(Read(), "EAGAIN");
  Want(kFaults);
  pollfd polled = {fd_, POLLIN, 0};
  EXPECT_EQ(poll(&polled, 1, 0), 0);
  Fault();
  EXPECT_EQ(poll(&polled, 1, 0), 1);
  EXPECT_EQ(Read(), FaultLine());
  EXPECT_EQ(Read(), "EAGAIN");
}

TEST_F(Monitor, TheLastMaskCounts) {
  Want(kFaults);
  Want(kThrottles);
  Fault();
  EXPECT_EQ(Read(), "EAGAIN");
  Want(kFaults | kThrottles);
  Fault();
  EXPECT_EQ(Read(), FaultLine());
}

TEST_F(Monitor, EachHasItsOwnMaskAndEvents) {
  kfd_ioctl_smi_events_args args{};
  args.gpuid = GpuIdOf(0);
  ASSERT_EQ(KfdIoctl(*GetDriver(), AMDKFD_IOC_SMI_EVENTS, &args), 0);
  Want(kFaults);
  Fault();
  char text[8];
  EXPECT_EQ(read(static_cast<int>(args.anon_fd), text, sizeof(text)), -1);
  EXPECT_EQ(close(static_cast<int>(args.anon_fd)), 0);
  Fault();
  EXPECT_EQ(Read(), FaultLine() + FaultLine());
}

TEST_F(Monitor, MayStopReadingAndMayEnd) {
  Want(kFaults);
  for (int i = 0; i < 20'000; ++i) GetDriver()->smi_events.Report(0, KFD_SMI_EVENT_VMFAULT, "x\n");
  EXPECT_EQ(Read().substr(0, 8), "1 x\n1 x\n");
  for (int i = 0; i < 2 * SmiEvents::kMaxPrograms; ++i) {
    const int fd = GetDriver()->smi_events.Open(0);
    ASSERT_GE(fd, 0);
    close(fd);
  }
}

TEST_F(Monitor, HasALimitedNumberOfDescriptors) {
  SmiEvents events;
  int fds[SmiEvents::kMaxPrograms];
  for (int& fd : fds) ASSERT_GE(fd = events.Open(0), 0);
  EXPECT_EQ(events.Open(0), -ENOMEM);
  for (const int fd : fds) close(fd);
  const int fd = events.Open(0);
  EXPECT_GE(fd, 0);
  close(fd);
  events.CloseFiles();
}

TEST_F(Monitor, NeedsAGpuThatExists) {
  kfd_ioctl_smi_events_args args{};
  args.gpuid = 1;
  EXPECT_EQ(KfdIoctl(*GetDriver(), AMDKFD_IOC_SMI_EVENTS, &args), -EINVAL);
}

TEST(RuntimeEnable, SucceedsOnceAndCanBeUndone) {
  ASSERT_NE(GetDriver(), nullptr);
  constexpr unsigned long kEnable = AMDKFD_IOWR(0x25, RuntimeEnableArgs);
  RuntimeEnableArgs on{0x1234, 1, 77};
  EXPECT_EQ(KfdIoctl(*GetDriver(), kEnable, &on), 0);
  EXPECT_EQ(on.capabilities_mask, 0u);
  EXPECT_EQ(KfdIoctl(*GetDriver(), kEnable, &on), -EBUSY);
  RuntimeEnableArgs off{};
  EXPECT_EQ(KfdIoctl(*GetDriver(), kEnable, &off), 0);
  EXPECT_EQ(KfdIoctl(*GetDriver(), kEnable, &on), 0);
  EXPECT_EQ(KfdIoctl(*GetDriver(), kEnable, &off), 0);
}

TEST(Debugger, IsRefusedByName) {
  ASSERT_NE(GetDriver(), nullptr);
  char argument[32] = {};
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(KfdIoctl(*GetDriver(), AMDKFD_IOWR(0x26, argument), argument), -EINVAL);
  const std::string line = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(line.find("driver call 0x26 (DBG_TRAP, 32 bytes) is not modelled"), std::string::npos);
}

}  // namespace
}  // namespace vgpu
