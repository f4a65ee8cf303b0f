// SPDX-License-Identifier: MIT
// The driver calls that monitoring programs make beside the runtime: events of the system
// management interface, and the modes of the process.
#include <errno.h>
#include <fcntl.h>
#include <linux/kfd_ioctl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <string>

#include "hsa_support.h"

using namespace programs;

namespace {

// The runtime would otherwise end the program.
hsa_status_t OnSystemEvent(const hsa_amd_event_t* event, void*) {
  return event->event_type == HSA_AMD_GPU_MEMORY_FAULT_EVENT ? HSA_STATUS_SUCCESS
                                                             : HSA_STATUS_ERROR;
}

// The driver's number of the GPU, from the file that the runtime reads too.
uint32_t GpuId() {
  unsigned id = 0;
  FILE* file = std::fopen("/sys/class/kfd/kfd/topology/nodes/1/gpu_id", "r");
  if (file == nullptr || std::fscanf(file, "%u", &id) != 1) Die("gpu_id", "cannot be read");
  std::fclose(file);
  return id;
}

std::string ReadEvents(int fd) {
  char text[256];
  const ssize_t got = read(fd, text, sizeof(text));
  return got > 0 ? std::string(text, static_cast<size_t>(got)) : std::string();
}

bool HasEvents(int fd, int timeout_ms) {
  pollfd polled = {fd, POLLIN, 0};
  return poll(&polled, 1, timeout_ms) == 1;
}

void Fault(const Machine& machine) {
  hsa_queue_t* queue = CreateQueue(machine, 64);
  // There is no kernel at this address.
  const hsa_kernel_dispatch_packet_t packet =
      Dispatch(reinterpret_cast<const void*>(0x123456000), 64, 64);
  Submit(queue, packet, kDispatchHeader);
}

}  // namespace

int main() {
  const int kfd = open("/dev/kfd", O_RDWR | O_CLOEXEC);
  if (kfd < 0) Die("/dev/kfd", "cannot be opened");
  kfd_ioctl_set_xnack_mode_args xnack = {};
  xnack.xnack_enabled = -1;
  Expect(ioctl(kfd, AMDKFD_IOC_SET_XNACK_MODE, &xnack) == 0 && xnack.xnack_enabled == 0,
         "no GPU retries page faults");
  xnack.xnack_enabled = 1;
  Expect(ioctl(kfd, AMDKFD_IOC_SET_XNACK_MODE, &xnack) == -1 && errno == EPERM, "and none can");

  kfd_ioctl_smi_events_args args = {};
  args.gpuid = GpuId();
  if (ioctl(kfd, AMDKFD_IOC_SMI_EVENTS, &args) != 0) Die("SMI_EVENTS", "is refused");
  const int events = static_cast<int>(args.anon_fd);
  const uint64_t mask = KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_VMFAULT);
  Expect(write(events, &mask, sizeof(mask)) == sizeof(mask), "events can be requested");

  const Machine machine = StartHsa();
  HSA_CHECK(hsa_amd_register_system_event_handler(OnSystemEvent, nullptr));
  Expect(!HasEvents(events, 0), "nothing has happened yet");
  Fault(machine);
  Expect(HasEvents(events, 30'000), "a page fault is an event");
  char line[KFD_SMI_EVENT_MSG_SIZE];
  std::snprintf(line, sizeof(line), "1 %x:%s\n", static_cast<unsigned>(getpid()), "hsa_monitor");
  Expect(ReadEvents(events) == line, "that says which process it was");
  close(events);
  std::fflush(stdout);
  _exit(ExitCode());  // destroying a queue that has faulted is of no use
}
