/* SPDX-License-Identifier: MIT
 * version.hpp: the three parts of a version that is one number. */
#pragma once

#include <rocprofiler-sdk/fwd.h>

#include <cstdint>

namespace rocprofiler {
namespace sdk {
namespace version {

/* 30201 with 100, 3002001 with 1000: 3.2.1. */
template <uint64_t kFactor = 100>
constexpr rocprofiler_version_triplet_t compute_version_triplet(uint64_t version) {
  return {static_cast<uint32_t>(version / kFactor / kFactor),
          static_cast<uint32_t>(version / kFactor % kFactor),
          static_cast<uint32_t>(version % kFactor)};
}

}  // namespace version
}  // namespace sdk
}  // namespace rocprofiler
