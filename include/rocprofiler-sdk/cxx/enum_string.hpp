/* SPDX-License-Identifier: MIT
 * enum_string.hpp: the name of an enumerator. Made by tools/gen_sdk_cxx.py. */
#pragma once

#include <rocprofiler-sdk/experimental/thread_trace.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <string_view>
#include <type_traits>

namespace rocprofiler {
namespace sdk {
namespace details {

constexpr std::string_view enum_label(rocprofiler_agent_type_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_AGENT_TYPE_NONE:
      return "ROCPROFILER_AGENT_TYPE_NONE";
    case ROCPROFILER_AGENT_TYPE_CPU:
      return "ROCPROFILER_AGENT_TYPE_CPU";
    case ROCPROFILER_AGENT_TYPE_GPU:
      return "ROCPROFILER_AGENT_TYPE_GPU";
    default:
      return "unsupported_rocprofiler_agent_type_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_agent_version_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_AGENT_INFO_VERSION_NONE:
      return "ROCPROFILER_AGENT_INFO_VERSION_NONE";
    case ROCPROFILER_AGENT_INFO_VERSION_0:
      return "ROCPROFILER_AGENT_INFO_VERSION_0";
    default:
      return "unsupported_rocprofiler_agent_version_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_buffer_category_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_BUFFER_CATEGORY_NONE:
      return "ROCPROFILER_BUFFER_CATEGORY_NONE";
    case ROCPROFILER_BUFFER_CATEGORY_TRACING:
      return "ROCPROFILER_BUFFER_CATEGORY_TRACING";
    case ROCPROFILER_BUFFER_CATEGORY_PC_SAMPLING:
      return "ROCPROFILER_BUFFER_CATEGORY_PC_SAMPLING";
    case ROCPROFILER_BUFFER_CATEGORY_COUNTERS:
      return "ROCPROFILER_BUFFER_CATEGORY_COUNTERS";
    default:
      return "unsupported_rocprofiler_buffer_category_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_buffer_policy_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_BUFFER_POLICY_NONE:
      return "ROCPROFILER_BUFFER_POLICY_NONE";
    case ROCPROFILER_BUFFER_POLICY_DISCARD:
      return "ROCPROFILER_BUFFER_POLICY_DISCARD";
    case ROCPROFILER_BUFFER_POLICY_LOSSLESS:
      return "ROCPROFILER_BUFFER_POLICY_LOSSLESS";
    default:
      return "unsupported_rocprofiler_buffer_policy_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_buffer_tracing_kind_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_BUFFER_TRACING_NONE:
      return "ROCPROFILER_BUFFER_TRACING_NONE";
    case ROCPROFILER_BUFFER_TRACING_HSA_CORE_API:
      return "ROCPROFILER_BUFFER_TRACING_HSA_CORE_API";
    case ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API:
      return "ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API";
    case ROCPROFILER_BUFFER_TRACING_HSA_IMAGE_EXT_API:
      return "ROCPROFILER_BUFFER_TRACING_HSA_IMAGE_EXT_API";
    case ROCPROFILER_BUFFER_TRACING_HSA_FINALIZE_EXT_API:
      return "ROCPROFILER_BUFFER_TRACING_HSA_FINALIZE_EXT_API";
    case ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API:
      return "ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API";
    case ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API:
      return "ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API";
    case ROCPROFILER_BUFFER_TRACING_MARKER_CORE_API:
      return "ROCPROFILER_BUFFER_TRACING_MARKER_CORE_API";
    case ROCPROFILER_BUFFER_TRACING_MARKER_CONTROL_API:
      return "ROCPROFILER_BUFFER_TRACING_MARKER_CONTROL_API";
    case ROCPROFILER_BUFFER_TRACING_MARKER_NAME_API:
      return "ROCPROFILER_BUFFER_TRACING_MARKER_NAME_API";
    case ROCPROFILER_BUFFER_TRACING_MEMORY_COPY:
      return "ROCPROFILER_BUFFER_TRACING_MEMORY_COPY";
    case ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH:
      return "ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH";
    case ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY:
      return "ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY";
    case ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT:
      return "ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT";
    case ROCPROFILER_BUFFER_TRACING_RCCL_API:
      return "ROCPROFILER_BUFFER_TRACING_RCCL_API";
    case ROCPROFILER_BUFFER_TRACING_OMPT:
      return "ROCPROFILER_BUFFER_TRACING_OMPT";
    case ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION:
      return "ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION";
    case ROCPROFILER_BUFFER_TRACING_RUNTIME_INITIALIZATION:
      return "ROCPROFILER_BUFFER_TRACING_RUNTIME_INITIALIZATION";
    case ROCPROFILER_BUFFER_TRACING_ROCDECODE_API:
      return "ROCPROFILER_BUFFER_TRACING_ROCDECODE_API";
    case ROCPROFILER_BUFFER_TRACING_ROCJPEG_API:
      return "ROCPROFILER_BUFFER_TRACING_ROCJPEG_API";
    case ROCPROFILER_BUFFER_TRACING_HIP_STREAM:
      return "ROCPROFILER_BUFFER_TRACING_HIP_STREAM";
    case ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT:
      return "ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT";
    case ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT:
      return "ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT";
    case ROCPROFILER_BUFFER_TRACING_ROCDECODE_API_EXT:
      return "ROCPROFILER_BUFFER_TRACING_ROCDECODE_API_EXT";
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_MIGRATE:
      return "ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_MIGRATE";
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_FAULT:
      return "ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_FAULT";
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_QUEUE:
      return "ROCPROFILER_BUFFER_TRACING_KFD_EVENT_QUEUE";
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_UNMAP_FROM_GPU:
      return "ROCPROFILER_BUFFER_TRACING_KFD_EVENT_UNMAP_FROM_GPU";
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_DROPPED_EVENTS:
      return "ROCPROFILER_BUFFER_TRACING_KFD_EVENT_DROPPED_EVENTS";
    case ROCPROFILER_BUFFER_TRACING_KFD_PAGE_MIGRATE:
      return "ROCPROFILER_BUFFER_TRACING_KFD_PAGE_MIGRATE";
    case ROCPROFILER_BUFFER_TRACING_KFD_PAGE_FAULT:
      return "ROCPROFILER_BUFFER_TRACING_KFD_PAGE_FAULT";
    case ROCPROFILER_BUFFER_TRACING_KFD_QUEUE:
      return "ROCPROFILER_BUFFER_TRACING_KFD_QUEUE";
    case ROCPROFILER_BUFFER_TRACING_MARKER_CORE_RANGE_API:
      return "ROCPROFILER_BUFFER_TRACING_MARKER_CORE_RANGE_API";
    default:
      return "unsupported_rocprofiler_buffer_tracing_kind_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_callback_phase_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_CALLBACK_PHASE_NONE:
      return "ROCPROFILER_CALLBACK_PHASE_NONE";
    case ROCPROFILER_CALLBACK_PHASE_ENTER:
      return "ROCPROFILER_CALLBACK_PHASE_ENTER";
    case ROCPROFILER_CALLBACK_PHASE_EXIT:
      return "ROCPROFILER_CALLBACK_PHASE_EXIT";
    default:
      return "unsupported_rocprofiler_callback_phase_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_callback_tracing_kind_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_CALLBACK_TRACING_NONE:
      return "ROCPROFILER_CALLBACK_TRACING_NONE";
    case ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API:
      return "ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API";
    case ROCPROFILER_CALLBACK_TRACING_HSA_AMD_EXT_API:
      return "ROCPROFILER_CALLBACK_TRACING_HSA_AMD_EXT_API";
    case ROCPROFILER_CALLBACK_TRACING_HSA_IMAGE_EXT_API:
      return "ROCPROFILER_CALLBACK_TRACING_HSA_IMAGE_EXT_API";
    case ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API:
      return "ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API";
    case ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API:
      return "ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API";
    case ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API:
      return "ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API";
    case ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API:
      return "ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API";
    case ROCPROFILER_CALLBACK_TRACING_MARKER_CONTROL_API:
      return "ROCPROFILER_CALLBACK_TRACING_MARKER_CONTROL_API";
    case ROCPROFILER_CALLBACK_TRACING_MARKER_NAME_API:
      return "ROCPROFILER_CALLBACK_TRACING_MARKER_NAME_API";
    case ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT:
      return "ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT";
    case ROCPROFILER_CALLBACK_TRACING_SCRATCH_MEMORY:
      return "ROCPROFILER_CALLBACK_TRACING_SCRATCH_MEMORY";
    case ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH:
      return "ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH";
    case ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY:
      return "ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY";
    case ROCPROFILER_CALLBACK_TRACING_RCCL_API:
      return "ROCPROFILER_CALLBACK_TRACING_RCCL_API";
    case ROCPROFILER_CALLBACK_TRACING_OMPT:
      return "ROCPROFILER_CALLBACK_TRACING_OMPT";
    case ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION:
      return "ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION";
    case ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION:
      return "ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION";
    case ROCPROFILER_CALLBACK_TRACING_ROCDECODE_API:
      return "ROCPROFILER_CALLBACK_TRACING_ROCDECODE_API";
    case ROCPROFILER_CALLBACK_TRACING_ROCJPEG_API:
      return "ROCPROFILER_CALLBACK_TRACING_ROCJPEG_API";
    case ROCPROFILER_CALLBACK_TRACING_HIP_STREAM:
      return "ROCPROFILER_CALLBACK_TRACING_HIP_STREAM";
    case ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API:
      return "ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API";
    default:
      return "unsupported_rocprofiler_callback_tracing_kind_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_code_object_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_CODE_OBJECT_NONE:
      return "ROCPROFILER_CODE_OBJECT_NONE";
    case ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER:
      return "ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER";
    case ROCPROFILER_CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER:
      return "ROCPROFILER_CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER";
    default:
      return "unsupported_rocprofiler_code_object_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_code_object_storage_type_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_NONE:
      return "ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_NONE";
    case ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_FILE:
      return "ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_FILE";
    case ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY:
      return "ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY";
    default:
      return "unsupported_rocprofiler_code_object_storage_type_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_counter_flag_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_COUNTER_FLAG_NONE:
      return "ROCPROFILER_COUNTER_FLAG_NONE";
    case ROCPROFILER_COUNTER_FLAG_ASYNC:
      return "ROCPROFILER_COUNTER_FLAG_ASYNC";
    case ROCPROFILER_COUNTER_FLAG_APPEND_DEFINITION:
      return "ROCPROFILER_COUNTER_FLAG_APPEND_DEFINITION";
    default:
      return "unsupported_rocprofiler_counter_flag_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_counter_info_version_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_COUNTER_INFO_VERSION_NONE:
      return "ROCPROFILER_COUNTER_INFO_VERSION_NONE";
    case ROCPROFILER_COUNTER_INFO_VERSION_0:
      return "ROCPROFILER_COUNTER_INFO_VERSION_0";
    case ROCPROFILER_COUNTER_INFO_VERSION_1:
      return "ROCPROFILER_COUNTER_INFO_VERSION_1";
    default:
      return "unsupported_rocprofiler_counter_info_version_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_counter_record_kind_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_COUNTER_RECORD_NONE:
      return "ROCPROFILER_COUNTER_RECORD_NONE";
    case ROCPROFILER_COUNTER_RECORD_PROFILE_COUNTING_DISPATCH_HEADER:
      return "ROCPROFILER_COUNTER_RECORD_PROFILE_COUNTING_DISPATCH_HEADER";
    case ROCPROFILER_COUNTER_RECORD_VALUE:
      return "ROCPROFILER_COUNTER_RECORD_VALUE";
    default:
      return "unsupported_rocprofiler_counter_record_kind_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_external_correlation_id_request_kind_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_NONE:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_NONE";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_CORE_API:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_CORE_API";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_AMD_EXT_API:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_AMD_EXT_API";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_IMAGE_EXT_API:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_IMAGE_EXT_API";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_FINALIZE_EXT_API:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_FINALIZE_EXT_API";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HIP_RUNTIME_API:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HIP_RUNTIME_API";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HIP_COMPILER_API:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HIP_COMPILER_API";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CORE_API:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CORE_API";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CONTROL_API:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CONTROL_API";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_NAME_API:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_NAME_API";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_COPY:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_COPY";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_KERNEL_DISPATCH:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_KERNEL_DISPATCH";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_SCRATCH_MEMORY:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_SCRATCH_MEMORY";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_RCCL_API:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_RCCL_API";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_OMPT:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_OMPT";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_ALLOCATION:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_ALLOCATION";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_ROCDECODE_API:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_ROCDECODE_API";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_ROCJPEG_API:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_ROCJPEG_API";
    case ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CORE_RANGE_API:
      return "ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CORE_RANGE_API";
    default:
      return "unsupported_rocprofiler_external_correlation_id_request_kind_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_hip_compiler_api_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_HIP_COMPILER_API_ID_NONE:
      return "ROCPROFILER_HIP_COMPILER_API_ID_NONE";
    case ROCPROFILER_HIP_COMPILER_API_ID___hipPopCallConfiguration:
      return "ROCPROFILER_HIP_COMPILER_API_ID___hipPopCallConfiguration";
    case ROCPROFILER_HIP_COMPILER_API_ID___hipPushCallConfiguration:
      return "ROCPROFILER_HIP_COMPILER_API_ID___hipPushCallConfiguration";
    case ROCPROFILER_HIP_COMPILER_API_ID___hipRegisterFatBinary:
      return "ROCPROFILER_HIP_COMPILER_API_ID___hipRegisterFatBinary";
    case ROCPROFILER_HIP_COMPILER_API_ID___hipRegisterFunction:
      return "ROCPROFILER_HIP_COMPILER_API_ID___hipRegisterFunction";
    case ROCPROFILER_HIP_COMPILER_API_ID___hipRegisterManagedVar:
      return "ROCPROFILER_HIP_COMPILER_API_ID___hipRegisterManagedVar";
    case ROCPROFILER_HIP_COMPILER_API_ID___hipRegisterSurface:
      return "ROCPROFILER_HIP_COMPILER_API_ID___hipRegisterSurface";
    case ROCPROFILER_HIP_COMPILER_API_ID___hipRegisterTexture:
      return "ROCPROFILER_HIP_COMPILER_API_ID___hipRegisterTexture";
    case ROCPROFILER_HIP_COMPILER_API_ID___hipRegisterVar:
      return "ROCPROFILER_HIP_COMPILER_API_ID___hipRegisterVar";
    case ROCPROFILER_HIP_COMPILER_API_ID___hipUnregisterFatBinary:
      return "ROCPROFILER_HIP_COMPILER_API_ID___hipUnregisterFatBinary";
    default:
      return "unsupported_rocprofiler_hip_compiler_api_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_hip_runtime_api_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_HIP_RUNTIME_API_ID_NONE:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_NONE";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipApiName:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipApiName";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipArray3DCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipArray3DCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipArray3DGetDescriptor:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipArray3DGetDescriptor";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipArrayCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipArrayCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipArrayDestroy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipArrayDestroy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipArrayGetDescriptor:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipArrayGetDescriptor";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipArrayGetInfo:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipArrayGetInfo";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipBindTexture:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipBindTexture";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipBindTexture2D:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipBindTexture2D";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipBindTextureToArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipBindTextureToArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipBindTextureToMipmappedArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipBindTextureToMipmappedArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipChooseDevice:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipChooseDevice";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipChooseDeviceR0000:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipChooseDeviceR0000";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipConfigureCall:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipConfigureCall";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCreateSurfaceObject:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCreateSurfaceObject";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCreateTextureObject:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCreateTextureObject";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxDestroy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxDestroy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxDisablePeerAccess:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxDisablePeerAccess";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxEnablePeerAccess:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxEnablePeerAccess";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxGetApiVersion:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxGetApiVersion";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxGetCacheConfig:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxGetCacheConfig";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxGetCurrent:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxGetCurrent";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxGetDevice:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxGetDevice";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxGetFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxGetFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxGetSharedMemConfig:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxGetSharedMemConfig";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxPopCurrent:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxPopCurrent";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxPushCurrent:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxPushCurrent";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxSetCacheConfig:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxSetCacheConfig";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxSetCurrent:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxSetCurrent";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxSetSharedMemConfig:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxSetSharedMemConfig";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxSynchronize:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCtxSynchronize";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDestroyExternalMemory:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDestroyExternalMemory";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDestroyExternalSemaphore:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDestroyExternalSemaphore";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDestroySurfaceObject:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDestroySurfaceObject";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDestroyTextureObject:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDestroyTextureObject";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceCanAccessPeer:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceCanAccessPeer";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceComputeCapability:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceComputeCapability";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceDisablePeerAccess:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceDisablePeerAccess";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceEnablePeerAccess:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceEnablePeerAccess";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGet:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGet";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetByPCIBusId:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetByPCIBusId";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetCacheConfig:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetCacheConfig";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetDefaultMemPool:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetDefaultMemPool";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetGraphMemAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetGraphMemAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetLimit:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetLimit";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetMemPool:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetMemPool";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetName:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetName";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetP2PAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetP2PAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetPCIBusId:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetPCIBusId";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetSharedMemConfig:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetSharedMemConfig";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetStreamPriorityRange:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetStreamPriorityRange";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetUuid:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetUuid";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGraphMemTrim:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGraphMemTrim";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDevicePrimaryCtxGetState:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDevicePrimaryCtxGetState";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDevicePrimaryCtxRelease:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDevicePrimaryCtxRelease";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDevicePrimaryCtxReset:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDevicePrimaryCtxReset";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDevicePrimaryCtxRetain:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDevicePrimaryCtxRetain";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDevicePrimaryCtxSetFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDevicePrimaryCtxSetFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceReset:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceReset";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceSetCacheConfig:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceSetCacheConfig";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceSetGraphMemAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceSetGraphMemAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceSetLimit:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceSetLimit";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceSetMemPool:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceSetMemPool";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceSetSharedMemConfig:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceSetSharedMemConfig";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceSynchronize:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceSynchronize";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceTotalMem:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceTotalMem";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDriverGetVersion:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDriverGetVersion";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGetErrorName:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGetErrorName";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGetErrorString:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGetErrorString";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphAddMemcpyNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphAddMemcpyNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvMemcpy2DUnaligned:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvMemcpy2DUnaligned";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvMemcpy3D:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvMemcpy3D";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvMemcpy3DAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvMemcpy3DAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvPointerGetAttributes:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvPointerGetAttributes";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipEventCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipEventCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipEventCreateWithFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipEventCreateWithFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipEventDestroy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipEventDestroy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipEventElapsedTime:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipEventElapsedTime";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipEventQuery:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipEventQuery";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipEventRecord:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipEventRecord";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipEventSynchronize:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipEventSynchronize";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExtGetLinkTypeAndHopCount:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExtGetLinkTypeAndHopCount";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExtLaunchKernel:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExtLaunchKernel";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExtLaunchMultiKernelMultiDevice:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExtLaunchMultiKernelMultiDevice";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExtMallocWithFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExtMallocWithFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExtStreamCreateWithCUMask:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExtStreamCreateWithCUMask";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExtStreamGetCUMask:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExtStreamGetCUMask";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExternalMemoryGetMappedBuffer:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExternalMemoryGetMappedBuffer";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipFree:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipFree";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipFreeArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipFreeArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipFreeAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipFreeAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipFreeHost:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipFreeHost";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipFreeMipmappedArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipFreeMipmappedArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipFuncGetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipFuncGetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipFuncGetAttributes:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipFuncGetAttributes";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipFuncSetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipFuncSetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipFuncSetCacheConfig:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipFuncSetCacheConfig";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipFuncSetSharedMemConfig:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipFuncSetSharedMemConfig";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGLGetDevices:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGLGetDevices";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetChannelDesc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetChannelDesc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDevice:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDevice";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDeviceCount:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDeviceCount";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDeviceFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDeviceFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDevicePropertiesR0600:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDevicePropertiesR0600";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDevicePropertiesR0000:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDevicePropertiesR0000";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetErrorName:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetErrorName";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetErrorString:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetErrorString";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetLastError:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetLastError";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetMipmappedArrayLevel:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetMipmappedArrayLevel";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetSymbolAddress:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetSymbolAddress";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetSymbolSize:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetSymbolSize";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetTextureAlignmentOffset:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetTextureAlignmentOffset";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetTextureObjectResourceDesc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetTextureObjectResourceDesc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetTextureObjectResourceViewDesc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetTextureObjectResourceViewDesc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetTextureObjectTextureDesc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetTextureObjectTextureDesc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetTextureReference:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetTextureReference";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddChildGraphNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddChildGraphNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddDependencies:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddDependencies";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddEmptyNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddEmptyNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddEventRecordNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddEventRecordNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddEventWaitNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddEventWaitNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddHostNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddHostNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddKernelNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddKernelNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemAllocNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemAllocNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemFreeNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemFreeNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemcpyNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemcpyNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemcpyNode1D:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemcpyNode1D";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemcpyNodeFromSymbol:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemcpyNodeFromSymbol";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemcpyNodeToSymbol:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemcpyNodeToSymbol";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemsetNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddMemsetNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphChildGraphNodeGetGraph:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphChildGraphNodeGetGraph";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphClone:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphClone";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphDebugDotPrint:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphDebugDotPrint";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphDestroy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphDestroy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphDestroyNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphDestroyNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphEventRecordNodeGetEvent:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphEventRecordNodeGetEvent";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphEventRecordNodeSetEvent:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphEventRecordNodeSetEvent";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphEventWaitNodeGetEvent:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphEventWaitNodeGetEvent";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphEventWaitNodeSetEvent:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphEventWaitNodeSetEvent";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecChildGraphNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecChildGraphNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecDestroy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecDestroy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecEventRecordNodeSetEvent:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecEventRecordNodeSetEvent";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecEventWaitNodeSetEvent:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecEventWaitNodeSetEvent";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecHostNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecHostNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecKernelNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecKernelNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecMemcpyNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecMemcpyNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecMemcpyNodeSetParams1D:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecMemcpyNodeSetParams1D";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecMemcpyNodeSetParamsFromSymbol:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecMemcpyNodeSetParamsFromSymbol";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecMemcpyNodeSetParamsToSymbol:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecMemcpyNodeSetParamsToSymbol";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecMemsetNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecMemsetNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecUpdate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecUpdate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphGetEdges:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphGetEdges";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphGetNodes:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphGetNodes";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphGetRootNodes:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphGetRootNodes";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphHostNodeGetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphHostNodeGetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphHostNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphHostNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphInstantiate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphInstantiate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphInstantiateWithFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphInstantiateWithFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphKernelNodeCopyAttributes:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphKernelNodeCopyAttributes";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphKernelNodeGetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphKernelNodeGetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphKernelNodeGetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphKernelNodeGetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphKernelNodeSetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphKernelNodeSetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphKernelNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphKernelNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphLaunch:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphLaunch";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemAllocNodeGetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemAllocNodeGetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemFreeNodeGetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemFreeNodeGetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemcpyNodeGetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemcpyNodeGetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemcpyNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemcpyNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemcpyNodeSetParams1D:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemcpyNodeSetParams1D";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemcpyNodeSetParamsFromSymbol:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemcpyNodeSetParamsFromSymbol";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemcpyNodeSetParamsToSymbol:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemcpyNodeSetParamsToSymbol";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemsetNodeGetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemsetNodeGetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemsetNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphMemsetNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeFindInClone:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeFindInClone";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeGetDependencies:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeGetDependencies";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeGetDependentNodes:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeGetDependentNodes";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeGetEnabled:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeGetEnabled";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeGetType:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeGetType";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeSetEnabled:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeSetEnabled";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphReleaseUserObject:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphReleaseUserObject";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphRemoveDependencies:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphRemoveDependencies";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphRetainUserObject:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphRetainUserObject";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphUpload:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphUpload";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsGLRegisterBuffer:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsGLRegisterBuffer";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsGLRegisterImage:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsGLRegisterImage";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsMapResources:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsMapResources";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsResourceGetMappedPointer:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsResourceGetMappedPointer";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsSubResourceGetMappedArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsSubResourceGetMappedArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsUnmapResources:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsUnmapResources";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsUnregisterResource:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphicsUnregisterResource";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipHostAlloc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipHostAlloc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipHostFree:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipHostFree";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipHostGetDevicePointer:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipHostGetDevicePointer";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipHostGetFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipHostGetFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipHostMalloc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipHostMalloc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipHostRegister:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipHostRegister";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipHostUnregister:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipHostUnregister";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipImportExternalMemory:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipImportExternalMemory";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipImportExternalSemaphore:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipImportExternalSemaphore";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipInit:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipInit";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipIpcCloseMemHandle:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipIpcCloseMemHandle";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipIpcGetEventHandle:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipIpcGetEventHandle";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipIpcGetMemHandle:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipIpcGetMemHandle";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipIpcOpenEventHandle:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipIpcOpenEventHandle";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipIpcOpenMemHandle:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipIpcOpenMemHandle";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelNameRef:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelNameRef";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelNameRefByPtr:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelNameRefByPtr";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchByPtr:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchByPtr";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchCooperativeKernel:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchCooperativeKernel";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchCooperativeKernelMultiDevice:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchCooperativeKernelMultiDevice";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchHostFunc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchHostFunc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchKernel:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchKernel";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMalloc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMalloc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMalloc3D:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMalloc3D";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMalloc3DArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMalloc3DArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocFromPoolAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocFromPoolAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocHost:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocHost";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocManaged:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocManaged";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocMipmappedArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocMipmappedArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocPitch:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMallocPitch";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemAddressFree:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemAddressFree";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemAddressReserve:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemAddressReserve";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemAdvise:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemAdvise";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemAllocHost:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemAllocHost";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemAllocPitch:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemAllocPitch";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemExportToShareableHandle:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemExportToShareableHandle";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetAccess:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetAccess";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetAddressRange:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetAddressRange";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetAllocationGranularity:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetAllocationGranularity";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetAllocationPropertiesFromHandle:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetAllocationPropertiesFromHandle";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetInfo:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetInfo";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemImportFromShareableHandle:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemImportFromShareableHandle";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemMap:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemMap";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemMapArrayAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemMapArrayAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolDestroy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolDestroy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolExportPointer:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolExportPointer";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolExportToShareableHandle:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolExportToShareableHandle";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolGetAccess:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolGetAccess";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolGetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolGetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolImportFromShareableHandle:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolImportFromShareableHandle";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolImportPointer:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolImportPointer";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolSetAccess:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolSetAccess";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolSetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolSetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolTrimTo:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPoolTrimTo";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPrefetchAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPrefetchAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPtrGetInfo:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPtrGetInfo";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemRangeGetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemRangeGetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemRangeGetAttributes:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemRangeGetAttributes";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemRelease:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemRelease";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemRetainAllocationHandle:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemRetainAllocationHandle";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemSetAccess:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemSetAccess";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemUnmap:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemUnmap";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2D:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2D";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DFromArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DFromArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DFromArrayAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DFromArrayAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DToArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DToArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DToArrayAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DToArrayAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3D:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3D";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3DAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3DAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyAtoH:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyAtoH";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyDtoD:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyDtoD";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyDtoDAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyDtoDAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyDtoH:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyDtoH";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyDtoHAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyDtoHAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyFromArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyFromArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyFromSymbol:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyFromSymbol";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyFromSymbolAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyFromSymbolAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyHtoA:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyHtoA";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyHtoD:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyHtoD";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyHtoDAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyHtoDAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyParam2D:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyParam2D";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyParam2DAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyParam2DAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyPeer:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyPeer";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyPeerAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyPeerAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyToArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyToArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyToSymbol:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyToSymbol";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyToSymbolAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyToSymbolAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyWithStream:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyWithStream";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset2D:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset2D";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset2DAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset2DAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset3D:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset3D";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset3DAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset3DAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD16:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD16";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD16Async:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD16Async";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD32:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD32";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD32Async:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD32Async";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD8:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD8";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD8Async:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD8Async";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMipmappedArrayCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMipmappedArrayCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMipmappedArrayDestroy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMipmappedArrayDestroy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMipmappedArrayGetLevel:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMipmappedArrayGetLevel";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleGetFunction:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleGetFunction";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleGetGlobal:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleGetGlobal";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleGetTexRef:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleGetTexRef";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLaunchCooperativeKernel:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLaunchCooperativeKernel";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLaunchCooperativeKernelMultiDevice:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLaunchCooperativeKernelMultiDevice";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLaunchKernel:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLaunchKernel";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLoad:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLoad";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLoadData:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLoadData";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLoadDataEx:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLoadDataEx";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleOccupancyMaxActiveBlocksPerMultiprocessor:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleOccupancyMaxActiveBlocksPerMultiprocessor";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleOccupancyMaxPotentialBlockSize:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleOccupancyMaxPotentialBlockSize";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleOccupancyMaxPotentialBlockSizeWithFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleOccupancyMaxPotentialBlockSizeWithFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleUnload:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleUnload";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipOccupancyMaxActiveBlocksPerMultiprocessor:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipOccupancyMaxActiveBlocksPerMultiprocessor";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipOccupancyMaxPotentialBlockSize:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipOccupancyMaxPotentialBlockSize";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipPeekAtLastError:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipPeekAtLastError";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipPointerGetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipPointerGetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipPointerGetAttributes:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipPointerGetAttributes";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipPointerSetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipPointerSetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipProfilerStart:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipProfilerStart";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipProfilerStop:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipProfilerStop";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipRuntimeGetVersion:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipRuntimeGetVersion";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipSetDevice:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipSetDevice";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipSetDeviceFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipSetDeviceFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipSetupArgument:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipSetupArgument";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipSignalExternalSemaphoresAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipSignalExternalSemaphoresAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamAddCallback:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamAddCallback";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamAttachMemAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamAttachMemAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamBeginCapture:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamBeginCapture";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamCreateWithFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamCreateWithFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamCreateWithPriority:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamCreateWithPriority";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamDestroy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamDestroy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamEndCapture:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamEndCapture";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetCaptureInfo:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetCaptureInfo";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetCaptureInfo_v2:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetCaptureInfo_v2";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetDevice:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetDevice";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetPriority:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetPriority";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamIsCapturing:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamIsCapturing";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamQuery:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamQuery";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamSynchronize:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamSynchronize";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamUpdateCaptureDependencies:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamUpdateCaptureDependencies";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamWaitEvent:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamWaitEvent";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamWaitValue32:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamWaitValue32";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamWaitValue64:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamWaitValue64";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamWriteValue32:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamWriteValue32";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamWriteValue64:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamWriteValue64";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexObjectCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexObjectCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexObjectDestroy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexObjectDestroy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexObjectGetResourceDesc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexObjectGetResourceDesc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexObjectGetResourceViewDesc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexObjectGetResourceViewDesc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexObjectGetTextureDesc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexObjectGetTextureDesc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetAddress:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetAddress";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetAddressMode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetAddressMode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetFilterMode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetFilterMode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetFormat:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetFormat";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetMaxAnisotropy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetMaxAnisotropy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetMipMappedArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetMipMappedArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetMipmapFilterMode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetMipmapFilterMode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetMipmapLevelBias:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetMipmapLevelBias";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetMipmapLevelClamp:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetMipmapLevelClamp";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetAddress:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetAddress";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetAddress2D:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetAddress2D";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetAddressMode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetAddressMode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetBorderColor:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetBorderColor";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetFilterMode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetFilterMode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetFormat:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetFormat";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetMaxAnisotropy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetMaxAnisotropy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetMipmapFilterMode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetMipmapFilterMode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetMipmapLevelBias:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetMipmapLevelBias";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetMipmapLevelClamp:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetMipmapLevelClamp";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetMipmappedArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefSetMipmappedArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipThreadExchangeStreamCaptureMode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipThreadExchangeStreamCaptureMode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipUnbindTexture:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipUnbindTexture";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipUserObjectCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipUserObjectCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipUserObjectRelease:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipUserObjectRelease";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipUserObjectRetain:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipUserObjectRetain";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipWaitExternalSemaphoresAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipWaitExternalSemaphoresAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipCreateChannelDesc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipCreateChannelDesc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExtModuleLaunchKernel:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExtModuleLaunchKernel";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipHccModuleLaunchKernel:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipHccModuleLaunchKernel";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyToSymbol_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyToSymbol_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyFromSymbol_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyFromSymbol_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2D_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2D_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DFromArray_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DFromArray_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3D_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3D_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetAsync_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetAsync_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset2D_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset2D_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset2DAsync_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset2DAsync_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset3DAsync_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset3DAsync_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset3D_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemset3D_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyAsync_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyAsync_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3DAsync_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3DAsync_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DAsync_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DAsync_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyFromSymbolAsync_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyFromSymbolAsync_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyToSymbolAsync_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyToSymbolAsync_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyFromArray_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyFromArray_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DToArray_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DToArray_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DFromArrayAsync_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DFromArrayAsync_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DToArrayAsync_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DToArrayAsync_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamQuery_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamQuery_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamSynchronize_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamSynchronize_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetPriority_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetPriority_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamWaitEvent_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamWaitEvent_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetFlags_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetFlags_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamAddCallback_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamAddCallback_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipEventRecord_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipEventRecord_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchCooperativeKernel_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchCooperativeKernel_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchKernel_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchKernel_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphLaunch_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphLaunch_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamBeginCapture_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamBeginCapture_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamEndCapture_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamEndCapture_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamIsCapturing_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamIsCapturing_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetCaptureInfo_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetCaptureInfo_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetCaptureInfo_v2_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetCaptureInfo_v2_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchHostFunc_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchHostFunc_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetStreamDeviceId:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetStreamDeviceId";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphAddMemsetNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphAddMemsetNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddExternalSemaphoresWaitNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddExternalSemaphoresWaitNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddExternalSemaphoresSignalNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddExternalSemaphoresSignalNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExternalSemaphoresSignalNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExternalSemaphoresSignalNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExternalSemaphoresWaitNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExternalSemaphoresWaitNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExternalSemaphoresSignalNodeGetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExternalSemaphoresSignalNodeGetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExternalSemaphoresWaitNodeGetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExternalSemaphoresWaitNodeGetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecExternalSemaphoresSignalNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecExternalSemaphoresSignalNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecExternalSemaphoresWaitNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecExternalSemaphoresWaitNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphInstantiateWithParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphInstantiateWithParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExtGetLastError:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExtGetLastError";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetBorderColor:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetBorderColor";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipTexRefGetArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetProcAddress:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetProcAddress";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamBeginCaptureToGraph:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamBeginCaptureToGraph";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetFuncBySymbol:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetFuncBySymbol";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipSetValidDevices:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipSetValidDevices";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyAtoD:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyAtoD";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyDtoA:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyDtoA";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyAtoA:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyAtoA";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyAtoHAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyAtoHAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyHtoAAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyHtoAAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DArrayToArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy2DArrayToArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphAddMemFreeNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphAddMemFreeNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphExecMemcpyNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphExecMemcpyNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphExecMemsetNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphExecMemsetNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecGetFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecGetFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExternalMemoryGetMappedMipmappedArray:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExternalMemoryGetMappedMipmappedArray";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphMemcpyNodeGetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphMemcpyNodeGetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphMemcpyNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvGraphMemcpyNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExtHostAlloc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExtHostAlloc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetTexture1DLinearMaxWidth:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetTexture1DLinearMaxWidth";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamBatchMemOp:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamBatchMemOp";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddBatchMemOpNode:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphAddBatchMemOpNode";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphBatchMemOpNodeGetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphBatchMemOpNodeGetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphBatchMemOpNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphBatchMemOpNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecBatchMemOpNodeSetParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphExecBatchMemOpNodeSetParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLinkAddData:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLinkAddData";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLinkAddFile:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLinkAddFile";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLinkComplete:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLinkComplete";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLinkCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLinkCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLinkDestroy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLinkDestroy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipEventRecordWithFlags:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipEventRecordWithFlags";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchKernelExC:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchKernelExC";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvLaunchKernelEx:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvLaunchKernelEx";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetHandleForAddressRange:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetHandleForAddressRange";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleGetFunctionCount:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleGetFunctionCount";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD2D8:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD2D8";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD2D8Async:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD2D8Async";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD2D16:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD2D16";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD2D16Async:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD2D16Async";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD2D32:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD2D32";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD2D32Async:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemsetD2D32Async";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamSetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamSetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLoadFatBinary:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLoadFatBinary";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyBatchAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyBatchAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3DBatchAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3DBatchAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3DPeer:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3DPeer";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3DPeerAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpy3DPeerAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDriverEntryPoint:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDriverEntryPoint";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDriverEntryPoint_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetDriverEntryPoint_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPrefetchAsync_v2:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPrefetchAsync_v2";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemAdvise_v2:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemAdvise_v2";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetId:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetId";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryLoadData:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryLoadData";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryLoadFromFile:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryLoadFromFile";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryUnload:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryUnload";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryGetKernel:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryGetKernel";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryGetKernelCount:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryGetKernelCount";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamCopyAttributes:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamCopyAttributes";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryEnumerateKernels:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryEnumerateKernels";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelGetLibrary:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelGetLibrary";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelGetName:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelGetName";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipOccupancyAvailableDynamicSMemPerBlock:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipOccupancyAvailableDynamicSMemPerBlock";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGetProcAddress_spt:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGetProcAddress_spt";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelGetParamInfo:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelGetParamInfo";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExtDisableLogging:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExtDisableLogging";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExtEnableLogging:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExtEnableLogging";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExtSetLoggingParams:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExtSetLoggingParams";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemSetMemPool:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemSetMemPool";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetMemPool:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetMemPool";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMipmappedArrayGetMemoryRequirements:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMipmappedArrayGetMemoryRequirements";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelGetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelGetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelSetAttribute:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelSetAttribute";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelGetFunction:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipKernelGetFunction";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPrefetchBatchAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemPrefetchBatchAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipOccupancyMaxPotentialClusterSize:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipOccupancyMaxPotentialClusterSize";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipOccupancyMaxActiveClusters:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipOccupancyMaxActiveClusters";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipGreenCtxCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipGreenCtxCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxDestroy:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxDestroy";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxStreamCreate:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxStreamCreate";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetDevResource:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetDevResource";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDevSmResourceSplitByCount:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDevSmResourceSplitByCount";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDevSmResourceSplit:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDevSmResourceSplit";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDevResourceGenerateDesc:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDevResourceGenerateDesc";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetExecutionCtx:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDeviceGetExecutionCtx";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxGetDevResource:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxGetDevResource";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxGetDevice:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxGetDevice";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxGetId:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxGetId";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetDevResource:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamGetDevResource";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxRecordEvent:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxRecordEvent";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxSynchronize:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxSynchronize";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxWaitEvent:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipExecutionCtxWaitEvent";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryGetGlobal:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryGetGlobal";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryGetManaged:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipLibraryGetManaged";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemDiscardBatchAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemDiscardBatchAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvMemDiscardBatchAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvMemDiscardBatchAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipMemDiscardAndPrefetchBatchAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipMemDiscardAndPrefetchBatchAsync";
    case ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvMemDiscardAndPrefetchBatchAsync:
      return "ROCPROFILER_HIP_RUNTIME_API_ID_hipDrvMemDiscardAndPrefetchBatchAsync";
    default:
      return "unsupported_rocprofiler_hip_runtime_api_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_hip_stream_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_HIP_STREAM_NONE:
      return "ROCPROFILER_HIP_STREAM_NONE";
    case ROCPROFILER_HIP_STREAM_CREATE:
      return "ROCPROFILER_HIP_STREAM_CREATE";
    case ROCPROFILER_HIP_STREAM_DESTROY:
      return "ROCPROFILER_HIP_STREAM_DESTROY";
    case ROCPROFILER_HIP_STREAM_SET:
      return "ROCPROFILER_HIP_STREAM_SET";
    default:
      return "unsupported_rocprofiler_hip_stream_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_hip_table_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_HIP_TABLE_ID_NONE:
      return "ROCPROFILER_HIP_TABLE_ID_NONE";
    case ROCPROFILER_HIP_TABLE_ID_Compiler:
      return "ROCPROFILER_HIP_TABLE_ID_Compiler";
    case ROCPROFILER_HIP_TABLE_ID_Runtime:
      return "ROCPROFILER_HIP_TABLE_ID_Runtime";
    default:
      return "unsupported_rocprofiler_hip_table_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_hsa_amd_ext_api_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_HSA_AMD_EXT_API_ID_NONE:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_NONE";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_coherency_get_type:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_coherency_get_type";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_coherency_set_type:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_coherency_set_type";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_profiling_set_profiler_enabled:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_profiling_set_profiler_enabled";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_profiling_async_copy_enable:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_profiling_async_copy_enable";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_profiling_get_dispatch_time:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_profiling_get_dispatch_time";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_profiling_get_async_copy_time:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_profiling_get_async_copy_time";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_profiling_convert_tick_to_system_domain:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_profiling_convert_tick_to_system_domain";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_signal_async_handler:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_signal_async_handler";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_async_function:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_async_function";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_signal_wait_any:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_signal_wait_any";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_queue_cu_set_mask:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_queue_cu_set_mask";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_pool_get_info:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_pool_get_info";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_agent_iterate_memory_pools:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_agent_iterate_memory_pools";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_pool_allocate:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_pool_allocate";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_pool_free:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_pool_free";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_async_copy:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_async_copy";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_async_copy_on_engine:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_async_copy_on_engine";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_copy_engine_status:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_copy_engine_status";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_agent_memory_pool_get_info:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_agent_memory_pool_get_info";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_agents_allow_access:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_agents_allow_access";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_pool_can_migrate:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_pool_can_migrate";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_migrate:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_migrate";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_lock:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_lock";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_unlock:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_unlock";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_fill:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_fill";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_interop_map_buffer:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_interop_map_buffer";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_interop_unmap_buffer:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_interop_unmap_buffer";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_image_create:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_image_create";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_pointer_info:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_pointer_info";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_pointer_info_set_userdata:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_pointer_info_set_userdata";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_ipc_memory_create:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_ipc_memory_create";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_ipc_memory_attach:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_ipc_memory_attach";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_ipc_memory_detach:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_ipc_memory_detach";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_signal_create:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_signal_create";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_ipc_signal_create:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_ipc_signal_create";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_ipc_signal_attach:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_ipc_signal_attach";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_register_system_event_handler:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_register_system_event_handler";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_queue_intercept_create:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_queue_intercept_create";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_queue_intercept_register:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_queue_intercept_register";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_queue_set_priority:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_queue_set_priority";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_async_copy_rect:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_async_copy_rect";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_runtime_queue_create_register:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_runtime_queue_create_register";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_lock_to_pool:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_lock_to_pool";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_register_deallocation_callback:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_register_deallocation_callback";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_deregister_deallocation_callback:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_deregister_deallocation_callback";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_signal_value_pointer:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_signal_value_pointer";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_svm_attributes_set:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_svm_attributes_set";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_svm_attributes_get:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_svm_attributes_get";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_svm_prefetch_async:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_svm_prefetch_async";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_spm_acquire:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_spm_acquire";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_spm_release:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_spm_release";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_spm_set_dest_buffer:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_spm_set_dest_buffer";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_queue_cu_get_mask:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_queue_cu_get_mask";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_portable_export_dmabuf:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_portable_export_dmabuf";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_portable_close_dmabuf:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_portable_close_dmabuf";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_address_reserve:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_address_reserve";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_address_free:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_address_free";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_handle_create:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_handle_create";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_handle_release:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_handle_release";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_map:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_map";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_unmap:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_unmap";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_set_access:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_set_access";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_get_access:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_get_access";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_export_shareable_handle:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_export_shareable_handle";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_import_shareable_handle:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_import_shareable_handle";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_retain_alloc_handle:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_retain_alloc_handle";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_get_alloc_properties_from_handle:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_get_alloc_properties_from_handle";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_agent_set_async_scratch_limit:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_agent_set_async_scratch_limit";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_queue_get_info:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_queue_get_info";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_address_reserve_align:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_vmem_address_reserve_align";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_enable_logging:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_enable_logging";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_signal_wait_all:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_signal_wait_all";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_get_preferred_copy_engine:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_get_preferred_copy_engine";
    case ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_portable_export_dmabuf_v2:
      return "ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_portable_export_dmabuf_v2";
    default:
      return "unsupported_rocprofiler_hsa_amd_ext_api_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_hsa_core_api_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_HSA_CORE_API_ID_NONE:
      return "ROCPROFILER_HSA_CORE_API_ID_NONE";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_init:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_init";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_shut_down:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_shut_down";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_system_get_info:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_system_get_info";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_system_extension_supported:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_system_extension_supported";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_system_get_extension_table:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_system_get_extension_table";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_iterate_agents:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_iterate_agents";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_agent_get_info:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_agent_get_info";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_create:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_create";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_soft_queue_create:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_soft_queue_create";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_destroy:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_destroy";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_inactivate:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_inactivate";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_load_read_index_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_load_read_index_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_load_read_index_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_load_read_index_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_load_write_index_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_load_write_index_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_load_write_index_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_load_write_index_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_store_write_index_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_store_write_index_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_store_write_index_screlease:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_store_write_index_screlease";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_cas_write_index_scacq_screl:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_cas_write_index_scacq_screl";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_cas_write_index_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_cas_write_index_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_cas_write_index_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_cas_write_index_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_cas_write_index_screlease:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_cas_write_index_screlease";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_add_write_index_scacq_screl:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_add_write_index_scacq_screl";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_add_write_index_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_add_write_index_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_add_write_index_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_add_write_index_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_add_write_index_screlease:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_add_write_index_screlease";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_store_read_index_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_store_read_index_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_queue_store_read_index_screlease:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_queue_store_read_index_screlease";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_agent_iterate_regions:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_agent_iterate_regions";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_region_get_info:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_region_get_info";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_agent_get_exception_policies:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_agent_get_exception_policies";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_agent_extension_supported:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_agent_extension_supported";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_memory_register:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_memory_register";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_memory_deregister:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_memory_deregister";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_memory_allocate:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_memory_allocate";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_memory_free:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_memory_free";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_memory_copy:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_memory_copy";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_memory_assign_agent:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_memory_assign_agent";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_create:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_create";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_destroy:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_destroy";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_load_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_load_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_load_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_load_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_store_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_store_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_store_screlease:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_store_screlease";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_wait_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_wait_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_wait_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_wait_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_and_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_and_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_and_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_and_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_and_screlease:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_and_screlease";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_and_scacq_screl:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_and_scacq_screl";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_or_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_or_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_or_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_or_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_or_screlease:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_or_screlease";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_or_scacq_screl:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_or_scacq_screl";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_xor_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_xor_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_xor_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_xor_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_xor_screlease:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_xor_screlease";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_xor_scacq_screl:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_xor_scacq_screl";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_exchange_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_exchange_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_exchange_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_exchange_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_exchange_screlease:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_exchange_screlease";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_exchange_scacq_screl:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_exchange_scacq_screl";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_add_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_add_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_add_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_add_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_add_screlease:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_add_screlease";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_add_scacq_screl:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_add_scacq_screl";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_subtract_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_subtract_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_subtract_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_subtract_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_subtract_screlease:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_subtract_screlease";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_subtract_scacq_screl:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_subtract_scacq_screl";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_cas_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_cas_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_cas_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_cas_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_cas_screlease:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_cas_screlease";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_cas_scacq_screl:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_cas_scacq_screl";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_isa_from_name:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_isa_from_name";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_isa_get_info:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_isa_get_info";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_isa_compatible:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_isa_compatible";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_serialize:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_serialize";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_deserialize:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_deserialize";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_destroy:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_destroy";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_get_info:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_get_info";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_get_symbol:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_get_symbol";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_code_symbol_get_info:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_code_symbol_get_info";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_iterate_symbols:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_iterate_symbols";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_create:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_create";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_destroy:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_destroy";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_load_code_object:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_load_code_object";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_freeze:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_freeze";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_get_info:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_get_info";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_global_variable_define:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_global_variable_define";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_agent_global_variable_define:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_agent_global_variable_define";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_readonly_variable_define:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_readonly_variable_define";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_validate:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_validate";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_get_symbol:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_get_symbol";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_symbol_get_info:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_symbol_get_info";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_iterate_symbols:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_iterate_symbols";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_status_string:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_status_string";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_extension_get_name:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_extension_get_name";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_system_major_extension_supported:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_system_major_extension_supported";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_system_get_major_extension_table:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_system_get_major_extension_table";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_agent_major_extension_supported:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_agent_major_extension_supported";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_cache_get_info:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_cache_get_info";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_agent_iterate_caches:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_agent_iterate_caches";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_silent_store_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_silent_store_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_silent_store_screlease:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_silent_store_screlease";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_group_create:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_group_create";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_group_destroy:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_group_destroy";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_group_wait_any_scacquire:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_group_wait_any_scacquire";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_signal_group_wait_any_relaxed:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_signal_group_wait_any_relaxed";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_agent_iterate_isas:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_agent_iterate_isas";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_isa_get_info_alt:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_isa_get_info_alt";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_isa_get_exception_policies:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_isa_get_exception_policies";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_isa_get_round_method:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_isa_get_round_method";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_wavefront_get_info:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_wavefront_get_info";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_isa_iterate_wavefronts:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_isa_iterate_wavefronts";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_get_symbol_from_name:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_get_symbol_from_name";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_reader_create_from_file:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_reader_create_from_file";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_reader_create_from_memory:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_reader_create_from_memory";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_reader_destroy:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_code_object_reader_destroy";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_create_alt:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_create_alt";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_load_program_code_object:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_load_program_code_object";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_load_agent_code_object:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_load_agent_code_object";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_validate_alt:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_validate_alt";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_get_symbol_by_name:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_get_symbol_by_name";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_iterate_agent_symbols:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_iterate_agent_symbols";
    case ROCPROFILER_HSA_CORE_API_ID_hsa_executable_iterate_program_symbols:
      return "ROCPROFILER_HSA_CORE_API_ID_hsa_executable_iterate_program_symbols";
    default:
      return "unsupported_rocprofiler_hsa_core_api_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_hsa_finalize_ext_api_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_HSA_FINALIZE_EXT_API_ID_NONE:
      return "ROCPROFILER_HSA_FINALIZE_EXT_API_ID_NONE";
    case ROCPROFILER_HSA_FINALIZE_EXT_API_ID_hsa_ext_program_create:
      return "ROCPROFILER_HSA_FINALIZE_EXT_API_ID_hsa_ext_program_create";
    case ROCPROFILER_HSA_FINALIZE_EXT_API_ID_hsa_ext_program_destroy:
      return "ROCPROFILER_HSA_FINALIZE_EXT_API_ID_hsa_ext_program_destroy";
    case ROCPROFILER_HSA_FINALIZE_EXT_API_ID_hsa_ext_program_add_module:
      return "ROCPROFILER_HSA_FINALIZE_EXT_API_ID_hsa_ext_program_add_module";
    case ROCPROFILER_HSA_FINALIZE_EXT_API_ID_hsa_ext_program_iterate_modules:
      return "ROCPROFILER_HSA_FINALIZE_EXT_API_ID_hsa_ext_program_iterate_modules";
    case ROCPROFILER_HSA_FINALIZE_EXT_API_ID_hsa_ext_program_get_info:
      return "ROCPROFILER_HSA_FINALIZE_EXT_API_ID_hsa_ext_program_get_info";
    case ROCPROFILER_HSA_FINALIZE_EXT_API_ID_hsa_ext_program_finalize:
      return "ROCPROFILER_HSA_FINALIZE_EXT_API_ID_hsa_ext_program_finalize";
    default:
      return "unsupported_rocprofiler_hsa_finalize_ext_api_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_hsa_image_ext_api_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_NONE:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_NONE";
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_get_capability:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_get_capability";
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_data_get_info:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_data_get_info";
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_create:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_create";
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_import:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_import";
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_export:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_export";
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_copy:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_copy";
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_clear:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_clear";
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_destroy:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_destroy";
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_sampler_create:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_sampler_create";
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_sampler_destroy:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_sampler_destroy";
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_get_capability_with_layout:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_get_capability_with_layout";
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_data_get_info_with_layout:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_data_get_info_with_layout";
    case ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_create_with_layout:
      return "ROCPROFILER_HSA_IMAGE_EXT_API_ID_hsa_ext_image_create_with_layout";
    default:
      return "unsupported_rocprofiler_hsa_image_ext_api_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_hsa_table_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_HSA_TABLE_ID_NONE:
      return "ROCPROFILER_HSA_TABLE_ID_NONE";
    case ROCPROFILER_HSA_TABLE_ID_Core:
      return "ROCPROFILER_HSA_TABLE_ID_Core";
    case ROCPROFILER_HSA_TABLE_ID_AmdExt:
      return "ROCPROFILER_HSA_TABLE_ID_AmdExt";
    case ROCPROFILER_HSA_TABLE_ID_ImageExt:
      return "ROCPROFILER_HSA_TABLE_ID_ImageExt";
    case ROCPROFILER_HSA_TABLE_ID_FinalizeExt:
      return "ROCPROFILER_HSA_TABLE_ID_FinalizeExt";
    case ROCPROFILER_HSA_TABLE_ID_AmdTool:
      return "ROCPROFILER_HSA_TABLE_ID_AmdTool";
    case ROCPROFILER_HSA_TABLE_ID_PcSamplingExt:
      return "ROCPROFILER_HSA_TABLE_ID_PcSamplingExt";
    default:
      return "unsupported_rocprofiler_hsa_table_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_intercept_table_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_HSA_TABLE:
      return "ROCPROFILER_HSA_TABLE";
    case ROCPROFILER_HIP_RUNTIME_TABLE:
      return "ROCPROFILER_HIP_RUNTIME_TABLE";
    case ROCPROFILER_HIP_COMPILER_TABLE:
      return "ROCPROFILER_HIP_COMPILER_TABLE";
    case ROCPROFILER_MARKER_CORE_TABLE:
      return "ROCPROFILER_MARKER_CORE_TABLE";
    case ROCPROFILER_MARKER_CONTROL_TABLE:
      return "ROCPROFILER_MARKER_CONTROL_TABLE";
    case ROCPROFILER_MARKER_NAME_TABLE:
      return "ROCPROFILER_MARKER_NAME_TABLE";
    case ROCPROFILER_RCCL_TABLE:
      return "ROCPROFILER_RCCL_TABLE";
    case ROCPROFILER_ROCDECODE_TABLE:
      return "ROCPROFILER_ROCDECODE_TABLE";
    case ROCPROFILER_ROCJPEG_TABLE:
      return "ROCPROFILER_ROCJPEG_TABLE";
    default:
      return "unsupported_rocprofiler_intercept_table_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_kernel_dispatch_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_KERNEL_DISPATCH_NONE:
      return "ROCPROFILER_KERNEL_DISPATCH_NONE";
    case ROCPROFILER_KERNEL_DISPATCH_ENQUEUE:
      return "ROCPROFILER_KERNEL_DISPATCH_ENQUEUE";
    case ROCPROFILER_KERNEL_DISPATCH_COMPLETE:
      return "ROCPROFILER_KERNEL_DISPATCH_COMPLETE";
    default:
      return "unsupported_rocprofiler_kernel_dispatch_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_kfd_event_dropped_events_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_KFD_EVENT_DROPPED_EVENTS_NONE:
      return "ROCPROFILER_KFD_EVENT_DROPPED_EVENTS_NONE";
    case ROCPROFILER_KFD_EVENT_DROPPED_EVENTS:
      return "ROCPROFILER_KFD_EVENT_DROPPED_EVENTS";
    default:
      return "unsupported_rocprofiler_kfd_event_dropped_events_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_kfd_event_page_fault_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_KFD_EVENT_PAGE_FAULT_NONE:
      return "ROCPROFILER_KFD_EVENT_PAGE_FAULT_NONE";
    case ROCPROFILER_KFD_EVENT_PAGE_FAULT_START:
      return "ROCPROFILER_KFD_EVENT_PAGE_FAULT_START";
    case ROCPROFILER_KFD_EVENT_PAGE_FAULT_START_READ_FAULT:
      return "ROCPROFILER_KFD_EVENT_PAGE_FAULT_START_READ_FAULT";
    case ROCPROFILER_KFD_EVENT_PAGE_FAULT_START_WRITE_FAULT:
      return "ROCPROFILER_KFD_EVENT_PAGE_FAULT_START_WRITE_FAULT";
    case ROCPROFILER_KFD_EVENT_PAGE_FAULT_END_PAGE_MIGRATED:
      return "ROCPROFILER_KFD_EVENT_PAGE_FAULT_END_PAGE_MIGRATED";
    case ROCPROFILER_KFD_EVENT_PAGE_FAULT_END_PAGE_UPDATED:
      return "ROCPROFILER_KFD_EVENT_PAGE_FAULT_END_PAGE_UPDATED";
    default:
      return "unsupported_rocprofiler_kfd_event_page_fault_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_kfd_event_page_migrate_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_NONE:
      return "ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_NONE";
    case ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_PREFETCH:
      return "ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_PREFETCH";
    case ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_PAGEFAULT_GPU:
      return "ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_PAGEFAULT_GPU";
    case ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_PAGEFAULT_CPU:
      return "ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_PAGEFAULT_CPU";
    case ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_TTM_EVICTION:
      return "ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_TTM_EVICTION";
    case ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_END:
      return "ROCPROFILER_KFD_EVENT_PAGE_MIGRATE_END";
    default:
      return "unsupported_rocprofiler_kfd_event_page_migrate_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_kfd_event_queue_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_KFD_EVENT_QUEUE_NONE:
      return "ROCPROFILER_KFD_EVENT_QUEUE_NONE";
    case ROCPROFILER_KFD_EVENT_QUEUE_EVICT_SVM:
      return "ROCPROFILER_KFD_EVENT_QUEUE_EVICT_SVM";
    case ROCPROFILER_KFD_EVENT_QUEUE_EVICT_USERPTR:
      return "ROCPROFILER_KFD_EVENT_QUEUE_EVICT_USERPTR";
    case ROCPROFILER_KFD_EVENT_QUEUE_EVICT_TTM:
      return "ROCPROFILER_KFD_EVENT_QUEUE_EVICT_TTM";
    case ROCPROFILER_KFD_EVENT_QUEUE_EVICT_SUSPEND:
      return "ROCPROFILER_KFD_EVENT_QUEUE_EVICT_SUSPEND";
    case ROCPROFILER_KFD_EVENT_QUEUE_EVICT_CRIU_CHECKPOINT:
      return "ROCPROFILER_KFD_EVENT_QUEUE_EVICT_CRIU_CHECKPOINT";
    case ROCPROFILER_KFD_EVENT_QUEUE_EVICT_CRIU_RESTORE:
      return "ROCPROFILER_KFD_EVENT_QUEUE_EVICT_CRIU_RESTORE";
    case ROCPROFILER_KFD_EVENT_QUEUE_RESTORE_RESCHEDULED:
      return "ROCPROFILER_KFD_EVENT_QUEUE_RESTORE_RESCHEDULED";
    case ROCPROFILER_KFD_EVENT_QUEUE_RESTORE:
      return "ROCPROFILER_KFD_EVENT_QUEUE_RESTORE";
    default:
      return "unsupported_rocprofiler_kfd_event_queue_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_kfd_event_unmap_from_gpu_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_KFD_EVENT_UNMAP_FROM_GPU_NONE:
      return "ROCPROFILER_KFD_EVENT_UNMAP_FROM_GPU_NONE";
    case ROCPROFILER_KFD_EVENT_UNMAP_FROM_GPU_MMU_NOTIFY:
      return "ROCPROFILER_KFD_EVENT_UNMAP_FROM_GPU_MMU_NOTIFY";
    case ROCPROFILER_KFD_EVENT_UNMAP_FROM_GPU_MMU_NOTIFY_MIGRATE:
      return "ROCPROFILER_KFD_EVENT_UNMAP_FROM_GPU_MMU_NOTIFY_MIGRATE";
    case ROCPROFILER_KFD_EVENT_UNMAP_FROM_GPU_UNMAP_FROM_CPU:
      return "ROCPROFILER_KFD_EVENT_UNMAP_FROM_GPU_UNMAP_FROM_CPU";
    default:
      return "unsupported_rocprofiler_kfd_event_unmap_from_gpu_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_kfd_page_fault_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_KFD_PAGE_FAULT_NONE:
      return "ROCPROFILER_KFD_PAGE_FAULT_NONE";
    case ROCPROFILER_KFD_PAGE_FAULT_READ_FAULT_MIGRATED:
      return "ROCPROFILER_KFD_PAGE_FAULT_READ_FAULT_MIGRATED";
    case ROCPROFILER_KFD_PAGE_FAULT_READ_FAULT_UPDATED:
      return "ROCPROFILER_KFD_PAGE_FAULT_READ_FAULT_UPDATED";
    case ROCPROFILER_KFD_PAGE_FAULT_WRITE_FAULT_MIGRATED:
      return "ROCPROFILER_KFD_PAGE_FAULT_WRITE_FAULT_MIGRATED";
    case ROCPROFILER_KFD_PAGE_FAULT_WRITE_FAULT_UPDATED:
      return "ROCPROFILER_KFD_PAGE_FAULT_WRITE_FAULT_UPDATED";
    default:
      return "unsupported_rocprofiler_kfd_page_fault_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_kfd_page_migrate_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_KFD_PAGE_MIGRATE_NONE:
      return "ROCPROFILER_KFD_PAGE_MIGRATE_NONE";
    case ROCPROFILER_KFD_PAGE_MIGRATE_PREFETCH:
      return "ROCPROFILER_KFD_PAGE_MIGRATE_PREFETCH";
    case ROCPROFILER_KFD_PAGE_MIGRATE_PAGEFAULT_GPU:
      return "ROCPROFILER_KFD_PAGE_MIGRATE_PAGEFAULT_GPU";
    case ROCPROFILER_KFD_PAGE_MIGRATE_PAGEFAULT_CPU:
      return "ROCPROFILER_KFD_PAGE_MIGRATE_PAGEFAULT_CPU";
    case ROCPROFILER_KFD_PAGE_MIGRATE_TTM_EVICTION:
      return "ROCPROFILER_KFD_PAGE_MIGRATE_TTM_EVICTION";
    default:
      return "unsupported_rocprofiler_kfd_page_migrate_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_kfd_queue_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_KFD_QUEUE_NONE:
      return "ROCPROFILER_KFD_QUEUE_NONE";
    case ROCPROFILER_KFD_QUEUE_EVICT_SVM:
      return "ROCPROFILER_KFD_QUEUE_EVICT_SVM";
    case ROCPROFILER_KFD_QUEUE_EVICT_USERPTR:
      return "ROCPROFILER_KFD_QUEUE_EVICT_USERPTR";
    case ROCPROFILER_KFD_QUEUE_EVICT_TTM:
      return "ROCPROFILER_KFD_QUEUE_EVICT_TTM";
    case ROCPROFILER_KFD_QUEUE_EVICT_SUSPEND:
      return "ROCPROFILER_KFD_QUEUE_EVICT_SUSPEND";
    case ROCPROFILER_KFD_QUEUE_EVICT_CRIU_CHECKPOINT:
      return "ROCPROFILER_KFD_QUEUE_EVICT_CRIU_CHECKPOINT";
    case ROCPROFILER_KFD_QUEUE_EVICT_CRIU_RESTORE:
      return "ROCPROFILER_KFD_QUEUE_EVICT_CRIU_RESTORE";
    default:
      return "unsupported_rocprofiler_kfd_queue_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_marker_control_api_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_MARKER_CONTROL_API_ID_NONE:
      return "ROCPROFILER_MARKER_CONTROL_API_ID_NONE";
    case ROCPROFILER_MARKER_CONTROL_API_ID_roctxProfilerPause:
      return "ROCPROFILER_MARKER_CONTROL_API_ID_roctxProfilerPause";
    case ROCPROFILER_MARKER_CONTROL_API_ID_roctxProfilerResume:
      return "ROCPROFILER_MARKER_CONTROL_API_ID_roctxProfilerResume";
    default:
      return "unsupported_rocprofiler_marker_control_api_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_marker_core_api_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_MARKER_CORE_API_ID_NONE:
      return "ROCPROFILER_MARKER_CORE_API_ID_NONE";
    case ROCPROFILER_MARKER_CORE_API_ID_roctxMarkA:
      return "ROCPROFILER_MARKER_CORE_API_ID_roctxMarkA";
    case ROCPROFILER_MARKER_CORE_API_ID_roctxRangePushA:
      return "ROCPROFILER_MARKER_CORE_API_ID_roctxRangePushA";
    case ROCPROFILER_MARKER_CORE_API_ID_roctxRangePop:
      return "ROCPROFILER_MARKER_CORE_API_ID_roctxRangePop";
    case ROCPROFILER_MARKER_CORE_API_ID_roctxRangeStartA:
      return "ROCPROFILER_MARKER_CORE_API_ID_roctxRangeStartA";
    case ROCPROFILER_MARKER_CORE_API_ID_roctxRangeStop:
      return "ROCPROFILER_MARKER_CORE_API_ID_roctxRangeStop";
    case ROCPROFILER_MARKER_CORE_API_ID_roctxGetThreadId:
      return "ROCPROFILER_MARKER_CORE_API_ID_roctxGetThreadId";
    default:
      return "unsupported_rocprofiler_marker_core_api_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_marker_core_range_api_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_MARKER_CORE_RANGE_API_ID_NONE:
      return "ROCPROFILER_MARKER_CORE_RANGE_API_ID_NONE";
    case ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxMarkA:
      return "ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxMarkA";
    case ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxThreadRangeA:
      return "ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxThreadRangeA";
    case ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxProcessRangeA:
      return "ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxProcessRangeA";
    case ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxGetThreadId:
      return "ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxGetThreadId";
    default:
      return "unsupported_rocprofiler_marker_core_range_api_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_marker_name_api_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_MARKER_NAME_API_ID_NONE:
      return "ROCPROFILER_MARKER_NAME_API_ID_NONE";
    case ROCPROFILER_MARKER_NAME_API_ID_roctxNameOsThread:
      return "ROCPROFILER_MARKER_NAME_API_ID_roctxNameOsThread";
    case ROCPROFILER_MARKER_NAME_API_ID_roctxNameHsaAgent:
      return "ROCPROFILER_MARKER_NAME_API_ID_roctxNameHsaAgent";
    case ROCPROFILER_MARKER_NAME_API_ID_roctxNameHipDevice:
      return "ROCPROFILER_MARKER_NAME_API_ID_roctxNameHipDevice";
    case ROCPROFILER_MARKER_NAME_API_ID_roctxNameHipStream:
      return "ROCPROFILER_MARKER_NAME_API_ID_roctxNameHipStream";
    default:
      return "unsupported_rocprofiler_marker_name_api_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_marker_table_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_MARKER_TABLE_ID_NONE:
      return "ROCPROFILER_MARKER_TABLE_ID_NONE";
    case ROCPROFILER_MARKER_TABLE_ID_RoctxCore:
      return "ROCPROFILER_MARKER_TABLE_ID_RoctxCore";
    case ROCPROFILER_MARKER_TABLE_ID_RoctxControl:
      return "ROCPROFILER_MARKER_TABLE_ID_RoctxControl";
    case ROCPROFILER_MARKER_TABLE_ID_RoctxName:
      return "ROCPROFILER_MARKER_TABLE_ID_RoctxName";
    case ROCPROFILER_MARKER_TABLE_ID_RoctxCoreRange:
      return "ROCPROFILER_MARKER_TABLE_ID_RoctxCoreRange";
    default:
      return "unsupported_rocprofiler_marker_table_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_memory_allocation_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_MEMORY_ALLOCATION_NONE:
      return "ROCPROFILER_MEMORY_ALLOCATION_NONE";
    case ROCPROFILER_MEMORY_ALLOCATION_ALLOCATE:
      return "ROCPROFILER_MEMORY_ALLOCATION_ALLOCATE";
    case ROCPROFILER_MEMORY_ALLOCATION_VMEM_ALLOCATE:
      return "ROCPROFILER_MEMORY_ALLOCATION_VMEM_ALLOCATE";
    case ROCPROFILER_MEMORY_ALLOCATION_FREE:
      return "ROCPROFILER_MEMORY_ALLOCATION_FREE";
    case ROCPROFILER_MEMORY_ALLOCATION_VMEM_FREE:
      return "ROCPROFILER_MEMORY_ALLOCATION_VMEM_FREE";
    default:
      return "unsupported_rocprofiler_memory_allocation_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_memory_copy_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_MEMORY_COPY_NONE:
      return "ROCPROFILER_MEMORY_COPY_NONE";
    case ROCPROFILER_MEMORY_COPY_HOST_TO_HOST:
      return "ROCPROFILER_MEMORY_COPY_HOST_TO_HOST";
    case ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE:
      return "ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE";
    case ROCPROFILER_MEMORY_COPY_DEVICE_TO_HOST:
      return "ROCPROFILER_MEMORY_COPY_DEVICE_TO_HOST";
    case ROCPROFILER_MEMORY_COPY_DEVICE_TO_DEVICE:
      return "ROCPROFILER_MEMORY_COPY_DEVICE_TO_DEVICE";
    default:
      return "unsupported_rocprofiler_memory_copy_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_ompt_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_OMPT_ID_NONE:
      return "ROCPROFILER_OMPT_ID_NONE";
    case ROCPROFILER_OMPT_ID_thread_begin:
      return "ROCPROFILER_OMPT_ID_thread_begin";
    case ROCPROFILER_OMPT_ID_thread_end:
      return "ROCPROFILER_OMPT_ID_thread_end";
    case ROCPROFILER_OMPT_ID_parallel_begin:
      return "ROCPROFILER_OMPT_ID_parallel_begin";
    case ROCPROFILER_OMPT_ID_parallel_end:
      return "ROCPROFILER_OMPT_ID_parallel_end";
    case ROCPROFILER_OMPT_ID_task_create:
      return "ROCPROFILER_OMPT_ID_task_create";
    case ROCPROFILER_OMPT_ID_task_schedule:
      return "ROCPROFILER_OMPT_ID_task_schedule";
    case ROCPROFILER_OMPT_ID_implicit_task:
      return "ROCPROFILER_OMPT_ID_implicit_task";
    case ROCPROFILER_OMPT_ID_device_initialize:
      return "ROCPROFILER_OMPT_ID_device_initialize";
    case ROCPROFILER_OMPT_ID_device_finalize:
      return "ROCPROFILER_OMPT_ID_device_finalize";
    case ROCPROFILER_OMPT_ID_device_load:
      return "ROCPROFILER_OMPT_ID_device_load";
    case ROCPROFILER_OMPT_ID_sync_region_wait:
      return "ROCPROFILER_OMPT_ID_sync_region_wait";
    case ROCPROFILER_OMPT_ID_mutex_released:
      return "ROCPROFILER_OMPT_ID_mutex_released";
    case ROCPROFILER_OMPT_ID_dependences:
      return "ROCPROFILER_OMPT_ID_dependences";
    case ROCPROFILER_OMPT_ID_task_dependence:
      return "ROCPROFILER_OMPT_ID_task_dependence";
    case ROCPROFILER_OMPT_ID_work:
      return "ROCPROFILER_OMPT_ID_work";
    case ROCPROFILER_OMPT_ID_masked:
      return "ROCPROFILER_OMPT_ID_masked";
    case ROCPROFILER_OMPT_ID_sync_region:
      return "ROCPROFILER_OMPT_ID_sync_region";
    case ROCPROFILER_OMPT_ID_lock_init:
      return "ROCPROFILER_OMPT_ID_lock_init";
    case ROCPROFILER_OMPT_ID_lock_destroy:
      return "ROCPROFILER_OMPT_ID_lock_destroy";
    case ROCPROFILER_OMPT_ID_mutex_acquire:
      return "ROCPROFILER_OMPT_ID_mutex_acquire";
    case ROCPROFILER_OMPT_ID_mutex_acquired:
      return "ROCPROFILER_OMPT_ID_mutex_acquired";
    case ROCPROFILER_OMPT_ID_nest_lock:
      return "ROCPROFILER_OMPT_ID_nest_lock";
    case ROCPROFILER_OMPT_ID_flush:
      return "ROCPROFILER_OMPT_ID_flush";
    case ROCPROFILER_OMPT_ID_cancel:
      return "ROCPROFILER_OMPT_ID_cancel";
    case ROCPROFILER_OMPT_ID_reduction:
      return "ROCPROFILER_OMPT_ID_reduction";
    case ROCPROFILER_OMPT_ID_dispatch:
      return "ROCPROFILER_OMPT_ID_dispatch";
    case ROCPROFILER_OMPT_ID_target_emi:
      return "ROCPROFILER_OMPT_ID_target_emi";
    case ROCPROFILER_OMPT_ID_target_data_op_emi:
      return "ROCPROFILER_OMPT_ID_target_data_op_emi";
    case ROCPROFILER_OMPT_ID_target_submit_emi:
      return "ROCPROFILER_OMPT_ID_target_submit_emi";
    case ROCPROFILER_OMPT_ID_error:
      return "ROCPROFILER_OMPT_ID_error";
    case ROCPROFILER_OMPT_ID_callback_functions:
      return "ROCPROFILER_OMPT_ID_callback_functions";
    default:
      return "unsupported_rocprofiler_ompt_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_pc_sampling_configuration_flags_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_PC_SAMPLING_CONFIGURATION_FLAGS_NONE:
      return "ROCPROFILER_PC_SAMPLING_CONFIGURATION_FLAGS_NONE";
    case ROCPROFILER_PC_SAMPLING_CONFIGURATION_FLAGS_INTERVAL_POW2:
      return "ROCPROFILER_PC_SAMPLING_CONFIGURATION_FLAGS_INTERVAL_POW2";
    default:
      return "unsupported_rocprofiler_pc_sampling_configuration_flags_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_pc_sampling_instruction_not_issued_reason_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_NONE:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_NONE";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_NO_INSTRUCTION_AVAILABLE:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_NO_INSTRUCTION_AVAILABLE";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_ALU_DEPENDENCY:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_ALU_DEPENDENCY";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_WAITCNT:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_WAITCNT";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_INTERNAL_INSTRUCTION:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_INTERNAL_INSTRUCTION";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_BARRIER_WAIT:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_BARRIER_WAIT";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_ARBITER_NOT_WIN:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_ARBITER_NOT_WIN";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_ARBITER_WIN_EX_STALL:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_ARBITER_WIN_EX_STALL";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_OTHER_WAIT:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_OTHER_WAIT";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_SLEEP_WAIT:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_SLEEP_WAIT";
    default:
      return "unsupported_rocprofiler_pc_sampling_instruction_not_issued_reason_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_pc_sampling_instruction_type_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_NONE:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_NONE";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_VALU:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_VALU";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_MATRIX:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_MATRIX";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_SCALAR:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_SCALAR";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_TEX:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_TEX";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_LDS:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_LDS";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_LDS_DIRECT:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_LDS_DIRECT";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_FLAT:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_FLAT";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_EXPORT:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_EXPORT";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_MESSAGE:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_MESSAGE";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_BARRIER:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_BARRIER";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_BRANCH_NOT_TAKEN:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_BRANCH_NOT_TAKEN";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_BRANCH_TAKEN:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_BRANCH_TAKEN";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_JUMP:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_JUMP";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_OTHER:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_OTHER";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_NO_INST:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_NO_INST";
    case ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_DUAL_VALU:
      return "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_DUAL_VALU";
    default:
      return "unsupported_rocprofiler_pc_sampling_instruction_type_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_pc_sampling_method_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_PC_SAMPLING_METHOD_NONE:
      return "ROCPROFILER_PC_SAMPLING_METHOD_NONE";
    case ROCPROFILER_PC_SAMPLING_METHOD_STOCHASTIC:
      return "ROCPROFILER_PC_SAMPLING_METHOD_STOCHASTIC";
    case ROCPROFILER_PC_SAMPLING_METHOD_HOST_TRAP:
      return "ROCPROFILER_PC_SAMPLING_METHOD_HOST_TRAP";
    default:
      return "unsupported_rocprofiler_pc_sampling_method_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_pc_sampling_record_kind_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_PC_SAMPLING_RECORD_NONE:
      return "ROCPROFILER_PC_SAMPLING_RECORD_NONE";
    case ROCPROFILER_PC_SAMPLING_RECORD_INVALID_SAMPLE:
      return "ROCPROFILER_PC_SAMPLING_RECORD_INVALID_SAMPLE";
    case ROCPROFILER_PC_SAMPLING_RECORD_HOST_TRAP_V0_SAMPLE:
      return "ROCPROFILER_PC_SAMPLING_RECORD_HOST_TRAP_V0_SAMPLE";
    case ROCPROFILER_PC_SAMPLING_RECORD_STOCHASTIC_V0_SAMPLE:
      return "ROCPROFILER_PC_SAMPLING_RECORD_STOCHASTIC_V0_SAMPLE";
    default:
      return "unsupported_rocprofiler_pc_sampling_record_kind_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_pc_sampling_unit_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_PC_SAMPLING_UNIT_NONE:
      return "ROCPROFILER_PC_SAMPLING_UNIT_NONE";
    case ROCPROFILER_PC_SAMPLING_UNIT_INSTRUCTIONS:
      return "ROCPROFILER_PC_SAMPLING_UNIT_INSTRUCTIONS";
    case ROCPROFILER_PC_SAMPLING_UNIT_CYCLES:
      return "ROCPROFILER_PC_SAMPLING_UNIT_CYCLES";
    case ROCPROFILER_PC_SAMPLING_UNIT_TIME:
      return "ROCPROFILER_PC_SAMPLING_UNIT_TIME";
    default:
      return "unsupported_rocprofiler_pc_sampling_unit_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_rccl_api_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_RCCL_API_ID_NONE:
      return "ROCPROFILER_RCCL_API_ID_NONE";
    case ROCPROFILER_RCCL_API_ID_ncclAllGather:
      return "ROCPROFILER_RCCL_API_ID_ncclAllGather";
    case ROCPROFILER_RCCL_API_ID_ncclAllReduce:
      return "ROCPROFILER_RCCL_API_ID_ncclAllReduce";
    case ROCPROFILER_RCCL_API_ID_ncclAllToAll:
      return "ROCPROFILER_RCCL_API_ID_ncclAllToAll";
    case ROCPROFILER_RCCL_API_ID_ncclAllToAllv:
      return "ROCPROFILER_RCCL_API_ID_ncclAllToAllv";
    case ROCPROFILER_RCCL_API_ID_ncclBroadcast:
      return "ROCPROFILER_RCCL_API_ID_ncclBroadcast";
    case ROCPROFILER_RCCL_API_ID_ncclGather:
      return "ROCPROFILER_RCCL_API_ID_ncclGather";
    case ROCPROFILER_RCCL_API_ID_ncclReduce:
      return "ROCPROFILER_RCCL_API_ID_ncclReduce";
    case ROCPROFILER_RCCL_API_ID_ncclReduceScatter:
      return "ROCPROFILER_RCCL_API_ID_ncclReduceScatter";
    case ROCPROFILER_RCCL_API_ID_ncclScatter:
      return "ROCPROFILER_RCCL_API_ID_ncclScatter";
    case ROCPROFILER_RCCL_API_ID_ncclSend:
      return "ROCPROFILER_RCCL_API_ID_ncclSend";
    case ROCPROFILER_RCCL_API_ID_ncclRecv:
      return "ROCPROFILER_RCCL_API_ID_ncclRecv";
    case ROCPROFILER_RCCL_API_ID_ncclRedOpCreatePreMulSum:
      return "ROCPROFILER_RCCL_API_ID_ncclRedOpCreatePreMulSum";
    case ROCPROFILER_RCCL_API_ID_ncclRedOpDestroy:
      return "ROCPROFILER_RCCL_API_ID_ncclRedOpDestroy";
    case ROCPROFILER_RCCL_API_ID_ncclGroupStart:
      return "ROCPROFILER_RCCL_API_ID_ncclGroupStart";
    case ROCPROFILER_RCCL_API_ID_ncclGroupEnd:
      return "ROCPROFILER_RCCL_API_ID_ncclGroupEnd";
    case ROCPROFILER_RCCL_API_ID_ncclGetVersion:
      return "ROCPROFILER_RCCL_API_ID_ncclGetVersion";
    case ROCPROFILER_RCCL_API_ID_ncclGetUniqueId:
      return "ROCPROFILER_RCCL_API_ID_ncclGetUniqueId";
    case ROCPROFILER_RCCL_API_ID_ncclCommInitRank:
      return "ROCPROFILER_RCCL_API_ID_ncclCommInitRank";
    case ROCPROFILER_RCCL_API_ID_ncclCommInitAll:
      return "ROCPROFILER_RCCL_API_ID_ncclCommInitAll";
    case ROCPROFILER_RCCL_API_ID_ncclCommInitRankConfig:
      return "ROCPROFILER_RCCL_API_ID_ncclCommInitRankConfig";
    case ROCPROFILER_RCCL_API_ID_ncclCommFinalize:
      return "ROCPROFILER_RCCL_API_ID_ncclCommFinalize";
    case ROCPROFILER_RCCL_API_ID_ncclCommDestroy:
      return "ROCPROFILER_RCCL_API_ID_ncclCommDestroy";
    case ROCPROFILER_RCCL_API_ID_ncclCommAbort:
      return "ROCPROFILER_RCCL_API_ID_ncclCommAbort";
    case ROCPROFILER_RCCL_API_ID_ncclCommSplit:
      return "ROCPROFILER_RCCL_API_ID_ncclCommSplit";
    case ROCPROFILER_RCCL_API_ID_ncclGetErrorString:
      return "ROCPROFILER_RCCL_API_ID_ncclGetErrorString";
    case ROCPROFILER_RCCL_API_ID_ncclGetLastError:
      return "ROCPROFILER_RCCL_API_ID_ncclGetLastError";
    case ROCPROFILER_RCCL_API_ID_ncclCommGetAsyncError:
      return "ROCPROFILER_RCCL_API_ID_ncclCommGetAsyncError";
    case ROCPROFILER_RCCL_API_ID_ncclCommCount:
      return "ROCPROFILER_RCCL_API_ID_ncclCommCount";
    case ROCPROFILER_RCCL_API_ID_ncclCommCuDevice:
      return "ROCPROFILER_RCCL_API_ID_ncclCommCuDevice";
    case ROCPROFILER_RCCL_API_ID_ncclCommUserRank:
      return "ROCPROFILER_RCCL_API_ID_ncclCommUserRank";
    case ROCPROFILER_RCCL_API_ID_ncclMemAlloc:
      return "ROCPROFILER_RCCL_API_ID_ncclMemAlloc";
    case ROCPROFILER_RCCL_API_ID_ncclMemFree:
      return "ROCPROFILER_RCCL_API_ID_ncclMemFree";
    case ROCPROFILER_RCCL_API_ID_mscclLoadAlgo:
      return "ROCPROFILER_RCCL_API_ID_mscclLoadAlgo";
    case ROCPROFILER_RCCL_API_ID_mscclRunAlgo:
      return "ROCPROFILER_RCCL_API_ID_mscclRunAlgo";
    case ROCPROFILER_RCCL_API_ID_mscclUnloadAlgo:
      return "ROCPROFILER_RCCL_API_ID_mscclUnloadAlgo";
    case ROCPROFILER_RCCL_API_ID_ncclCommRegister:
      return "ROCPROFILER_RCCL_API_ID_ncclCommRegister";
    case ROCPROFILER_RCCL_API_ID_ncclCommDeregister:
      return "ROCPROFILER_RCCL_API_ID_ncclCommDeregister";
    default:
      return "unsupported_rocprofiler_rccl_api_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_rccl_table_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_RCCL_TABLE_ID_NONE:
      return "ROCPROFILER_RCCL_TABLE_ID_NONE";
    case ROCPROFILER_RCCL_TABLE_ID:
      return "ROCPROFILER_RCCL_TABLE_ID";
    default:
      return "unsupported_rocprofiler_rccl_table_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_rocdecode_api_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_ROCDECODE_API_ID_NONE:
      return "ROCPROFILER_ROCDECODE_API_ID_NONE";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecCreateVideoParser:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecCreateVideoParser";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecParseVideoData:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecParseVideoData";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecDestroyVideoParser:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecDestroyVideoParser";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecCreateDecoder:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecCreateDecoder";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecDestroyDecoder:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecDestroyDecoder";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecGetDecoderCaps:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecGetDecoderCaps";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecDecodeFrame:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecDecodeFrame";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecGetDecodeStatus:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecGetDecodeStatus";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecReconfigureDecoder:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecReconfigureDecoder";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecGetVideoFrame:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecGetVideoFrame";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecGetErrorName:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecGetErrorName";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecCreateBitstreamReader:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecCreateBitstreamReader";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecGetBitstreamCodecType:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecGetBitstreamCodecType";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecGetBitstreamBitDepth:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecGetBitstreamBitDepth";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecGetBitstreamPicData:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecGetBitstreamPicData";
    case ROCPROFILER_ROCDECODE_API_ID_rocDecDestroyBitstreamReader:
      return "ROCPROFILER_ROCDECODE_API_ID_rocDecDestroyBitstreamReader";
    default:
      return "unsupported_rocprofiler_rocdecode_api_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_rocdecode_table_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_ROCDECODE_TABLE_ID_NONE:
      return "ROCPROFILER_ROCDECODE_TABLE_ID_NONE";
    case ROCPROFILER_ROCDECODE_TABLE_ID_CORE:
      return "ROCPROFILER_ROCDECODE_TABLE_ID_CORE";
    default:
      return "unsupported_rocprofiler_rocdecode_table_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_rocjpeg_api_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_ROCJPEG_API_ID_NONE:
      return "ROCPROFILER_ROCJPEG_API_ID_NONE";
    case ROCPROFILER_ROCJPEG_API_ID_rocJpegStreamCreate:
      return "ROCPROFILER_ROCJPEG_API_ID_rocJpegStreamCreate";
    case ROCPROFILER_ROCJPEG_API_ID_rocJpegStreamParse:
      return "ROCPROFILER_ROCJPEG_API_ID_rocJpegStreamParse";
    case ROCPROFILER_ROCJPEG_API_ID_rocJpegStreamDestroy:
      return "ROCPROFILER_ROCJPEG_API_ID_rocJpegStreamDestroy";
    case ROCPROFILER_ROCJPEG_API_ID_rocJpegCreate:
      return "ROCPROFILER_ROCJPEG_API_ID_rocJpegCreate";
    case ROCPROFILER_ROCJPEG_API_ID_rocJpegDestroy:
      return "ROCPROFILER_ROCJPEG_API_ID_rocJpegDestroy";
    case ROCPROFILER_ROCJPEG_API_ID_rocJpegGetImageInfo:
      return "ROCPROFILER_ROCJPEG_API_ID_rocJpegGetImageInfo";
    case ROCPROFILER_ROCJPEG_API_ID_rocJpegDecode:
      return "ROCPROFILER_ROCJPEG_API_ID_rocJpegDecode";
    case ROCPROFILER_ROCJPEG_API_ID_rocJpegDecodeBatched:
      return "ROCPROFILER_ROCJPEG_API_ID_rocJpegDecodeBatched";
    case ROCPROFILER_ROCJPEG_API_ID_rocJpegGetErrorName:
      return "ROCPROFILER_ROCJPEG_API_ID_rocJpegGetErrorName";
    default:
      return "unsupported_rocprofiler_rocjpeg_api_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_rocjpeg_table_id_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_ROCJPEG_TABLE_ID_NONE:
      return "ROCPROFILER_ROCJPEG_TABLE_ID_NONE";
    case ROCPROFILER_ROCJPEG_TABLE_ID_CORE:
      return "ROCPROFILER_ROCJPEG_TABLE_ID_CORE";
    default:
      return "unsupported_rocprofiler_rocjpeg_table_id_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_runtime_initialization_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_RUNTIME_INITIALIZATION_NONE:
      return "ROCPROFILER_RUNTIME_INITIALIZATION_NONE";
    case ROCPROFILER_RUNTIME_INITIALIZATION_HSA:
      return "ROCPROFILER_RUNTIME_INITIALIZATION_HSA";
    case ROCPROFILER_RUNTIME_INITIALIZATION_HIP:
      return "ROCPROFILER_RUNTIME_INITIALIZATION_HIP";
    case ROCPROFILER_RUNTIME_INITIALIZATION_MARKER:
      return "ROCPROFILER_RUNTIME_INITIALIZATION_MARKER";
    case ROCPROFILER_RUNTIME_INITIALIZATION_RCCL:
      return "ROCPROFILER_RUNTIME_INITIALIZATION_RCCL";
    case ROCPROFILER_RUNTIME_INITIALIZATION_ROCDECODE:
      return "ROCPROFILER_RUNTIME_INITIALIZATION_ROCDECODE";
    case ROCPROFILER_RUNTIME_INITIALIZATION_ROCJPEG:
      return "ROCPROFILER_RUNTIME_INITIALIZATION_ROCJPEG";
    default:
      return "unsupported_rocprofiler_runtime_initialization_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_runtime_library_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_LIBRARY:
      return "ROCPROFILER_LIBRARY";
    case ROCPROFILER_HSA_LIBRARY:
      return "ROCPROFILER_HSA_LIBRARY";
    case ROCPROFILER_HIP_LIBRARY:
      return "ROCPROFILER_HIP_LIBRARY";
    case ROCPROFILER_MARKER_LIBRARY:
      return "ROCPROFILER_MARKER_LIBRARY";
    case ROCPROFILER_RCCL_LIBRARY:
      return "ROCPROFILER_RCCL_LIBRARY";
    case ROCPROFILER_ROCDECODE_LIBRARY:
      return "ROCPROFILER_ROCDECODE_LIBRARY";
    case ROCPROFILER_ROCJPEG_LIBRARY:
      return "ROCPROFILER_ROCJPEG_LIBRARY";
    default:
      return "unsupported_rocprofiler_runtime_library_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_scratch_alloc_flag_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_SCRATCH_ALLOC_FLAG_NONE:
      return "ROCPROFILER_SCRATCH_ALLOC_FLAG_NONE";
    case ROCPROFILER_SCRATCH_ALLOC_FLAG_USE_ONCE:
      return "ROCPROFILER_SCRATCH_ALLOC_FLAG_USE_ONCE";
    case ROCPROFILER_SCRATCH_ALLOC_FLAG_ALT:
      return "ROCPROFILER_SCRATCH_ALLOC_FLAG_ALT";
    default:
      return "unsupported_rocprofiler_scratch_alloc_flag_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_scratch_memory_operation_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_SCRATCH_MEMORY_NONE:
      return "ROCPROFILER_SCRATCH_MEMORY_NONE";
    case ROCPROFILER_SCRATCH_MEMORY_ALLOC:
      return "ROCPROFILER_SCRATCH_MEMORY_ALLOC";
    case ROCPROFILER_SCRATCH_MEMORY_FREE:
      return "ROCPROFILER_SCRATCH_MEMORY_FREE";
    case ROCPROFILER_SCRATCH_MEMORY_ASYNC_RECLAIM:
      return "ROCPROFILER_SCRATCH_MEMORY_ASYNC_RECLAIM";
    default:
      return "unsupported_rocprofiler_scratch_memory_operation_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_status_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_STATUS_SUCCESS:
      return "ROCPROFILER_STATUS_SUCCESS";
    case ROCPROFILER_STATUS_ERROR:
      return "ROCPROFILER_STATUS_ERROR";
    case ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND:
      return "ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND";
    case ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND:
      return "ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND";
    case ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND:
      return "ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND";
    case ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND:
      return "ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND";
    case ROCPROFILER_STATUS_ERROR_THREAD_NOT_FOUND:
      return "ROCPROFILER_STATUS_ERROR_THREAD_NOT_FOUND";
    case ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND:
      return "ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND";
    case ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND:
      return "ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND";
    case ROCPROFILER_STATUS_ERROR_CONTEXT_ERROR:
      return "ROCPROFILER_STATUS_ERROR_CONTEXT_ERROR";
    case ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID:
      return "ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID";
    case ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED:
      return "ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED";
    case ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT:
      return "ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT";
    case ROCPROFILER_STATUS_ERROR_CONTEXT_ID_NOT_ZERO:
      return "ROCPROFILER_STATUS_ERROR_CONTEXT_ID_NOT_ZERO";
    case ROCPROFILER_STATUS_ERROR_BUFFER_BUSY:
      return "ROCPROFILER_STATUS_ERROR_BUFFER_BUSY";
    case ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED:
      return "ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED";
    case ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED:
      return "ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED";
    case ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED:
      return "ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED";
    case ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI:
      return "ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI";
    case ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT:
      return "ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT";
    case ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT:
      return "ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT";
    case ROCPROFILER_STATUS_ERROR_FINALIZED:
      return "ROCPROFILER_STATUS_ERROR_FINALIZED";
    case ROCPROFILER_STATUS_ERROR_HSA_NOT_LOADED:
      return "ROCPROFILER_STATUS_ERROR_HSA_NOT_LOADED";
    case ROCPROFILER_STATUS_ERROR_DIM_NOT_FOUND:
      return "ROCPROFILER_STATUS_ERROR_DIM_NOT_FOUND";
    case ROCPROFILER_STATUS_ERROR_PROFILE_COUNTER_NOT_FOUND:
      return "ROCPROFILER_STATUS_ERROR_PROFILE_COUNTER_NOT_FOUND";
    case ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED:
      return "ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED";
    case ROCPROFILER_STATUS_ERROR_AST_NOT_FOUND:
      return "ROCPROFILER_STATUS_ERROR_AST_NOT_FOUND";
    case ROCPROFILER_STATUS_ERROR_AQL_NO_EVENT_COORD:
      return "ROCPROFILER_STATUS_ERROR_AQL_NO_EVENT_COORD";
    case ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_KERNEL:
      return "ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_KERNEL";
    case ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES:
      return "ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES";
    case ROCPROFILER_STATUS_ERROR_PROFILE_NOT_FOUND:
      return "ROCPROFILER_STATUS_ERROR_PROFILE_NOT_FOUND";
    case ROCPROFILER_STATUS_ERROR_AGENT_DISPATCH_CONFLICT:
      return "ROCPROFILER_STATUS_ERROR_AGENT_DISPATCH_CONFLICT";
    case ROCPROFILER_STATUS_INTERNAL_NO_AGENT_CONTEXT:
      return "ROCPROFILER_STATUS_INTERNAL_NO_AGENT_CONTEXT";
    case ROCPROFILER_STATUS_ERROR_SAMPLE_RATE_EXCEEDED:
      return "ROCPROFILER_STATUS_ERROR_SAMPLE_RATE_EXCEEDED";
    case ROCPROFILER_STATUS_ERROR_NO_PROFILE_QUEUE:
      return "ROCPROFILER_STATUS_ERROR_NO_PROFILE_QUEUE";
    case ROCPROFILER_STATUS_ERROR_NO_HARDWARE_COUNTERS:
      return "ROCPROFILER_STATUS_ERROR_NO_HARDWARE_COUNTERS";
    case ROCPROFILER_STATUS_ERROR_AGENT_MISMATCH:
      return "ROCPROFILER_STATUS_ERROR_AGENT_MISMATCH";
    case ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE:
      return "ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE";
    case ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT:
      return "ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT";
    case ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED:
      return "ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED";
    case ROCPROFILER_STATUS_ERROR_PERMISSION_DENIED:
      return "ROCPROFILER_STATUS_ERROR_PERMISSION_DENIED";
    default:
      return "unsupported_rocprofiler_status_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_thread_trace_control_flags_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_THREAD_TRACE_CONTROL_NONE:
      return "ROCPROFILER_THREAD_TRACE_CONTROL_NONE";
    case ROCPROFILER_THREAD_TRACE_CONTROL_START_AND_STOP:
      return "ROCPROFILER_THREAD_TRACE_CONTROL_START_AND_STOP";
    default:
      return "unsupported_rocprofiler_thread_trace_control_flags_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_thread_trace_decoder_info_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_THREAD_TRACE_DECODER_INFO_NONE:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INFO_NONE";
    case ROCPROFILER_THREAD_TRACE_DECODER_INFO_DATA_LOST:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INFO_DATA_LOST";
    case ROCPROFILER_THREAD_TRACE_DECODER_INFO_STITCH_INCOMPLETE:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INFO_STITCH_INCOMPLETE";
    default:
      return "unsupported_rocprofiler_thread_trace_decoder_info_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_thread_trace_decoder_inst_category_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_THREAD_TRACE_DECODER_INST_NONE:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INST_NONE";
    case ROCPROFILER_THREAD_TRACE_DECODER_INST_SMEM:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INST_SMEM";
    case ROCPROFILER_THREAD_TRACE_DECODER_INST_SALU:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INST_SALU";
    case ROCPROFILER_THREAD_TRACE_DECODER_INST_VMEM:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INST_VMEM";
    case ROCPROFILER_THREAD_TRACE_DECODER_INST_FLAT:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INST_FLAT";
    case ROCPROFILER_THREAD_TRACE_DECODER_INST_LDS:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INST_LDS";
    case ROCPROFILER_THREAD_TRACE_DECODER_INST_VALU:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INST_VALU";
    case ROCPROFILER_THREAD_TRACE_DECODER_INST_JUMP:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INST_JUMP";
    case ROCPROFILER_THREAD_TRACE_DECODER_INST_NEXT:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INST_NEXT";
    case ROCPROFILER_THREAD_TRACE_DECODER_INST_IMMED:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INST_IMMED";
    case ROCPROFILER_THREAD_TRACE_DECODER_INST_CONTEXT:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INST_CONTEXT";
    case ROCPROFILER_THREAD_TRACE_DECODER_INST_MESSAGE:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INST_MESSAGE";
    case ROCPROFILER_THREAD_TRACE_DECODER_INST_BVH:
      return "ROCPROFILER_THREAD_TRACE_DECODER_INST_BVH";
    default:
      return "unsupported_rocprofiler_thread_trace_decoder_inst_category_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_thread_trace_decoder_record_type_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_THREAD_TRACE_DECODER_RECORD_GFXIP:
      return "ROCPROFILER_THREAD_TRACE_DECODER_RECORD_GFXIP";
    case ROCPROFILER_THREAD_TRACE_DECODER_RECORD_OCCUPANCY:
      return "ROCPROFILER_THREAD_TRACE_DECODER_RECORD_OCCUPANCY";
    case ROCPROFILER_THREAD_TRACE_DECODER_RECORD_PERFEVENT:
      return "ROCPROFILER_THREAD_TRACE_DECODER_RECORD_PERFEVENT";
    case ROCPROFILER_THREAD_TRACE_DECODER_RECORD_WAVE:
      return "ROCPROFILER_THREAD_TRACE_DECODER_RECORD_WAVE";
    case ROCPROFILER_THREAD_TRACE_DECODER_RECORD_INFO:
      return "ROCPROFILER_THREAD_TRACE_DECODER_RECORD_INFO";
    case ROCPROFILER_THREAD_TRACE_DECODER_RECORD_DEBUG:
      return "ROCPROFILER_THREAD_TRACE_DECODER_RECORD_DEBUG";
    default:
      return "unsupported_rocprofiler_thread_trace_decoder_record_type_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_thread_trace_decoder_wstate_type_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_EMPTY:
      return "ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_EMPTY";
    case ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_IDLE:
      return "ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_IDLE";
    case ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_EXEC:
      return "ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_EXEC";
    case ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_WAIT:
      return "ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_WAIT";
    case ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_STALL:
      return "ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_STALL";
    default:
      return "unsupported_rocprofiler_thread_trace_decoder_wstate_type_t";
  }
}

constexpr std::string_view enum_label(rocprofiler_thread_trace_parameter_type_t value) {
  switch (static_cast<int>(value)) {
    case ROCPROFILER_THREAD_TRACE_PARAMETER_TARGET_CU:
      return "ROCPROFILER_THREAD_TRACE_PARAMETER_TARGET_CU";
    case ROCPROFILER_THREAD_TRACE_PARAMETER_SHADER_ENGINE_MASK:
      return "ROCPROFILER_THREAD_TRACE_PARAMETER_SHADER_ENGINE_MASK";
    case ROCPROFILER_THREAD_TRACE_PARAMETER_BUFFER_SIZE:
      return "ROCPROFILER_THREAD_TRACE_PARAMETER_BUFFER_SIZE";
    case ROCPROFILER_THREAD_TRACE_PARAMETER_SIMD_SELECT:
      return "ROCPROFILER_THREAD_TRACE_PARAMETER_SIMD_SELECT";
    case ROCPROFILER_THREAD_TRACE_PARAMETER_PERFCOUNTERS_CTRL:
      return "ROCPROFILER_THREAD_TRACE_PARAMETER_PERFCOUNTERS_CTRL";
    case ROCPROFILER_THREAD_TRACE_PARAMETER_PERFCOUNTER:
      return "ROCPROFILER_THREAD_TRACE_PARAMETER_PERFCOUNTER";
    case ROCPROFILER_THREAD_TRACE_PARAMETER_SERIALIZE_ALL:
      return "ROCPROFILER_THREAD_TRACE_PARAMETER_SERIALIZE_ALL";
    default:
      return "unsupported_rocprofiler_thread_trace_parameter_type_t";
  }
}

}  // namespace details

/* "unsupported_" and the type's name for a value that is no enumerator. */
template <typename EnumT>
constexpr std::string_view get_enum_label(EnumT value) {
  static_assert(std::is_enum<EnumT>::value, "an enumeration of this interface");
  return details::enum_label(value);
}

}  // namespace sdk
}  // namespace rocprofiler
