/* SPDX-License-Identifier: MIT
 * operators.hpp: comparison of handles, agents, dimensions and versions. They are in the global namespace, as the types
 * are. */
#pragma once

#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/counters.h>

#include <rocprofiler-sdk/cxx/details/handles.hpp>
#include <rocprofiler-sdk/cxx/details/mpl.hpp>
#include <string_view>
#include <tuple>

namespace rocprofiler {
namespace sdk {
namespace operators {

template <typename T>
bool equal(T a, T b) {
  static_assert(sizeof(T) == sizeof(uint64_t), "only for handles");
  return a.handle == b.handle;
}
template <typename T>
bool less(T a, T b) {
  static_assert(sizeof(T) == sizeof(uint64_t), "only for handles");
  return a.handle < b.handle;
}

/* Compares texts by their characters, not by address. */
template <typename T>
constexpr decltype(auto) tied(T& value) noexcept {
  if constexpr (mpl::is_string_type<T>::value) {
    return std::string_view(value);
  } else {
    return (value);
  }
}
template <typename... T>
constexpr auto tie_sv(T&... values) noexcept {
  return std::make_tuple(tied(values)...);
}

}  // namespace operators
}  // namespace sdk
}  // namespace rocprofiler

/* The four that follow from == and <. */
#define ROCPROFILER_CXX_OTHERS(type)                           \
  inline bool operator!=(type a, type b) { return !(a == b); } \
  inline bool operator>(type a, type b) { return b < a; }      \
  inline bool operator<=(type a, type b) { return !(b < a); }  \
  inline bool operator>=(type a, type b) { return !(a < b); }
#define ROCPROFILER_CXX_COMPARED(type)                                                          \
  inline bool operator==(type a, type b) { return ::rocprofiler::sdk::operators::equal(a, b); } \
  inline bool operator<(type a, type b) { return ::rocprofiler::sdk::operators::less(a, b); }   \
  ROCPROFILER_CXX_OTHERS(type)
ROCPROFILER_CXX_HANDLES(ROCPROFILER_CXX_COMPARED)

inline bool operator==(const rocprofiler_agent_v0_t& a, const rocprofiler_agent_v0_t& b) {
  return a.id == b.id;
}
inline bool operator<(const rocprofiler_agent_v0_t& a, const rocprofiler_agent_v0_t& b) {
  return a.id < b.id;
}
ROCPROFILER_CXX_OTHERS(const rocprofiler_agent_v0_t&)

/* First by the number of items. */
inline bool operator==(rocprofiler_dim3_t a, rocprofiler_dim3_t b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
inline bool operator<(rocprofiler_dim3_t a, rocprofiler_dim3_t b) {
  return std::make_tuple(a.x * a.y * a.z, a.x, a.y, a.z) <
         std::make_tuple(b.x * b.y * b.z, b.x, b.y, b.z);
}
ROCPROFILER_CXX_OTHERS(rocprofiler_dim3_t)

inline bool operator==(rocprofiler_version_triplet_t a, rocprofiler_version_triplet_t b) {
  return std::tie(a.major, a.minor, a.patch) == std::tie(b.major, b.minor, b.patch);
}
inline bool operator<(rocprofiler_version_triplet_t a, rocprofiler_version_triplet_t b) {
  return std::tie(a.major, a.minor, a.patch) < std::tie(b.major, b.minor, b.patch);
}
ROCPROFILER_CXX_OTHERS(rocprofiler_version_triplet_t)

#define ROCPROFILER_CXX_BY_MEMBERS(type, first, second, third)                  \
  inline bool operator==(const type& a, const type& b) {                        \
    return ::rocprofiler::sdk::operators::tie_sv(a.first, a.second, a.third) == \
           ::rocprofiler::sdk::operators::tie_sv(b.first, b.second, b.third);   \
  }                                                                             \
  inline bool operator<(const type& a, const type& b) {                         \
    return ::rocprofiler::sdk::operators::tie_sv(a.first, a.second, a.third) <  \
           ::rocprofiler::sdk::operators::tie_sv(b.first, b.second, b.third);   \
  }                                                                             \
  ROCPROFILER_CXX_OTHERS(const type&)
ROCPROFILER_CXX_BY_MEMBERS(rocprofiler_counter_record_dimension_info_t, id, instance_size, name)
ROCPROFILER_CXX_BY_MEMBERS(rocprofiler_counter_dimension_info_t, dimension_name, index, size)

/* Compares the dimensions one after the other; a missing one comes first. */
inline bool operator==(const rocprofiler_counter_record_dimension_instance_info_t& a,
                       const rocprofiler_counter_record_dimension_instance_info_t& b) {
  if (std::tie(a.instance_id, a.counter_id, a.dimensions_count) !=
      std::tie(b.instance_id, b.counter_id, b.dimensions_count))
    return false;
  for (uint64_t i = 0; i < a.dimensions_count; ++i) {
    if ((a.dimensions[i] == nullptr) != (b.dimensions[i] == nullptr)) return false;
    if (a.dimensions[i] != nullptr && *a.dimensions[i] != *b.dimensions[i]) return false;
  }
  return true;
}
inline bool operator<(const rocprofiler_counter_record_dimension_instance_info_t& a,
                      const rocprofiler_counter_record_dimension_instance_info_t& b) {
  const auto left = std::tie(a.instance_id, a.counter_id, a.dimensions_count);
  const auto right = std::tie(b.instance_id, b.counter_id, b.dimensions_count);
  if (left != right) return left < right;
  for (uint64_t i = 0; i < a.dimensions_count; ++i) {
    if (a.dimensions[i] == nullptr || b.dimensions[i] == nullptr) {
      if (a.dimensions[i] != b.dimensions[i]) return a.dimensions[i] == nullptr;
    } else if (*a.dimensions[i] != *b.dimensions[i]) {
      return *a.dimensions[i] < *b.dimensions[i];
    }
  }
  return false;
}
ROCPROFILER_CXX_OTHERS(const rocprofiler_counter_record_dimension_instance_info_t&)

#undef ROCPROFILER_CXX_BY_MEMBERS
#undef ROCPROFILER_CXX_COMPARED
#undef ROCPROFILER_CXX_OTHERS
