// SPDX-License-Identifier: MIT
// api_details.h: what the arguments of a call say about the launch or the copy that it makes.
#pragma once

#include <cstdint>
#include <optional>

#include "trace/schema/api_text.h"

namespace rtl::store {

struct LaunchDetails {
  uint64_t stream = 0;
  uint64_t grid[3] = {};       // as the call gives it: blocks, or work-items
  uint64_t workgroup[3] = {};  // work-items
  uint64_t shared_bytes = 0;
};

struct CopyDetails {
  uint64_t stream = 0;
  uint64_t bytes = 0;
  uint64_t dst = 0;
  uint64_t src = 0;
  int64_t kind = 0;  // hipMemcpyKind
  bool sync = false;
};

// Empty when the call launches no kernel, or copies nothing.
std::optional<LaunchDetails> FindLaunch(const ApiArguments& arguments);
std::optional<CopyDetails> FindCopy(const ApiArguments& arguments);

}  // namespace rtl::store
