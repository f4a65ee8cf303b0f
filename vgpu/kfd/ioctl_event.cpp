// SPDX-License-Identifier: MIT
// ioctl_event.cpp: the driver calls about events.
#include <cerrno>

#include "vgpu/kfd/ioctls.h"
#include "vgpu/kfd/mmap_offset.h"

namespace vgpu {
namespace {

constexpr uint64_t kSignalPageBytes = KFD_SIGNAL_EVENT_LIMIT * sizeof(uint64_t);

}  // namespace

int CreateEvent(Driver& driver, kfd_ioctl_create_event_args& args) {
  if (args.event_page_offset != 0) {  // the first event brings the handle of the signal page
    uint8_t* page = driver.memory.HostAddressOf(args.event_page_offset, kSignalPageBytes);
    if (page == nullptr) return -EINVAL;
    driver.events.SetSignalPage(reinterpret_cast<uint64_t*>(page));
  }
  const int error = driver.events.Create(args.event_type, args.auto_reset != 0, &args.event_id);
  if (error != 0) return error;
  const bool has_slot = args.event_id < KFD_SIGNAL_EVENT_LIMIT;
  args.event_slot_index = has_slot ? args.event_id : 0;
  args.event_trigger_data = has_slot ? args.event_id : 0;
  args.event_page_offset = MakeOffset(OffsetType::kEvents, 0);
  return 0;
}

int DestroyEvent(Driver& driver, kfd_ioctl_destroy_event_args& args) {
  return driver.events.Destroy(args.event_id);
}

int SetEvent(Driver& driver, kfd_ioctl_set_event_args& args) {
  return driver.events.Set(args.event_id);
}

int ResetEvent(Driver& driver, kfd_ioctl_reset_event_args& args) {
  return driver.events.Reset(args.event_id);
}

int WaitEvents(Driver& driver, kfd_ioctl_wait_events_args& args) {
  auto* events = reinterpret_cast<kfd_event_data*>(args.events_ptr);
  if (events == nullptr && args.num_events != 0) return -EFAULT;
  return driver.events.Wait({events, args.num_events}, args.wait_for_all != 0, args.timeout,
                            &args.wait_result);
}

}  // namespace vgpu
