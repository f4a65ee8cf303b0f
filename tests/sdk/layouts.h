/* SPDX-License-Identifier: MIT
 * layouts.h: values, sizes and offsets of upstream's 1.0 headers on x86-64, measured with those
 * headers. Compiled as C and as C++: a difference does not compile. One table, so it has more than
 * 600 lines. */
#include <rocprofiler-sdk-rocattach/rocattach.h>
#include <rocprofiler-sdk-roctx/api_trace.h>
#include <rocprofiler-sdk/attach.h>
#include <rocprofiler-sdk/experimental/registration.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>

#ifdef __cplusplus
#define SAME(expression, value) static_assert((expression) == (value), #expression)
#else
#define SAME(expression, value) _Static_assert((expression) == (value), #expression)
#endif
#define SIZE(type, bytes) SAME(sizeof(type), bytes)
#define AT(type, member, bytes) SAME(offsetof(type, member), bytes)

/* Of 1.3, by its declarations. */
SAME(ROCATTACH_STATUS_ERROR_NOT_SUPPORTED, 3);
SAME(ROCATTACH_STATUS_ERROR_PTRACE_PROCESS_NOT_FOUND, 6);
SAME(ROCATTACH_STATUS_LAST, 7);
SIZE(rocattach_version_triplet_t, 12);
SIZE(rocprofiler_runtime_registration_info_t, 32);
AT(rocprofiler_runtime_registration_info_t, lib_version, 16);
AT(rocprofiler_runtime_registration_info_t, api_table_length, 24);
SIZE(rocprofiler_tool_configure_attach_result_t, 32);
AT(rocprofiler_tool_configure_attach_result_t, tool_detach, 16);

