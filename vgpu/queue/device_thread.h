// SPDX-License-Identifier: MIT
// device_thread.h: starts the threads that stand for hardware.
//
// They take none of the application's signals, have a name that tools show, wake from timed sleeps
// without slack, and run in short time slices so that they preempt host threads that spin.
#pragma once

#include <functional>
#include <thread>

namespace vgpu {

// `name` is cut to 15 characters.
std::thread StartDeviceThread(const char* name, std::function<void()> body);

}  // namespace vgpu
