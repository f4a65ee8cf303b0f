/* SPDX-License-Identifier: MIT
 * hash.hpp: handles as keys of unordered containers. operators.hpp compares them. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <rocprofiler-sdk/cxx/details/handles.hpp>

namespace rocprofiler {
namespace sdk {
namespace hash {

template <typename T>
struct handle_hasher {
  static_assert(sizeof(T) == sizeof(uint64_t), "only for handles");
  size_t operator()(T value) const { return value.handle; }
};

}  // namespace hash
}  // namespace sdk
}  // namespace rocprofiler

#define ROCPROFILER_CXX_HASH(type) \
  template <>                      \
  struct std::hash<type> : ::rocprofiler::sdk::hash::handle_hasher<type> {};
ROCPROFILER_CXX_HANDLES(ROCPROFILER_CXX_HASH)
#undef ROCPROFILER_CXX_HASH