SAME(ROCPROFILER_AGENT_INFO_VERSION_NONE, 0);
SAME(ROCPROFILER_AGENT_INFO_VERSION_0, 1);
SAME(ROCPROFILER_AGENT_INFO_VERSION_LAST, 2);
SAME(ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_NONE, 0);
SAME(ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_FILE, 1);
SAME(ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY, 2);
SAME(ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_LAST, 3);
SAME(ROCPROFILER_STATUS_SUCCESS, 0);
SAME(ROCPROFILER_STATUS_ERROR, 1);
SAME(ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND, 2);
SAME(ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND, 3);
SAME(ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND, 4);
SAME(ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND, 5);
SAME(ROCPROFILER_STATUS_ERROR_THREAD_NOT_FOUND, 6);
SAME(ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND, 7);
SAME(ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND, 8);
SAME(ROCPROFILER_STATUS_ERROR_CONTEXT_ERROR, 9);
SAME(ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID, 10);
SAME(ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED, 11);
SAME(ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT, 12);
SAME(ROCPROFILER_STATUS_ERROR_CONTEXT_ID_NOT_ZERO, 13);
SAME(ROCPROFILER_STATUS_ERROR_BUFFER_BUSY, 14);
SAME(ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED, 15);
SAME(ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED, 16);
SAME(ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED, 17);
SAME(ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI, 18);
SAME(ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT, 19);
SAME(ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT, 20);
SAME(ROCPROFILER_STATUS_ERROR_FINALIZED, 21);
SAME(ROCPROFILER_STATUS_ERROR_HSA_NOT_LOADED, 22);
SAME(ROCPROFILER_STATUS_ERROR_DIM_NOT_FOUND, 23);
SAME(ROCPROFILER_STATUS_ERROR_PROFILE_COUNTER_NOT_FOUND, 24);
SAME(ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED, 25);
SAME(ROCPROFILER_STATUS_ERROR_AST_NOT_FOUND, 26);
SAME(ROCPROFILER_STATUS_ERROR_AQL_NO_EVENT_COORD, 27);
SAME(ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_KERNEL, 28);
SAME(ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES, 29);
SAME(ROCPROFILER_STATUS_ERROR_PROFILE_NOT_FOUND, 30);
SAME(ROCPROFILER_STATUS_ERROR_AGENT_DISPATCH_CONFLICT, 31);
SAME(ROCPROFILER_STATUS_INTERNAL_NO_AGENT_CONTEXT, 32);
SAME(ROCPROFILER_STATUS_ERROR_SAMPLE_RATE_EXCEEDED, 33);
SAME(ROCPROFILER_STATUS_ERROR_NO_PROFILE_QUEUE, 34);
SAME(ROCPROFILER_STATUS_ERROR_NO_HARDWARE_COUNTERS, 35);
SAME(ROCPROFILER_STATUS_ERROR_AGENT_MISMATCH, 36);
SAME(ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE, 37);
SAME(ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT, 38);
SAME(ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED, 39);
SAME(ROCPROFILER_STATUS_ERROR_PERMISSION_DENIED, 40);
SAME(ROCPROFILER_STATUS_LAST, 41);
SAME(ROCPROFILER_BUFFER_CATEGORY_NONE, 0);
SAME(ROCPROFILER_BUFFER_CATEGORY_TRACING, 1);
SAME(ROCPROFILER_BUFFER_CATEGORY_PC_SAMPLING, 2);
SAME(ROCPROFILER_BUFFER_CATEGORY_COUNTERS, 3);
SAME(ROCPROFILER_BUFFER_CATEGORY_LAST, 4);
SAME(ROCPROFILER_AGENT_TYPE_NONE, 0);
SAME(ROCPROFILER_AGENT_TYPE_CPU, 1);
SAME(ROCPROFILER_AGENT_TYPE_GPU, 2);
SAME(ROCPROFILER_AGENT_TYPE_LAST, 3);
SAME(ROCPROFILER_CALLBACK_PHASE_NONE, 0);
SAME(ROCPROFILER_CALLBACK_PHASE_ENTER, 1);
SAME(ROCPROFILER_CALLBACK_PHASE_LOAD, 1);
SAME(ROCPROFILER_CALLBACK_PHASE_EXIT, 2);
SAME(ROCPROFILER_CALLBACK_PHASE_UNLOAD, 2);
SAME(ROCPROFILER_CALLBACK_PHASE_LAST, 3);
SAME(ROCPROFILER_BUFFER_POLICY_NONE, 0);
SAME(ROCPROFILER_BUFFER_POLICY_DISCARD, 1);
SAME(ROCPROFILER_BUFFER_POLICY_LOSSLESS, 2);
SAME(ROCPROFILER_BUFFER_POLICY_LAST, 3);
SAME(ROCPROFILER_LIBRARY, 1);
SAME(ROCPROFILER_HSA_LIBRARY, 2);
SAME(ROCPROFILER_HIP_LIBRARY, 4);
SAME(ROCPROFILER_MARKER_LIBRARY, 8);
SAME(ROCPROFILER_RCCL_LIBRARY, 16);
SAME(ROCPROFILER_ROCDECODE_LIBRARY, 32);
SAME(ROCPROFILER_ROCJPEG_LIBRARY, 64);
SAME(ROCPROFILER_LIBRARY_LAST, 64);
SAME(ROCPROFILER_HSA_TABLE, 1);
SAME(ROCPROFILER_HIP_RUNTIME_TABLE, 2);
SAME(ROCPROFILER_HIP_COMPILER_TABLE, 4);
SAME(ROCPROFILER_MARKER_CORE_TABLE, 8);
SAME(ROCPROFILER_MARKER_CONTROL_TABLE, 16);
SAME(ROCPROFILER_MARKER_NAME_TABLE, 32);
SAME(ROCPROFILER_RCCL_TABLE, 64);
SAME(ROCPROFILER_ROCDECODE_TABLE, 128);
SAME(ROCPROFILER_ROCJPEG_TABLE, 256);
SAME(ROCPROFILER_TABLE_LAST, 256);
SAME(ROCPROFILER_CALLBACK_TRACING_NONE, 0);
SAME(ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API, 1);
SAME(ROCPROFILER_CALLBACK_TRACING_HSA_AMD_EXT_API, 2);
SAME(ROCPROFILER_CALLBACK_TRACING_HSA_IMAGE_EXT_API, 3);
SAME(ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API, 4);
SAME(ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, 5);
SAME(ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API, 6);
SAME(ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API, 7);
SAME(ROCPROFILER_CALLBACK_TRACING_MARKER_CONTROL_API, 8);
SAME(ROCPROFILER_CALLBACK_TRACING_MARKER_NAME_API, 9);
SAME(ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, 10);
SAME(ROCPROFILER_CALLBACK_TRACING_SCRATCH_MEMORY, 11);
SAME(ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH, 12);
SAME(ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY, 13);
SAME(ROCPROFILER_CALLBACK_TRACING_RCCL_API, 14);
SAME(ROCPROFILER_CALLBACK_TRACING_OMPT, 15);
SAME(ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION, 16);
SAME(ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION, 17);
SAME(ROCPROFILER_CALLBACK_TRACING_ROCDECODE_API, 18);
SAME(ROCPROFILER_CALLBACK_TRACING_ROCJPEG_API, 19);
SAME(ROCPROFILER_CALLBACK_TRACING_HIP_STREAM, 20);
SAME(ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API, 21);
SAME(ROCPROFILER_CALLBACK_TRACING_LAST, 22);
SAME(ROCPROFILER_BUFFER_TRACING_NONE, 0);
SAME(ROCPROFILER_BUFFER_TRACING_HSA_CORE_API, 1);
SAME(ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API, 2);
SAME(ROCPROFILER_BUFFER_TRACING_HSA_IMAGE_EXT_API, 3);
SAME(ROCPROFILER_BUFFER_TRACING_HSA_FINALIZE_EXT_API, 4);
SAME(ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API, 5);
SAME(ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API, 6);
SAME(ROCPROFILER_BUFFER_TRACING_MARKER_CORE_API, 7);
SAME(ROCPROFILER_BUFFER_TRACING_MARKER_CONTROL_API, 8);
SAME(ROCPROFILER_BUFFER_TRACING_MARKER_NAME_API, 9);
SAME(ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, 10);
SAME(ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, 11);
SAME(ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY, 12);
SAME(ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT, 13);
SAME(ROCPROFILER_BUFFER_TRACING_RCCL_API, 14);
SAME(ROCPROFILER_BUFFER_TRACING_OMPT, 15);
SAME(ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION, 16);
SAME(ROCPROFILER_BUFFER_TRACING_RUNTIME_INITIALIZATION, 17);
SAME(ROCPROFILER_BUFFER_TRACING_ROCDECODE_API, 18);
SAME(ROCPROFILER_BUFFER_TRACING_ROCJPEG_API, 19);
SAME(ROCPROFILER_BUFFER_TRACING_HIP_STREAM, 20);
SAME(ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT, 21);
SAME(ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT, 22);
SAME(ROCPROFILER_BUFFER_TRACING_ROCDECODE_API_EXT, 23);
SAME(ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_MIGRATE, 24);
SAME(ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_FAULT, 25);
SAME(ROCPROFILER_BUFFER_TRACING_KFD_EVENT_QUEUE, 26);
SAME(ROCPROFILER_BUFFER_TRACING_KFD_EVENT_UNMAP_FROM_GPU, 27);
SAME(ROCPROFILER_BUFFER_TRACING_KFD_EVENT_DROPPED_EVENTS, 28);
SAME(ROCPROFILER_BUFFER_TRACING_KFD_PAGE_MIGRATE, 29);
SAME(ROCPROFILER_BUFFER_TRACING_KFD_PAGE_FAULT, 30);
SAME(ROCPROFILER_BUFFER_TRACING_KFD_QUEUE, 31);
SAME(ROCPROFILER_BUFFER_TRACING_MARKER_CORE_RANGE_API, 32);
SAME(ROCPROFILER_BUFFER_TRACING_LAST, 33);
SAME(ROCPROFILER_CODE_OBJECT_NONE, 0);
SAME(ROCPROFILER_CODE_OBJECT_LOAD, 1);
SAME(ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER, 2);
SAME(ROCPROFILER_CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER, 3);
SAME(ROCPROFILER_CODE_OBJECT_LAST, 4);
SAME(ROCPROFILER_HIP_STREAM_NONE, 0);
SAME(ROCPROFILER_HIP_STREAM_CREATE, 1);
SAME(ROCPROFILER_HIP_STREAM_DESTROY, 2);
SAME(ROCPROFILER_HIP_STREAM_SET, 3);
SAME(ROCPROFILER_HIP_STREAM_LAST, 4);
SAME(ROCPROFILER_MEMORY_COPY_NONE, 0);
SAME(ROCPROFILER_MEMORY_COPY_HOST_TO_HOST, 1);
SAME(ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE, 2);
SAME(ROCPROFILER_MEMORY_COPY_DEVICE_TO_HOST, 3);
SAME(ROCPROFILER_MEMORY_COPY_DEVICE_TO_DEVICE, 4);
SAME(ROCPROFILER_MEMORY_COPY_LAST, 5);
SAME(ROCPROFILER_MEMORY_ALLOCATION_NONE, 0);
SAME(ROCPROFILER_MEMORY_ALLOCATION_ALLOCATE, 1);
SAME(ROCPROFILER_MEMORY_ALLOCATION_VMEM_ALLOCATE, 2);
SAME(ROCPROFILER_MEMORY_ALLOCATION_FREE, 3);
SAME(ROCPROFILER_MEMORY_ALLOCATION_VMEM_FREE, 4);
SAME(ROCPROFILER_MEMORY_ALLOCATION_LAST, 5);
SAME(ROCPROFILER_KERNEL_DISPATCH_NONE, 0);
SAME(ROCPROFILER_KERNEL_DISPATCH_ENQUEUE, 1);
SAME(ROCPROFILER_KERNEL_DISPATCH_COMPLETE, 2);
SAME(ROCPROFILER_KERNEL_DISPATCH_LAST, 3);
SAME(ROCPROFILER_SCRATCH_MEMORY_NONE, 0);
SAME(ROCPROFILER_SCRATCH_MEMORY_ALLOC, 1);
SAME(ROCPROFILER_SCRATCH_MEMORY_FREE, 2);
SAME(ROCPROFILER_SCRATCH_MEMORY_ASYNC_RECLAIM, 3);
SAME(ROCPROFILER_SCRATCH_MEMORY_LAST, 4);
SAME(ROCPROFILER_RUNTIME_INITIALIZATION_NONE, 0);
SAME(ROCPROFILER_RUNTIME_INITIALIZATION_HSA, 1);
SAME(ROCPROFILER_RUNTIME_INITIALIZATION_HIP, 2);
SAME(ROCPROFILER_RUNTIME_INITIALIZATION_MARKER, 3);
SAME(ROCPROFILER_RUNTIME_INITIALIZATION_RCCL, 4);
SAME(ROCPROFILER_RUNTIME_INITIALIZATION_ROCDECODE, 5);
SAME(ROCPROFILER_RUNTIME_INITIALIZATION_ROCJPEG, 6);
SAME(ROCPROFILER_RUNTIME_INITIALIZATION_LAST, 7);

