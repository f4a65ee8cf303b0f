// SPDX-License-Identifier: MIT
// sources.h: the sources of calls in this process, for the functions that libraries call.
#pragma once

#include "capture/sources/hip_source.h"
#include "capture/sources/rccl_source.h"

namespace rtl::capture {

// Members are null in a process without memory for a session.
struct CallSources {
  HipSource* hip = nullptr;
  RcclSource* rccl = nullptr;
};

}  // namespace rtl::capture
