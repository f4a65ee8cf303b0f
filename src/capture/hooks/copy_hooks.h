// SPDX-License-Identifier: MIT
// copy_hooks.h: what stands in the runtime's tables for the asynchronous copies.
//
// Threads    any
// Memory     none; they work on what Aim says, which lives as long as they can be called
#pragma once

#include "base/status.h"
#include "capture/hsa/hsa_api.h"
#include "capture/queue/async_copies.h"

namespace rtl::capture::copy_hooks {

// What the hooks work on from now on: before Put, and again for a runtime that came back.
void Aim(const HsaApi* api, AsyncCopies* copies);
// Puts a hook over every copy function that this runtime has.
Status Put(HsaTables* tables);

}  // namespace rtl::capture::copy_hooks
