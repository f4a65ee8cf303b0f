// SPDX-License-Identifier: MIT
// device_thread.h: starts the threads that stand for hardware.
//
// They take none of the application's signals, have a name that tools show, wake from timed sleeps
// without slack, and run in short time slices so that they preempt host threads that spin.
#pragma once

#include <pthread.h>

#include <functional>
#include <optional>

namespace vgpu {

// `name` is cut to 15 characters. `thread`: what is to be joined; nullptr: nobody joins it. False,
// after a line in the log: the system gives no thread. Linux gives none while another thread of the
// program calls exec, so this tries for a second.
[[nodiscard]] bool StartDeviceThread(const char* name, std::function<void()> body,
                                     std::optional<pthread_t>* thread = nullptr);

}  // namespace vgpu
