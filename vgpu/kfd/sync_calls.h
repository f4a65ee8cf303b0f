// SPDX-License-Identifier: MIT
// sync_calls.h: the calls of a render node about synchronisation objects.
//
// Threads    any
// Errors     0 or -errno
#pragma once

#include "vgpu/kfd/sync_objects.h"

namespace vgpu {

bool IsSyncCall(unsigned number);

// `argument` is large enough for the call with all its fields.
[[nodiscard]] int SyncCall(SyncObjects& objects, unsigned number, void* argument);

}  // namespace vgpu
