// SPDX-License-Identifier: MIT
// gws.h: global wave sync, the device-wide barriers of cooperative kernels.
//
// Threads    any. Blocking a short lock; a wave that has to wait is not blocked but tried again
// Memory     one set per GPU, never deleted
#pragma once

#include <cstdint>

namespace vgpu {

constexpr uint32_t kGwsResources = 64;

// Sets the number of waves that wait at the barrier, without the one that opens it.
void InitGws(int gpu, uint32_t resource, uint32_t waves);

// A wave arrives. Returns 0 if it was the last wave, which opens the barrier; otherwise a ticket to
// wait with. `waves` is the number for the next round, as in InitGws.
uint64_t ArriveAtGws(int gpu, uint32_t resource, uint32_t waves);

// A forked child starts with unused resources. To be called when no other thread exists.
void ForgetGws();

// Whether the ticket's round has ended.
bool GwsIsOpen(int gpu, uint32_t resource, uint64_t ticket);

}  // namespace vgpu
