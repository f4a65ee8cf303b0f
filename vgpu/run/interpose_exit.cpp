// SPDX-License-Identifier: MIT
// interpose_exit.cpp: the last thing a process does is to write its report.
#undef _FORTIFY_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "vgpu/config/config.h"
#include "vgpu/run/interpose.h"
#include "vgpu/run/report.h"

// Not in any header. A handler without a library (the last argument) runs in exit alone and is not
// tied to the library's own destruction.
extern "C" int __cxa_atexit(void (*handler)(void*), void* argument, void* library) noexcept;

namespace {

void OnExit(void*) { vgpu::WriteReport(); }
void OnQuickExit() { vgpu::WriteReport(); }

[[noreturn]] void Leave(int status) {
  vgpu::WriteReport();
  for (;;) syscall(SYS_exit_group, status);
}

// Exit handlers run in reverse order, and the loader's (which runs the destructors of libraries) is
// registered before main. A handler that is registered earlier still, here, runs after the
// runtimes' tear-down.
[[gnu::constructor(101)]] void RegisterExitHandlers() {
  if (vgpu::GetConfig().report.empty()) return;
  // Without a handler there is no report; nothing else depends on it.
  (void)__cxa_atexit(&OnExit, nullptr, nullptr);
  (void)at_quick_exit(&OnQuickExit);
}

}  // namespace

VGPU_EXPORT [[noreturn]] void _exit(int status) { Leave(status); }
VGPU_EXPORT [[noreturn]] void _Exit(int status) noexcept { Leave(status); }
