// SPDX-License-Identifier: MIT
// copy_hooks.h: the hooks for the asynchronous copies in the runtime's tables.
//
// Threads    any
// Memory     none; they use the objects given to Aim, which live as long as the hooks can be called
#pragma once

#include "base/status.h"
#include "capture/hsa/hsa_api.h"
#include "capture/queue/async_copies.h"

namespace rtl::capture::copy_hooks {

// Sets the objects that the hooks use. Called before Put, and again for a runtime that was shut
// down and returns.
void Aim(const HsaApi* api, AsyncCopies* copies);
// Puts a hook over every copy function of this runtime.
Status Put(HsaTables* tables);

}  // namespace rtl::capture::copy_hooks