SIZE(rocprofiler_agent_cache_t, 40);
AT(rocprofiler_agent_cache_t, processor_id_low, 0);
AT(rocprofiler_agent_cache_t, size, 8);
AT(rocprofiler_agent_cache_t, level, 16);
AT(rocprofiler_agent_cache_t, cache_line_size, 20);
AT(rocprofiler_agent_cache_t, cache_lines_per_tag, 24);
AT(rocprofiler_agent_cache_t, association, 28);
AT(rocprofiler_agent_cache_t, latency, 32);
AT(rocprofiler_agent_cache_t, type, 36);

SIZE(rocprofiler_agent_io_link_t, 48);
AT(rocprofiler_agent_io_link_t, type, 0);
AT(rocprofiler_agent_io_link_t, version_major, 4);
AT(rocprofiler_agent_io_link_t, version_minor, 8);
AT(rocprofiler_agent_io_link_t, node_from, 12);
AT(rocprofiler_agent_io_link_t, node_to, 16);
AT(rocprofiler_agent_io_link_t, weight, 20);
AT(rocprofiler_agent_io_link_t, min_latency, 24);
AT(rocprofiler_agent_io_link_t, max_latency, 28);
AT(rocprofiler_agent_io_link_t, min_bandwidth, 32);
AT(rocprofiler_agent_io_link_t, max_bandwidth, 36);
AT(rocprofiler_agent_io_link_t, recommended_transfer_size, 40);
AT(rocprofiler_agent_io_link_t, flags, 44);

