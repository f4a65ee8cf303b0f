/* SPDX-License-Identifier: MIT
 * details/name_info.hpp: queries the names. Included by name_info.hpp. */
#pragma once

#include <rocprofiler-sdk/buffer_tracing.h>
#include <rocprofiler-sdk/callback_tracing.h>

#include <rocprofiler-sdk/cxx/name_info.hpp>

namespace rocprofiler {
namespace sdk {

constexpr rocprofiler_status_t success_v = ROCPROFILER_STATUS_SUCCESS;

template <typename T>
callback_name_info_t<T> get_callback_tracing_names() {
  using Info = callback_name_info_t<T>;
  using Kind = rocprofiler_callback_tracing_kind_t;
  Info info;
  const auto add_operation = [](Kind kind, rocprofiler_tracing_operation_t operation, void* data) {
    const char* name = nullptr;
    if (rocprofiler_query_callback_tracing_kind_operation_name(kind, operation, &name, nullptr) ==
        success_v)
      static_cast<Info*>(data)->emplace(kind, operation, name);
    return 0;
  };
  static rocprofiler_callback_tracing_kind_operation_cb_t each_operation;
  each_operation = add_operation;
  const auto add_kind = [](Kind kind, void* data) {
    const char* name = nullptr;
    if (rocprofiler_query_callback_tracing_kind_name(kind, &name, nullptr) == success_v)
      static_cast<Info*>(data)->emplace(kind, name);
    (void)rocprofiler_iterate_callback_tracing_kind_operations(kind, each_operation,
                                                               data);  // it may have none
    return 0;
  };
  (void)rocprofiler_iterate_callback_tracing_kinds(add_kind, &info);
  return info;
}

template <typename T>
buffer_name_info_t<T> get_buffer_tracing_names() {
  using Info = buffer_name_info_t<T>;
  using Kind = rocprofiler_buffer_tracing_kind_t;
  Info info;
  const auto add_operation = [](Kind kind, rocprofiler_tracing_operation_t operation, void* data) {
    const char* name = nullptr;
    if (rocprofiler_query_buffer_tracing_kind_operation_name(kind, operation, &name, nullptr) ==
        success_v)
      static_cast<Info*>(data)->emplace(kind, operation, name);
    return 0;
  };
  static rocprofiler_buffer_tracing_kind_operation_cb_t each_operation;
  each_operation = add_operation;
  const auto add_kind = [](Kind kind, void* data) {
    const char* name = nullptr;
    if (rocprofiler_query_buffer_tracing_kind_name(kind, &name, nullptr) == success_v)
      static_cast<Info*>(data)->emplace(kind, name);
    (void)rocprofiler_iterate_buffer_tracing_kind_operations(kind, each_operation,
                                                             data);  // it may have none
    return 0;
  };
  (void)rocprofiler_iterate_buffer_tracing_kinds(add_kind, &info);
  return info;
}

}  // namespace sdk
}  // namespace rocprofiler
