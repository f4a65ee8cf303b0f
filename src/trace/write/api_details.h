// SPDX-License-Identifier: MIT
// api_details.h: finds in the arguments of a call the details of the launch or the copy that it
// makes.
#pragma once

#include <cstdint>
#include <optional>

#include "trace/schema/api_text.h"

namespace rtl::store {

struct LaunchDetails {
  uint64_t stream = 0;
  uint64_t grid[3] = {};       // as the call gives it: in blocks, or in work-items
  uint64_t workgroup[3] = {};  // in work-items
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

// Return nothing if the call launches no kernel, or does not copy.
std::optional<LaunchDetails> FindLaunch(const ApiArguments& arguments);
std::optional<CopyDetails> FindCopy(const ApiArguments& arguments);

}  // namespace rtl::store