SIZE(rocprofiler_agent_mem_bank_t, 24);
AT(rocprofiler_agent_mem_bank_t, heap_type, 0);
AT(rocprofiler_agent_mem_bank_t, flags, 4);
AT(rocprofiler_agent_mem_bank_t, width, 8);
AT(rocprofiler_agent_mem_bank_t, mem_clk_max, 12);
AT(rocprofiler_agent_mem_bank_t, size_in_bytes, 16);

SIZE(rocprofiler_agent_runtime_visiblity_t, 4);

SIZE(rocprofiler_agent_v0_t, 312);
AT(rocprofiler_agent_v0_t, size, 0);
AT(rocprofiler_agent_v0_t, id, 8);
AT(rocprofiler_agent_v0_t, type, 16);
AT(rocprofiler_agent_v0_t, cpu_cores_count, 20);
AT(rocprofiler_agent_v0_t, simd_count, 24);
AT(rocprofiler_agent_v0_t, mem_banks_count, 28);
AT(rocprofiler_agent_v0_t, caches_count, 32);
AT(rocprofiler_agent_v0_t, io_links_count, 36);
AT(rocprofiler_agent_v0_t, cpu_core_id_base, 40);
AT(rocprofiler_agent_v0_t, simd_id_base, 44);
AT(rocprofiler_agent_v0_t, max_waves_per_simd, 48);
AT(rocprofiler_agent_v0_t, lds_size_in_kb, 52);
AT(rocprofiler_agent_v0_t, gds_size_in_kb, 56);
AT(rocprofiler_agent_v0_t, num_gws, 60);
AT(rocprofiler_agent_v0_t, wave_front_size, 64);
AT(rocprofiler_agent_v0_t, num_xcc, 68);
AT(rocprofiler_agent_v0_t, cu_count, 72);
AT(rocprofiler_agent_v0_t, array_count, 76);
AT(rocprofiler_agent_v0_t, num_shader_banks, 80);
AT(rocprofiler_agent_v0_t, simd_arrays_per_engine, 84);
AT(rocprofiler_agent_v0_t, cu_per_simd_array, 88);
AT(rocprofiler_agent_v0_t, simd_per_cu, 92);
AT(rocprofiler_agent_v0_t, max_slots_scratch_cu, 96);
AT(rocprofiler_agent_v0_t, gfx_target_version, 100);
AT(rocprofiler_agent_v0_t, vendor_id, 104);
AT(rocprofiler_agent_v0_t, device_id, 106);
AT(rocprofiler_agent_v0_t, location_id, 108);
AT(rocprofiler_agent_v0_t, domain, 112);
AT(rocprofiler_agent_v0_t, drm_render_minor, 116);
AT(rocprofiler_agent_v0_t, num_sdma_engines, 120);
AT(rocprofiler_agent_v0_t, num_sdma_xgmi_engines, 124);
AT(rocprofiler_agent_v0_t, num_sdma_queues_per_engine, 128);
AT(rocprofiler_agent_v0_t, num_cp_queues, 132);
AT(rocprofiler_agent_v0_t, max_engine_clk_ccompute, 136);
AT(rocprofiler_agent_v0_t, max_engine_clk_fcompute, 140);
AT(rocprofiler_agent_v0_t, sdma_fw_version, 144);
AT(rocprofiler_agent_v0_t, fw_version, 148);
AT(rocprofiler_agent_v0_t, capability, 152);
AT(rocprofiler_agent_v0_t, cu_per_engine, 156);
AT(rocprofiler_agent_v0_t, max_waves_per_cu, 160);
AT(rocprofiler_agent_v0_t, family_id, 164);
AT(rocprofiler_agent_v0_t, workgroup_max_size, 168);
AT(rocprofiler_agent_v0_t, grid_max_size, 172);
AT(rocprofiler_agent_v0_t, local_mem_size, 176);
AT(rocprofiler_agent_v0_t, hive_id, 184);
AT(rocprofiler_agent_v0_t, gpu_id, 192);
AT(rocprofiler_agent_v0_t, workgroup_max_dim, 200);
AT(rocprofiler_agent_v0_t, grid_max_dim, 212);
AT(rocprofiler_agent_v0_t, mem_banks, 224);
AT(rocprofiler_agent_v0_t, caches, 232);
AT(rocprofiler_agent_v0_t, io_links, 240);
AT(rocprofiler_agent_v0_t, name, 248);
AT(rocprofiler_agent_v0_t, vendor_name, 256);
AT(rocprofiler_agent_v0_t, product_name, 264);
AT(rocprofiler_agent_v0_t, model_name, 272);
AT(rocprofiler_agent_v0_t, node_id, 280);
AT(rocprofiler_agent_v0_t, logical_node_id, 284);
AT(rocprofiler_agent_v0_t, logical_node_type_id, 288);
AT(rocprofiler_agent_v0_t, runtime_visibility, 292);
AT(rocprofiler_agent_v0_t, uuid, 296);

