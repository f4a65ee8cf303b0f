// SPDX-License-Identifier: MIT
// sync_calls.cpp: the calls of a render node about synchronisation objects.
#include <asm/ioctl.h>
#include <drm/drm.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "vgpu/kfd/sync_objects.h"
#include "vgpu/queue/device_thread.h"

namespace vgpu {
namespace {

// Own structs of arguments, because the headers that this must build with lack some fields and
// calls.
struct HandleArgs {
  uint32_t handle;
  uint32_t flags;
  int32_t fd;
  uint32_t pad;
  uint64_t point;
};
constexpr uint32_t kFenceFlag = 1;     // the descriptor is one of a fence, not of an object
constexpr uint32_t kTimelineFlag = 2;  // `point` is a point of a timeline

struct EventfdArgs {
  uint32_t handle;
  uint32_t flags;
  uint64_t point;
  int32_t fd;
  uint32_t pad;
};
constexpr unsigned kEventfdCall = 0xcf;

std::span<const uint32_t> Handles(uint64_t address, uint32_t count) {
  return {reinterpret_cast<const uint32_t*>(address), address == 0 ? 0 : count};
}

// Finds the objects of all handles. -ENOENT when a handle is unknown.
int FindAll(const SyncObjects& objects, uint64_t address, uint32_t count,
            std::vector<std::shared_ptr<SyncObject>>* out) {
  if (count == 0) return -EINVAL;
  if (address == 0) return -EFAULT;
  for (const uint32_t handle : Handles(address, count)) {
    out->push_back(objects.Find(handle));
    if (out->back() == nullptr) return -ENOENT;
  }
  return 0;
}

int Create(SyncObjects& objects, drm_syncobj_create& args) {
  if ((args.flags & ~DRM_SYNCOBJ_CREATE_SIGNALED) != 0) return -EINVAL;
  return objects.Create(args.flags != 0, &args.handle);
}

int HandleToFd(const SyncObjects& objects, HandleArgs& args) {
  if (args.pad != 0 || (args.flags & ~(kFenceFlag | kTimelineFlag)) != 0) return -EINVAL;
  const int fd = (args.flags & kFenceFlag) != 0 ? objects.ExportFence(args.handle)
                                                : objects.Export(args.handle);
  if (fd < 0) return fd;
  args.fd = fd;
  return 0;
}

int FdToHandle(SyncObjects& objects, HandleArgs& args) {
  if (args.pad != 0 || (args.flags & ~(kFenceFlag | kTimelineFlag)) != 0) return -EINVAL;
  if ((args.flags & kFenceFlag) == 0) return objects.Import(args.fd, &args.handle);
  const uint64_t point = (args.flags & kTimelineFlag) != 0 ? args.point : 0;
  return objects.ImportFence(args.fd, args.handle, point);
}

int Wait(const SyncObjects& objects, drm_syncobj_wait& args) {
  if (args.count_handles == 0) return 0;
  if (args.handles == 0) return -EFAULT;
  return objects.Wait({Handles(args.handles, args.count_handles), nullptr, args.timeout_nsec,
                       args.flags & ~uint32_t{DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE}},
                      &args.first_signaled);
}

int TimelineWait(const SyncObjects& objects, drm_syncobj_timeline_wait& args) {
  if (args.count_handles == 0) return 0;
  if (args.handles == 0 || args.points == 0) return -EFAULT;
  return objects.Wait(
      {Handles(args.handles, args.count_handles), reinterpret_cast<const uint64_t*>(args.points),
       args.timeout_nsec, args.flags},
      &args.first_signaled);
}

int ForEach(const SyncObjects& objects, const drm_syncobj_array& args,
            void (SyncObject::*change)()) {
  std::vector<std::shared_ptr<SyncObject>> found;
  const int error = FindAll(objects, args.handles, args.count_handles, &found);
  if (error != 0) return error;
  for (const auto& object : found) (*object.*change)();
  return 0;
}

int SignalPoints(const SyncObjects& objects, const drm_syncobj_timeline_array& args) {
  std::vector<std::shared_ptr<SyncObject>> found;
  int error = FindAll(objects, args.handles, args.count_handles, &found);
  if (error == 0 && args.flags != 0) error = -EINVAL;
  if (error != 0) return error;
  const auto* points = reinterpret_cast<const uint64_t*>(args.points);
  for (size_t i = 0; i < found.size(); ++i) {
    found[i]->SignalPoint(points == nullptr ? 0 : points[i]);
  }
  return 0;
}

int Query(const SyncObjects& objects, const drm_syncobj_timeline_array& args) {
  std::vector<std::shared_ptr<SyncObject>> found;
  const int error = FindAll(objects, args.handles, args.count_handles, &found);
  if (error != 0) return error;
  if (args.points == 0) return -EFAULT;
  auto* points = reinterpret_cast<uint64_t*>(args.points);
  for (size_t i = 0; i < found.size(); ++i) points[i] = found[i]->Point();
  return 0;
}

// Gives the fence of one object to another. If the flags say so, waits until that fence exists.
int Transfer(const SyncObjects& objects, const drm_syncobj_transfer& args) {
  const auto to = objects.Find(args.dst_handle);
  if (to == nullptr) return -ENOENT;
  constexpr int64_t kNoLimit = INT64_MAX;
  uint32_t first = 0;
  const uint64_t point = args.src_point;
  const SyncWait wait{{&args.src_handle, 1}, &point, kNoLimit, args.flags};
  if (const int error = objects.Wait(wait, &first); error != 0) return error;
  to->SignalAt(args.dst_point);
  return 0;
}

// If the program lets the counter of its eventfd overflow, this notification is lost.
void Give(int eventfd) {
  const uint64_t one = 1;
  syscall(SYS_write, eventfd, &one, sizeof(one));
  syscall(SYS_close, eventfd);
}

// The program's eventfd is written when the point has been reached.
int NotifyByEventfd(const SyncObjects& objects, const EventfdArgs& args) {
  if (args.pad != 0 || (args.flags & ~DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE) != 0) return -EINVAL;
  const auto object = objects.Find(args.handle);
  if (object == nullptr) return -ENOENT;
  const long copy = syscall(SYS_fcntl, args.fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (copy < 0) return -errno;
  const int eventfd = static_cast<int>(copy);
  if (object->HasReached(args.point)) {
    Give(eventfd);
    return 0;
  }
  const auto notify = [object, point = args.point, eventfd] {
    object->WaitFor(point);
    Give(eventfd);
  };
  if (StartDeviceThread("vgpu-syncobj", notify)) return 0;
  syscall(SYS_close, eventfd);
  return -ENOMEM;
}

}  // namespace

// The numbers between these ranges are calls of mode setting and leases, which render nodes do not
// have.
bool IsSyncCall(unsigned number) {
  return (number >= _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE) &&
          number <= _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL)) ||
         (number >= _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT) &&
          number <= _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL)) ||
         number == kEventfdCall;
}

