// SPDX-License-Identifier: MIT
// interpose_exit.cpp: the last thing a process does is to write its report.
#undef _FORTIFY_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "vgpu/config/config.h"
#include "vgpu/run/interpose.h"
#include "vgpu/run/report.h"

// No header declares this function. If `library` is nullptr, the handler runs only in exit, and not
// when a library is unloaded.
extern "C" int __cxa_atexit(void (*handler)(void*), void* argument, void* library) noexcept;

namespace {

void OnExit(void*) { vgpu::WriteReport(); }
void OnQuickExit() { vgpu::WriteReport(); }

[[noreturn]] void Leave(int status) {
  vgpu::WriteReport();
  for (;;) syscall(SYS_exit_group, status);
}

// Exit handlers run in the reverse order of their registration. The loader's handler, which runs
// the destructors of libraries, is registered before main. The handlers here are registered earlier
// still, so that they run after the runtimes' tear-down.
[[gnu::constructor(101)]] void RegisterExitHandlers() {
  if (vgpu::GetConfig().report.empty()) return;
  // Without a handler there is no report; nothing else depends on it.
  (void)__cxa_atexit(&OnExit, nullptr, nullptr);
  (void)at_quick_exit(&OnQuickExit);
}

}  // namespace

VGPU_EXPORT [[noreturn]] void _exit(int status) { Leave(status); }
VGPU_EXPORT [[noreturn]] void _Exit(int status) noexcept { Leave(status); }