SIZE(rocprofiler_callback_tracing_code_object_load_data_t, 88);
AT(rocprofiler_callback_tracing_code_object_load_data_t, size, 0);
AT(rocprofiler_callback_tracing_code_object_load_data_t, code_object_id, 8);
AT(rocprofiler_callback_tracing_code_object_load_data_t, rocp_agent, 16);
AT(rocprofiler_callback_tracing_code_object_load_data_t, agent_id, 16);
AT(rocprofiler_callback_tracing_code_object_load_data_t, hsa_agent, 24);
AT(rocprofiler_callback_tracing_code_object_load_data_t, uri, 32);
AT(rocprofiler_callback_tracing_code_object_load_data_t, load_base, 40);
AT(rocprofiler_callback_tracing_code_object_load_data_t, load_size, 48);
AT(rocprofiler_callback_tracing_code_object_load_data_t, load_delta, 56);
AT(rocprofiler_callback_tracing_code_object_load_data_t, storage_type, 64);
AT(rocprofiler_callback_tracing_code_object_load_data_t, storage_file, 72);
AT(rocprofiler_callback_tracing_code_object_load_data_t, memory_base, 72);
AT(rocprofiler_callback_tracing_code_object_load_data_t, memory_size, 80);

SIZE(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t, 88);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t, size, 0);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t, kernel_id, 8);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t, code_object_id, 16);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t, kernel_name, 24);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t, kernel_object, 32);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t, kernarg_segment_size,
   40);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t,
   kernarg_segment_alignment, 44);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t, group_segment_size, 48);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t, private_segment_size,
   52);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t, sgpr_count, 56);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t, arch_vgpr_count, 60);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t, accum_vgpr_count, 64);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t,
   kernel_code_entry_byte_offset, 72);
AT(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t, kernel_address, 80);

SIZE(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, 120);
AT(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, size, 0);
AT(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, host_function_id,
   8);
AT(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, kernel_id, 16);
AT(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, code_object_id, 24);
AT(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, host_function, 32);
AT(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, modules, 40);
AT(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, device_function,
   48);
AT(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, thread_limit, 56);
AT(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, thread_ids, 60);
AT(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, block_ids, 72);
AT(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, block_dims, 84);
AT(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, grid_dims, 96);
AT(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t, workgroup_size,
   112);

SIZE(rocprofiler_client_id_t, 24);
AT(rocprofiler_client_id_t, size, 0);
AT(rocprofiler_client_id_t, name, 8);
AT(rocprofiler_client_id_t, handle, 16);

SIZE(rocprofiler_tool_configure_result_t, 32);
AT(rocprofiler_tool_configure_result_t, size, 0);
AT(rocprofiler_tool_configure_result_t, initialize, 8);
AT(rocprofiler_tool_configure_result_t, finalize, 16);
AT(rocprofiler_tool_configure_result_t, tool_data, 24);

SIZE(rocprofiler_uuid_t, 16);
AT(rocprofiler_uuid_t, bytes, 0);

SIZE(rocprofiler_version_triplet_t, 12);
AT(rocprofiler_version_triplet_t, major, 0);
AT(rocprofiler_version_triplet_t, minor, 4);
AT(rocprofiler_version_triplet_t, patch, 8);

SIZE(rocprofiler_context_id_t, 8);
AT(rocprofiler_context_id_t, handle, 0);

SIZE(rocprofiler_queue_id_t, 8);
AT(rocprofiler_queue_id_t, handle, 0);

SIZE(rocprofiler_stream_id_t, 8);
AT(rocprofiler_stream_id_t, handle, 0);

SIZE(rocprofiler_buffer_id_t, 8);
AT(rocprofiler_buffer_id_t, handle, 0);

SIZE(rocprofiler_agent_id_t, 8);
AT(rocprofiler_agent_id_t, handle, 0);

SIZE(rocprofiler_correlation_id_t, 24);
AT(rocprofiler_correlation_id_t, internal, 0);
AT(rocprofiler_correlation_id_t, external, 8);
AT(rocprofiler_correlation_id_t, ancestor, 16);

SIZE(rocprofiler_async_correlation_id_t, 16);
AT(rocprofiler_async_correlation_id_t, internal, 0);
AT(rocprofiler_async_correlation_id_t, external, 8);

SIZE(rocprofiler_dim3_t, 12);
AT(rocprofiler_dim3_t, x, 0);
AT(rocprofiler_dim3_t, y, 4);
AT(rocprofiler_dim3_t, z, 8);

