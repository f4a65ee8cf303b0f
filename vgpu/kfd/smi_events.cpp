// SPDX-License-Identifier: MIT
#include "vgpu/kfd/smi_events.h"

#include <fcntl.h>
#include <linux/kfd_ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace vgpu {

// The mask that was written last counts. A program that has closed its end frees the slot.
void SmiEvents::ReadMask(Program* program) {
  uint64_t mask = 0;
  for (;;) {
    const ssize_t got = recv(program->fd, &mask, sizeof(mask), MSG_DONTWAIT);
    if (got == sizeof(mask)) {
      program->events = mask;
    } else if (got == 0) {
      syscall(SYS_close, program->fd);
      *program = {};
      return;
    } else if (got >= 0 || errno != EINTR) {
      return;
    }
  }
}

int SmiEvents::Open(int gpu) {
  int ends[2];
  constexpr int kType = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
  if (socketpair(AF_UNIX, kType, 0, ends) != 0) return -errno;
  const std::lock_guard lock(mutex_);
  for (Program& program : programs_) {
    if (program.fd >= 0) ReadMask(&program);
  }
  const auto place = std::ranges::find(programs_, -1, &Program::fd);
  if (place == programs_.end()) {
    for (const int end : ends) syscall(SYS_close, end);
    return -ENOMEM;
  }
  // As with the real driver, the program's end outlives an exec. The driver's end does not.
  syscall(SYS_fcntl, ends[0], F_SETFD, 0);
  *place = {ends[1], gpu, 0};
  return ends[0];
}

void SmiEvents::Report(int gpu, uint32_t event, const char* text) {
  char line[KFD_SMI_EVENT_MSG_SIZE];
  std::snprintf(line, sizeof(line), "%x %s", event, text);
  const std::lock_guard lock(mutex_);
  for (Program& program : programs_) {
    if (program.fd < 0 || program.gpu != gpu) continue;
    ReadMask(&program);
    if ((program.events & KFD_SMI_EVENT_MASK_FROM_INDEX(event)) == 0) continue;
    // This fails only when a program does not read, or has just closed its end.
    (void)send(program.fd, line, std::strlen(line), MSG_DONTWAIT | MSG_NOSIGNAL);
  }
}

void SmiEvents::CloseFiles() {
  for (Program& program : programs_) {
    if (program.fd >= 0) syscall(SYS_close, program.fd);
  }
}

}  // namespace vgpu