int SyncCall(SyncObjects& objects, unsigned number, void* argument) {
  switch (number) {
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE):
      return Create(objects, *static_cast<drm_syncobj_create*>(argument));
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY):
      return objects.Destroy(static_cast<drm_syncobj_destroy*>(argument)->handle);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD):
      return HandleToFd(objects, *static_cast<HandleArgs*>(argument));
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE):
      return FdToHandle(objects, *static_cast<HandleArgs*>(argument));
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT):
      return Wait(objects, *static_cast<drm_syncobj_wait*>(argument));
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET):
      return ForEach(objects, *static_cast<drm_syncobj_array*>(argument), &SyncObject::Reset);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL):
      return ForEach(objects, *static_cast<drm_syncobj_array*>(argument), &SyncObject::Signal);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT):
      return TimelineWait(objects, *static_cast<drm_syncobj_timeline_wait*>(argument));
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY):
      return Query(objects, *static_cast<drm_syncobj_timeline_array*>(argument));
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER):
      return Transfer(objects, *static_cast<drm_syncobj_transfer*>(argument));
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL):
      return SignalPoints(objects, *static_cast<drm_syncobj_timeline_array*>(argument));
    case kEventfdCall:
      return NotifyByEventfd(objects, *static_cast<EventfdArgs*>(argument));
    default:
      return -ENOTTY;
  }
}

}  // namespace vgpu