SIZE(rocprofiler_callback_tracing_record_t, 64);
AT(rocprofiler_callback_tracing_record_t, context_id, 0);
AT(rocprofiler_callback_tracing_record_t, thread_id, 8);
AT(rocprofiler_callback_tracing_record_t, correlation_id, 16);
AT(rocprofiler_callback_tracing_record_t, kind, 40);
AT(rocprofiler_callback_tracing_record_t, operation, 44);
AT(rocprofiler_callback_tracing_record_t, phase, 48);
AT(rocprofiler_callback_tracing_record_t, payload, 56);

SIZE(rocprofiler_record_header_t, 16);
AT(rocprofiler_record_header_t, category, 0);
AT(rocprofiler_record_header_t, kind, 4);
AT(rocprofiler_record_header_t, hash, 0);
AT(rocprofiler_record_header_t, payload, 8);

SIZE(rocprofiler_kernel_dispatch_info_t, 128);
AT(rocprofiler_kernel_dispatch_info_t, size, 0);
AT(rocprofiler_kernel_dispatch_info_t, agent_id, 8);
AT(rocprofiler_kernel_dispatch_info_t, queue_id, 16);
AT(rocprofiler_kernel_dispatch_info_t, kernel_id, 24);
AT(rocprofiler_kernel_dispatch_info_t, dispatch_id, 32);
AT(rocprofiler_kernel_dispatch_info_t, private_segment_size, 40);
AT(rocprofiler_kernel_dispatch_info_t, group_segment_size, 44);
AT(rocprofiler_kernel_dispatch_info_t, workgroup_size, 48);
AT(rocprofiler_kernel_dispatch_info_t, grid_size, 60);
AT(rocprofiler_kernel_dispatch_info_t, reserved_padding, 72);

SIZE(rocprofiler_buffer_tracing_kernel_dispatch_record_t, 184);
AT(rocprofiler_buffer_tracing_kernel_dispatch_record_t, size, 0);
AT(rocprofiler_buffer_tracing_kernel_dispatch_record_t, kind, 8);
AT(rocprofiler_buffer_tracing_kernel_dispatch_record_t, operation, 12);
AT(rocprofiler_buffer_tracing_kernel_dispatch_record_t, correlation_id, 16);
AT(rocprofiler_buffer_tracing_kernel_dispatch_record_t, thread_id, 32);
AT(rocprofiler_buffer_tracing_kernel_dispatch_record_t, start_timestamp, 40);
AT(rocprofiler_buffer_tracing_kernel_dispatch_record_t, end_timestamp, 48);
AT(rocprofiler_buffer_tracing_kernel_dispatch_record_t, dispatch_info, 56);

SIZE(rocprofiler_callback_tracing_kernel_dispatch_data_t, 152);
AT(rocprofiler_callback_tracing_kernel_dispatch_data_t, size, 0);
AT(rocprofiler_callback_tracing_kernel_dispatch_data_t, start_timestamp, 8);
AT(rocprofiler_callback_tracing_kernel_dispatch_data_t, end_timestamp, 16);
AT(rocprofiler_callback_tracing_kernel_dispatch_data_t, dispatch_info, 24);

SIZE(rocprofiler_callback_tracing_memory_copy_data_t, 64);
AT(rocprofiler_callback_tracing_memory_copy_data_t, size, 0);
AT(rocprofiler_callback_tracing_memory_copy_data_t, start_timestamp, 8);
AT(rocprofiler_callback_tracing_memory_copy_data_t, end_timestamp, 16);
AT(rocprofiler_callback_tracing_memory_copy_data_t, dst_agent_id, 24);
AT(rocprofiler_callback_tracing_memory_copy_data_t, src_agent_id, 32);
AT(rocprofiler_callback_tracing_memory_copy_data_t, bytes, 40);
AT(rocprofiler_callback_tracing_memory_copy_data_t, dst_address, 48);
AT(rocprofiler_callback_tracing_memory_copy_data_t, src_address, 56);

SIZE(rocprofiler_buffer_tracing_correlation_id_retirement_record_t, 32);
AT(rocprofiler_buffer_tracing_correlation_id_retirement_record_t, size, 0);
AT(rocprofiler_buffer_tracing_correlation_id_retirement_record_t, kind, 8);
AT(rocprofiler_buffer_tracing_correlation_id_retirement_record_t, timestamp, 16);
AT(rocprofiler_buffer_tracing_correlation_id_retirement_record_t, internal_correlation_id, 24);

SIZE(rocprofiler_buffer_tracing_memory_copy_record_t, 96);
AT(rocprofiler_buffer_tracing_memory_copy_record_t, size, 0);
AT(rocprofiler_buffer_tracing_memory_copy_record_t, kind, 8);
AT(rocprofiler_buffer_tracing_memory_copy_record_t, operation, 12);
AT(rocprofiler_buffer_tracing_memory_copy_record_t, correlation_id, 16);
AT(rocprofiler_buffer_tracing_memory_copy_record_t, thread_id, 32);
AT(rocprofiler_buffer_tracing_memory_copy_record_t, start_timestamp, 40);
AT(rocprofiler_buffer_tracing_memory_copy_record_t, end_timestamp, 48);
AT(rocprofiler_buffer_tracing_memory_copy_record_t, dst_agent_id, 56);
AT(rocprofiler_buffer_tracing_memory_copy_record_t, src_agent_id, 64);
AT(rocprofiler_buffer_tracing_memory_copy_record_t, bytes, 72);
AT(rocprofiler_buffer_tracing_memory_copy_record_t, dst_address, 80);
AT(rocprofiler_buffer_tracing_memory_copy_record_t, src_address, 88);

