/* SPDX-License-Identifier: MIT
 * layouts_hip.h: the same for calls of HIP. hip_layouts_test.py checks every argument. */
#pragma once

SIZE(rocprofiler_callback_tracing_hip_api_data_t, 120);
AT(rocprofiler_callback_tracing_hip_api_data_t, size, 0);
AT(rocprofiler_callback_tracing_hip_api_data_t, args, 8);
AT(rocprofiler_callback_tracing_hip_api_data_t, retval, 96);
SIZE(rocprofiler_hip_api_args_t, 88);
SIZE(rocprofiler_hip_api_retval_t, 24);

SIZE(rocprofiler_buffer_tracing_hip_api_record_t, 64);
AT(rocprofiler_buffer_tracing_hip_api_record_t, size, 0);
AT(rocprofiler_buffer_tracing_hip_api_record_t, kind, 8);
AT(rocprofiler_buffer_tracing_hip_api_record_t, operation, 12);
AT(rocprofiler_buffer_tracing_hip_api_record_t, correlation_id, 16);
AT(rocprofiler_buffer_tracing_hip_api_record_t, start_timestamp, 40);
AT(rocprofiler_buffer_tracing_hip_api_record_t, end_timestamp, 48);
AT(rocprofiler_buffer_tracing_hip_api_record_t, thread_id, 56);

SIZE(rocprofiler_buffer_tracing_hip_api_ext_record_t, 176);
AT(rocprofiler_buffer_tracing_hip_api_ext_record_t, size, 0);
AT(rocprofiler_buffer_tracing_hip_api_ext_record_t, kind, 8);
AT(rocprofiler_buffer_tracing_hip_api_ext_record_t, operation, 12);
AT(rocprofiler_buffer_tracing_hip_api_ext_record_t, correlation_id, 16);
AT(rocprofiler_buffer_tracing_hip_api_ext_record_t, start_timestamp, 40);
AT(rocprofiler_buffer_tracing_hip_api_ext_record_t, end_timestamp, 48);
AT(rocprofiler_buffer_tracing_hip_api_ext_record_t, thread_id, 56);
AT(rocprofiler_buffer_tracing_hip_api_ext_record_t, args, 64);
AT(rocprofiler_buffer_tracing_hip_api_ext_record_t, retval, 152);

SAME(ROCPROFILER_HIP_RUNTIME_API_ID_NONE, -1);
SAME(ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphLaunch, 166);
SAME(ROCPROFILER_HIP_RUNTIME_API_ID_hipLaunchKernel, 214);
SAME(ROCPROFILER_HIP_RUNTIME_API_ID_hipMalloc, 215);
SAME(ROCPROFILER_HIP_RUNTIME_API_ID_hipMemcpyAsync, 268);
SAME(ROCPROFILER_HIP_RUNTIME_API_ID_hipModuleLaunchKernel, 308);
SAME(ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamSynchronize, 346);
SAME(ROCPROFILER_HIP_RUNTIME_API_ID_hipExtModuleLaunchKernel, 388);
SAME(ROCPROFILER_HIP_RUNTIME_API_ID_hipMemGetHandleForAddressRange, 476);
SAME(ROCPROFILER_HIP_COMPILER_API_ID_NONE, -1);
SAME(ROCPROFILER_HIP_COMPILER_API_ID___hipPopCallConfiguration, 0);
SAME(ROCPROFILER_HIP_COMPILER_API_ID___hipUnregisterFatBinary, 8);
SAME(ROCPROFILER_HIP_COMPILER_API_ID_LAST, 9);
