/* SPDX-License-Identifier: MIT
 * perfetto.hpp: categories and annotations for a tool that writes with the Perfetto SDK. Needs <perfetto.h>; the tool
 * has one file with PERFETTO_TRACK_EVENT_STATIC_STORAGE(). */
#pragma once

#include <perfetto.h>
#include <rocprofiler-sdk/fwd.h>

#include <cstddef>
#include <cstdint>
#include <rocprofiler-sdk/cxx/details/mpl.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/* Name and description. */
#define ROCPROFILER_PERFETTO_EACH(APPLY)             \
  APPLY(hsa_api, "HSA API function")                 \
  APPLY(hip_api, "HIP API function")                 \
  APPLY(marker_api, "Marker API region")             \
  APPLY(rccl_api, "RCCL API function")               \
  APPLY(openmp, "OpenMP")                            \
  APPLY(kernel_dispatch, "GPU kernel dispatch")      \
  APPLY(memory_copy, "Async memory copy")            \
  APPLY(memory_allocation, "Memory Allocation")      \
  APPLY(rocdecode_api, "rocDecode API function")     \
  APPLY(rocjpeg_api, "rocJPEG API function")         \
  APPLY(counter_collection, "Counter Collection")    \
  APPLY(kfd_events, "KFD events collection")         \
  APPLY(scratch_memory, "Scratch Memory Allocation") \
  APPLY(none, "Unknown category")

namespace rocprofiler {
namespace sdk {
template <typename T>
struct perfetto_category;
#define ROCPROFILER_PERFETTO_DEFINE(id, text) \
  namespace category {                        \
  struct id {};                               \
  }                                           \
  template <>                                 \
  struct perfetto_category<category::id> {    \
    static constexpr auto name = #id;         \
    static constexpr auto description = text; \
  };
ROCPROFILER_PERFETTO_EACH(ROCPROFILER_PERFETTO_DEFINE)
#undef ROCPROFILER_PERFETTO_DEFINE
}  // namespace sdk
}  // namespace rocprofiler

#define ROCPROFILER_PERFETTO_LIST(id, text) ::perfetto::Category(#id).SetDescription(text),
PERFETTO_DEFINE_CATEGORIES(
    ROCPROFILER_PERFETTO_EACH(ROCPROFILER_PERFETTO_LIST)::perfetto::Category("other"));
#undef ROCPROFILER_PERFETTO_LIST
#undef ROCPROFILER_PERFETTO_EACH