SIZE(rocprofiler_buffer_tracing_hsa_api_record_t, 64);
AT(rocprofiler_buffer_tracing_hsa_api_record_t, size, 0);
AT(rocprofiler_buffer_tracing_hsa_api_record_t, kind, 8);
AT(rocprofiler_buffer_tracing_hsa_api_record_t, operation, 12);
AT(rocprofiler_buffer_tracing_hsa_api_record_t, correlation_id, 16);
AT(rocprofiler_buffer_tracing_hsa_api_record_t, start_timestamp, 40);
AT(rocprofiler_buffer_tracing_hsa_api_record_t, end_timestamp, 48);
AT(rocprofiler_buffer_tracing_hsa_api_record_t, thread_id, 56);

SIZE(rocprofiler_callback_tracing_hsa_api_data_t, 208);
AT(rocprofiler_callback_tracing_hsa_api_data_t, size, 0);
AT(rocprofiler_callback_tracing_hsa_api_data_t, args, 8);
AT(rocprofiler_callback_tracing_hsa_api_data_t, retval, 200);

SIZE(rocprofiler_hsa_api_args_t, 192);
SAME(ROCPROFILER_HSA_CORE_API_ID_NONE, -1);
SAME(ROCPROFILER_HSA_CORE_API_ID_hsa_queue_create, 7);
SAME(ROCPROFILER_HSA_CORE_API_ID_LAST, 125);
SAME(ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_async_copy, 15);
SAME(ROCPROFILER_HSA_AMD_EXT_API_ID_LAST, 74);
SAME(ROCPROFILER_HSA_IMAGE_EXT_API_ID_LAST, 13);
SAME(ROCPROFILER_HSA_FINALIZE_EXT_API_ID_LAST, 6);

SIZE(rocprofiler_buffer_tracing_marker_api_record_t, 64);
AT(rocprofiler_buffer_tracing_marker_api_record_t, size, 0);
AT(rocprofiler_buffer_tracing_marker_api_record_t, kind, 8);
AT(rocprofiler_buffer_tracing_marker_api_record_t, operation, 12);
AT(rocprofiler_buffer_tracing_marker_api_record_t, correlation_id, 16);
AT(rocprofiler_buffer_tracing_marker_api_record_t, start_timestamp, 40);
AT(rocprofiler_buffer_tracing_marker_api_record_t, end_timestamp, 48);
AT(rocprofiler_buffer_tracing_marker_api_record_t, thread_id, 56);

SIZE(rocprofiler_callback_tracing_marker_api_data_t, 32);
AT(rocprofiler_callback_tracing_marker_api_data_t, size, 0);
AT(rocprofiler_callback_tracing_marker_api_data_t, args, 8);
AT(rocprofiler_callback_tracing_marker_api_data_t, retval, 24);

SIZE(rocprofiler_buffer_tracing_memory_allocation_record_t, 88);
AT(rocprofiler_buffer_tracing_memory_allocation_record_t, size, 0);
AT(rocprofiler_buffer_tracing_memory_allocation_record_t, kind, 8);
AT(rocprofiler_buffer_tracing_memory_allocation_record_t, operation, 12);
AT(rocprofiler_buffer_tracing_memory_allocation_record_t, correlation_id, 16);
AT(rocprofiler_buffer_tracing_memory_allocation_record_t, thread_id, 40);
AT(rocprofiler_buffer_tracing_memory_allocation_record_t, start_timestamp, 48);
AT(rocprofiler_buffer_tracing_memory_allocation_record_t, end_timestamp, 56);
AT(rocprofiler_buffer_tracing_memory_allocation_record_t, agent_id, 64);
AT(rocprofiler_buffer_tracing_memory_allocation_record_t, address, 72);
AT(rocprofiler_buffer_tracing_memory_allocation_record_t, allocation_size, 80);

SIZE(rocprofiler_callback_tracing_memory_allocation_data_t, 48);
AT(rocprofiler_callback_tracing_memory_allocation_data_t, size, 0);
AT(rocprofiler_callback_tracing_memory_allocation_data_t, start_timestamp, 8);
AT(rocprofiler_callback_tracing_memory_allocation_data_t, end_timestamp, 16);
AT(rocprofiler_callback_tracing_memory_allocation_data_t, agent_id, 24);
AT(rocprofiler_callback_tracing_memory_allocation_data_t, address, 32);
AT(rocprofiler_callback_tracing_memory_allocation_data_t, allocation_size, 40);

SIZE(rocprofiler_buffer_tracing_scratch_memory_record_t, 96);
AT(rocprofiler_buffer_tracing_scratch_memory_record_t, size, 0);
AT(rocprofiler_buffer_tracing_scratch_memory_record_t, kind, 8);
AT(rocprofiler_buffer_tracing_scratch_memory_record_t, operation, 12);
AT(rocprofiler_buffer_tracing_scratch_memory_record_t, correlation_id, 16);
AT(rocprofiler_buffer_tracing_scratch_memory_record_t, agent_id, 40);
AT(rocprofiler_buffer_tracing_scratch_memory_record_t, queue_id, 48);
AT(rocprofiler_buffer_tracing_scratch_memory_record_t, thread_id, 56);
AT(rocprofiler_buffer_tracing_scratch_memory_record_t, start_timestamp, 64);
AT(rocprofiler_buffer_tracing_scratch_memory_record_t, end_timestamp, 72);
AT(rocprofiler_buffer_tracing_scratch_memory_record_t, flags, 80);
AT(rocprofiler_buffer_tracing_scratch_memory_record_t, allocation_size, 88);

