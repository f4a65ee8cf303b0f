// SPDX-License-Identifier: MIT
// Synchronisation objects through the calls of a render node.
#include <drm/amdgpu_drm.h>
#include <drm/drm.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <thread>
#include <vector>

#include "vgpu/kfd/driver.h"
#include "vgpu/kfd/ioctls.h"
#include "vgpu/kfd/sync_objects.h"

namespace vgpu {
namespace {

constexpr uint32_t kAll = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
constexpr uint32_t kForSubmit = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;

int64_t InNs(int64_t ns) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec + ns;
}
constexpr int64_t kMinute = 60'000'000'000;

class SyncCalls : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(GetDriver(), nullptr); }

  static uint32_t New(uint32_t flags = 0) {
    drm_syncobj_create args{0, flags};
    EXPECT_EQ(DrmIoctl(0, DRM_IOCTL_SYNCOBJ_CREATE, &args), 0);
    return args.handle;
  }
  static int Destroy(uint32_t handle) {
    drm_syncobj_destroy args{handle, 0};
    return DrmIoctl(0, DRM_IOCTL_SYNCOBJ_DESTROY, &args);
  }
  static int Signal(uint32_t handle) {
    drm_syncobj_array args{reinterpret_cast<uint64_t>(&handle), 1, 0};
    return DrmIoctl(0, DRM_IOCTL_SYNCOBJ_SIGNAL, &args);
  }
  static int Reset(uint32_t handle) {
    drm_syncobj_array args{reinterpret_cast<uint64_t>(&handle), 1, 0};
    return DrmIoctl(0, DRM_IOCTL_SYNCOBJ_RESET, &args);
  }
  static int SignalPoint(uint32_t handle, uint64_t point) {
    drm_syncobj_timeline_array args{reinterpret_cast<uint64_t>(&handle),
                                    reinterpret_cast<uint64_t>(&point), 1, 0};
    return DrmIoctl(0, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &args);
  }
  static uint64_t PointOf(uint32_t handle) {
    uint64_t point = ~0ull;
    drm_syncobj_timeline_array args{reinterpret_cast<uint64_t>(&handle),
                                    reinterpret_cast<uint64_t>(&point), 1, 0};
    EXPECT_EQ(DrmIoctl(0, DRM_IOCTL_SYNCOBJ_QUERY, &args), 0);
    return point;
  }
  static int Wait(std::vector<uint32_t> handles, uint32_t flags, int64_t deadline = 0,
                  uint32_t* first = nullptr) {
    drm_syncobj_wait args{};
    args.handles = reinterpret_cast<uint64_t>(handles.data());
    args.count_handles = static_cast<uint32_t>(handles.size());
    args.timeout_nsec = deadline;
    args.flags = flags;
    const int result = DrmIoctl(0, DRM_IOCTL_SYNCOBJ_WAIT, &args);
    if (first != nullptr) *first = args.first_signaled;
    return result;
  }
  static int WaitPoint(uint32_t handle, uint64_t point, uint32_t flags, int64_t deadline = 0) {
    drm_syncobj_timeline_wait args{};
    args.handles = reinterpret_cast<uint64_t>(&handle);
    args.points = reinterpret_cast<uint64_t>(&point);
    args.count_handles = 1;
    args.timeout_nsec = deadline;
    args.flags = flags;
    return DrmIoctl(0, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &args);
  }
  static int ToFd(uint32_t handle, uint32_t flags = 0) {
    drm_syncobj_handle args{handle, flags, -1, 0};
    const int error = DrmIoctl(0, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &args);
    return error != 0 ? error : args.fd;
  }
};

TEST_F(SyncCalls, SayThatTheyAreThere) {
  for (const uint64_t capability : {DRM_CAP_SYNCOBJ, DRM_CAP_SYNCOBJ_TIMELINE}) {
    drm_get_cap args{capability, 0};
    EXPECT_EQ(DrmIoctl(0, DRM_IOCTL_GET_CAP, &args), 0);
    EXPECT_EQ(args.value, 1u);
  }
}

TEST_F(SyncCalls, HoldAFenceOrNone) {
  const uint32_t object = New();
  EXPECT_EQ(Wait({object}, 0), -EINVAL);
  EXPECT_EQ(Wait({object}, kForSubmit), -ETIME);
  ASSERT_EQ(Signal(object), 0);
  EXPECT_EQ(Wait({object}, 0), 0);
  EXPECT_EQ(PointOf(object), 0u);
  ASSERT_EQ(Reset(object), 0);
  EXPECT_EQ(Wait({object}, 0), -EINVAL);
  const uint32_t signalled = New(DRM_SYNCOBJ_CREATE_SIGNALED);
  EXPECT_EQ(Wait({signalled}, 0), 0);
  EXPECT_EQ(Destroy(object), 0);
  EXPECT_EQ(Destroy(object), -EINVAL);
  EXPECT_EQ(Signal(object), -ENOENT);
  EXPECT_EQ(Wait({signalled, object}, 0), -ENOENT);
  EXPECT_EQ(Destroy(signalled), 0);
}