namespace rocprofiler {
namespace sdk {

using perfetto_event_context_t = ::perfetto::EventContext;

template <typename NameT, typename T>
void add_perfetto_annotation(perfetto_event_context_t& context, NameT&& name, T&& value) {
  using type = mpl::unqualified_identity_t<T>;
  static_assert(mpl::is_string_type<mpl::unqualified_identity_t<NameT>>::value, "a name is a text");
  auto* const note = context.event()->add_debug_annotations();
  note->set_name(std::string(name));
  if constexpr (mpl::is_string_type<type>::value) {
    note->set_string_value(std::string(value));
  } else if constexpr (std::is_same<type, bool>::value) {
    note->set_bool_value(value);
  } else if constexpr (std::is_enum<type>::value) {
    note->set_int_value(static_cast<int64_t>(value));
  } else if constexpr (std::is_floating_point<type>::value) {
    note->set_double_value(static_cast<double>(value));
  } else if constexpr (std::is_unsigned<type>::value) {
    note->set_uint_value(value);
  } else if constexpr (std::is_integral<type>::value) {
    note->set_int_value(value);
  } else if constexpr (std::is_pointer<type>::value) {
    note->set_pointer_value(reinterpret_cast<uint64_t>(value));
  } else {
    static_assert(mpl::can_stringify<type>::value, "a type that a stream can write");
    std::ostringstream text;
    text << value;
    note->set_string_value(text.str());
  }
}

namespace details {
constexpr const char* perfetto_category_of(rocprofiler_buffer_tracing_kind_t kind) {
  switch (kind) {
    case ROCPROFILER_BUFFER_TRACING_HSA_CORE_API:
    case ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API:
    case ROCPROFILER_BUFFER_TRACING_HSA_IMAGE_EXT_API:
    case ROCPROFILER_BUFFER_TRACING_HSA_FINALIZE_EXT_API:
      return "hsa_api";
    case ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API:
    case ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API:
    case ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT:
    case ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT:
    case ROCPROFILER_BUFFER_TRACING_HIP_STREAM:
      return "hip_api";
    case ROCPROFILER_BUFFER_TRACING_MARKER_CORE_API:
    case ROCPROFILER_BUFFER_TRACING_MARKER_CORE_RANGE_API:
    case ROCPROFILER_BUFFER_TRACING_MARKER_CONTROL_API:
    case ROCPROFILER_BUFFER_TRACING_MARKER_NAME_API:
      return "marker_api";
    case ROCPROFILER_BUFFER_TRACING_RCCL_API:
      return "rccl_api";
    case ROCPROFILER_BUFFER_TRACING_OMPT:
      return "openmp";
    case ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH:
      return "kernel_dispatch";
    case ROCPROFILER_BUFFER_TRACING_MEMORY_COPY:
      return "memory_copy";
    case ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION:
      return "memory_allocation";
    case ROCPROFILER_BUFFER_TRACING_ROCDECODE_API:
    case ROCPROFILER_BUFFER_TRACING_ROCDECODE_API_EXT:
      return "rocdecode_api";
    case ROCPROFILER_BUFFER_TRACING_ROCJPEG_API:
      return "rocjpeg_api";
    case ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY:
      return "scratch_memory";
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_MIGRATE:
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_FAULT:
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_QUEUE:
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_UNMAP_FROM_GPU:
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_DROPPED_EVENTS:
    case ROCPROFILER_BUFFER_TRACING_KFD_PAGE_MIGRATE:
    case ROCPROFILER_BUFFER_TRACING_KFD_PAGE_FAULT:
    case ROCPROFILER_BUFFER_TRACING_KFD_QUEUE:
      return "kfd_events";
    case ROCPROFILER_BUFFER_TRACING_NONE:
    case ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT:
    case ROCPROFILER_BUFFER_TRACING_RUNTIME_INITIALIZATION:
      return "none";
    default:
      return nullptr;
  }
}
constexpr const char* perfetto_category_of(rocprofiler_callback_tracing_kind_t kind) {
  switch (kind) {
    case ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API:
    case ROCPROFILER_CALLBACK_TRACING_HSA_AMD_EXT_API:
    case ROCPROFILER_CALLBACK_TRACING_HSA_IMAGE_EXT_API:
    case ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API:
      return "hsa_api";
    case ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API:
    case ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API:
    case ROCPROFILER_CALLBACK_TRACING_HIP_STREAM:
      return "hip_api";
    case ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API:
    case ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API:
    case ROCPROFILER_CALLBACK_TRACING_MARKER_CONTROL_API:
    case ROCPROFILER_CALLBACK_TRACING_MARKER_NAME_API:
      return "marker_api";
    case ROCPROFILER_CALLBACK_TRACING_RCCL_API:
      return "rccl_api";
    case ROCPROFILER_CALLBACK_TRACING_OMPT:
      return "openmp";
    case ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH:
      return "kernel_dispatch";
    case ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY:
      return "memory_copy";
    case ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION:
      return "memory_allocation";
    case ROCPROFILER_CALLBACK_TRACING_ROCDECODE_API:
      return "rocdecode_api";
    case ROCPROFILER_CALLBACK_TRACING_ROCJPEG_API:
      return "rocjpeg_api";
    case ROCPROFILER_CALLBACK_TRACING_SCRATCH_MEMORY:
      return "scratch_memory";
    case ROCPROFILER_CALLBACK_TRACING_NONE:
    case ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION:
      return "none";
    case ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT:
      return "none";
    default:
      return nullptr;
  }
}
}  // namespace details

/* The category of a kind of callbacks or buffers; null for an unknown kind. */
template <typename KindT>
constexpr const char* get_perfetto_category(KindT kind) {
  return details::perfetto_category_of(kind);
}

}  // namespace sdk
}  // namespace rocprofiler