SIZE(rocprofiler_callback_tracing_scratch_memory_data_t, 56);
AT(rocprofiler_callback_tracing_scratch_memory_data_t, size, 0);
AT(rocprofiler_callback_tracing_scratch_memory_data_t, agent_id, 8);
AT(rocprofiler_callback_tracing_scratch_memory_data_t, queue_id, 16);
AT(rocprofiler_callback_tracing_scratch_memory_data_t, flags, 24);
AT(rocprofiler_callback_tracing_scratch_memory_data_t, args_kind, 28);
AT(rocprofiler_callback_tracing_scratch_memory_data_t, args, 32);
AT(rocprofiler_callback_tracing_scratch_memory_data_t, args.alloc_start.dispatch_id, 32);
AT(rocprofiler_callback_tracing_scratch_memory_data_t, args.alloc_end.dispatch_id, 32);
AT(rocprofiler_callback_tracing_scratch_memory_data_t, args.alloc_end.size, 40);
AT(rocprofiler_callback_tracing_scratch_memory_data_t, args.alloc_end.num_slots, 48);
SIZE(rocprofiler_scratch_memory_args_t, 24);
SIZE(rocprofiler_scratch_memory_no_args, 1);
SAME(ROCPROFILER_SCRATCH_ALLOC_FLAG_NONE, 0);
SAME(ROCPROFILER_SCRATCH_ALLOC_FLAG_USE_ONCE, 1);
SAME(ROCPROFILER_SCRATCH_ALLOC_FLAG_ALT, 2);
SAME(HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_START, 1);
SAME(HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_END, 2);
SAME(HSA_AMD_TOOL_EVENT_SCRATCH_FREE_START, 3);
SAME(HSA_AMD_TOOL_EVENT_SCRATCH_FREE_END, 4);
SAME(HSA_AMD_TOOL_EVENT_SCRATCH_ASYNC_RECLAIM_START, 5);
SAME(HSA_AMD_TOOL_EVENT_SCRATCH_ASYNC_RECLAIM_END, 6);

SIZE(rocprofiler_buffer_tracing_runtime_initialization_record_t, 72);
AT(rocprofiler_buffer_tracing_runtime_initialization_record_t, size, 0);
AT(rocprofiler_buffer_tracing_runtime_initialization_record_t, kind, 8);
AT(rocprofiler_buffer_tracing_runtime_initialization_record_t, operation, 12);
AT(rocprofiler_buffer_tracing_runtime_initialization_record_t, correlation_id, 16);
AT(rocprofiler_buffer_tracing_runtime_initialization_record_t, thread_id, 40);
AT(rocprofiler_buffer_tracing_runtime_initialization_record_t, timestamp, 48);
AT(rocprofiler_buffer_tracing_runtime_initialization_record_t, version, 56);
AT(rocprofiler_buffer_tracing_runtime_initialization_record_t, instance, 64);

SIZE(rocprofiler_callback_tracing_hip_stream_data_t, 24);
AT(rocprofiler_callback_tracing_hip_stream_data_t, size, 0);
AT(rocprofiler_callback_tracing_hip_stream_data_t, stream_id, 8);
AT(rocprofiler_callback_tracing_hip_stream_data_t, stream_value, 16);

SIZE(rocprofiler_callback_tracing_runtime_initialization_data_t, 24);
AT(rocprofiler_callback_tracing_runtime_initialization_data_t, size, 0);
AT(rocprofiler_callback_tracing_runtime_initialization_data_t, version, 8);
AT(rocprofiler_callback_tracing_runtime_initialization_data_t, instance, 16);

SAME(ROCPROFILER_MARKER_CORE_API_ID_NONE, -1);
SAME(ROCPROFILER_MARKER_CORE_API_ID_LAST, 6);
SAME(ROCPROFILER_MARKER_CORE_RANGE_API_ID_NONE, -1);
SAME(ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxMarkA, 0);
SAME(ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxThreadRangeA, 1);
SAME(ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxProcessRangeA, 2);
SAME(ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxGetThreadId, 3);
SAME(ROCPROFILER_MARKER_CORE_RANGE_API_ID_LAST, 4);
SAME(ROCPROFILER_MARKER_CONTROL_API_ID_LAST, 2);
SAME(ROCPROFILER_MARKER_NAME_API_ID_LAST, 4);
SIZE(roctxCoreApiTable_t, 56);
SIZE(roctxControlApiTable_t, 24);
SIZE(roctxNameApiTable_t, 40);

SIZE(rocprofiler_callback_thread_t, 8);
SIZE(rocprofiler_user_data_t, 8);
SIZE(rocprofiler_address_t, 8);
SIZE(rocprofiler_tracing_operation_t, 4);

#include "layouts_hip.h"
#include "layouts_libraries.h"
#include "layouts_unbuilt.h"