TEST_F(SyncCalls, WaitForOneOrForAll) {
  const uint32_t a = New();
  const uint32_t b = New(DRM_SYNCOBJ_CREATE_SIGNALED);
  uint32_t first = 77;
  EXPECT_EQ(Wait({a, b}, kForSubmit, 0, &first), 0);
  EXPECT_EQ(first, 1u);
  EXPECT_EQ(Wait({a, b}, kAll | kForSubmit, InNs(1'000'000)), -ETIME);
  std::thread other([a] { EXPECT_EQ(Signal(a), 0); });
  EXPECT_EQ(Wait({a, b}, kAll | kForSubmit, InNs(kMinute)), 0);
  other.join();
  EXPECT_EQ(Wait({}, 0), 0);
  EXPECT_EQ(Destroy(a), 0);
  EXPECT_EQ(Destroy(b), 0);
}

TEST_F(SyncCalls, CountPointsOfATimeline) {
  const uint32_t timeline = New();
  EXPECT_EQ(PointOf(timeline), 0u);
  EXPECT_EQ(WaitPoint(timeline, 3, 0), -EINVAL);
  ASSERT_EQ(SignalPoint(timeline, 3), 0);
  EXPECT_EQ(WaitPoint(timeline, 3, 0), 0);
  EXPECT_EQ(WaitPoint(timeline, 4, 0), -EINVAL);
  EXPECT_EQ(WaitPoint(timeline, 4, kForSubmit, InNs(1'000'000)), -ETIME);
  ASSERT_EQ(SignalPoint(timeline, 2), 0);
  EXPECT_EQ(PointOf(timeline), 3u);
  std::thread other([timeline] { EXPECT_EQ(SignalPoint(timeline, 9), 0); });
  EXPECT_EQ(WaitPoint(timeline, 8, kForSubmit, InNs(kMinute)), 0);
  other.join();
  EXPECT_EQ(PointOf(timeline), 9u);
  EXPECT_EQ(Destroy(timeline), 0);
}

TEST_F(SyncCalls, TransferAFence) {
  const uint32_t from = New();
  const uint32_t to = New();
  drm_syncobj_transfer args{};
  args.src_handle = from;
  args.dst_handle = to;
  args.dst_point = 5;
  EXPECT_EQ(DrmIoctl(0, DRM_IOCTL_SYNCOBJ_TRANSFER, &args), -EINVAL);
  ASSERT_EQ(Signal(from), 0);
  EXPECT_EQ(DrmIoctl(0, DRM_IOCTL_SYNCOBJ_TRANSFER, &args), 0);
  EXPECT_EQ(PointOf(to), 5u);
  EXPECT_EQ(Destroy(from), 0);
  EXPECT_EQ(Destroy(to), 0);
}

TEST_F(SyncCalls, ShareAnObjectWithAnotherProcess) {
  const uint32_t object = New();
  const int fd = ToFd(object);
  ASSERT_GE(fd, 0);
  const pid_t child = fork();
  if (child == 0) {
    drm_syncobj_handle args{0, 0, fd, 0};
    if (GetDriver() == nullptr) _exit(1);
    if (DrmIoctl(0, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &args) != 0) _exit(2);
    _exit(SignalPoint(args.handle, 4) == 0 ? 0 : 3);
  }
  EXPECT_EQ(WaitPoint(object, 4, kForSubmit, InNs(kMinute)), 0);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  drm_syncobj_handle wrong{0, 0, 0, 0};
  EXPECT_EQ(DrmIoctl(0, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &wrong), -EINVAL);
  close(fd);
  EXPECT_EQ(Destroy(object), 0);
}

TEST_F(SyncCalls, PassAFenceOn) {
  const uint32_t from = New();
  const uint32_t to = New();
  EXPECT_EQ(ToFd(from, DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE), -EINVAL);
  ASSERT_EQ(Signal(from), 0);
  const int fd = ToFd(from, DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE);
  ASSERT_GE(fd, 0);
  pollfd ready{fd, POLLIN, 0};
  EXPECT_EQ(poll(&ready, 1, 0), 1);
  drm_syncobj_handle args{to, DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE, fd, 0};
  EXPECT_EQ(DrmIoctl(0, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &args), 0);
  EXPECT_EQ(Wait({to}, 0), 0);
  close(fd);
  EXPECT_EQ(Destroy(from), 0);
  EXPECT_EQ(Destroy(to), 0);
}

TEST_F(SyncCalls, WriteAnEventfdAtAPoint) {
  struct {
    uint32_t handle, flags;
    uint64_t point;
    int32_t fd;
    uint32_t pad;
  } args{New(), 0, 2, eventfd(0, EFD_CLOEXEC), 0};
  const unsigned long request = _IOWR('d', 0xcf, decltype(args));
  ASSERT_EQ(DrmIoctl(0, request, &args), 0);
  pollfd ready{args.fd, POLLIN, 0};
  EXPECT_EQ(poll(&ready, 1, 0), 0);
  ASSERT_EQ(SignalPoint(args.handle, 2), 0);
  EXPECT_EQ(poll(&ready, 1, 60'000), 1);
  uint64_t count = 0;
  EXPECT_EQ(read(args.fd, &count, sizeof(count)), 8);
  ASSERT_EQ(DrmIoctl(0, request, &args), 0);  // reached already
  EXPECT_EQ(poll(&ready, 1, 0), 1);
  close(args.fd);
  EXPECT_EQ(Destroy(args.handle), 0);
}

}  // namespace
}  // namespace vgpu
