/* SPDX-License-Identifier: MIT
 * layouts_unbuilt.h: the same for services that are not built. Thread trace and its decoder: as in
 * the headers of 2026. */
#pragma once

#include <rocprofiler-sdk/experimental/counters.h>
#include <rocprofiler-sdk/experimental/thread_trace.h>

SAME(ROCPROFILER_COUNTER_INFO_VERSION_NONE, 0);
SAME(ROCPROFILER_COUNTER_INFO_VERSION_0, 1);
SAME(ROCPROFILER_COUNTER_INFO_VERSION_1, 2);
SAME(ROCPROFILER_COUNTER_INFO_VERSION_LAST, 3);
SAME(ROCPROFILER_COUNTER_RECORD_NONE, 0);
SAME(ROCPROFILER_COUNTER_RECORD_PROFILE_COUNTING_DISPATCH_HEADER, 1);
SAME(ROCPROFILER_COUNTER_RECORD_VALUE, 2);
SAME(ROCPROFILER_COUNTER_RECORD_LAST, 3);
SAME(ROCPROFILER_COUNTER_FLAG_NONE, 0);
SAME(ROCPROFILER_COUNTER_FLAG_ASYNC, 1);
SAME(ROCPROFILER_COUNTER_FLAG_APPEND_DEFINITION, 2);
SAME(ROCPROFILER_COUNTER_FLAG_LAST, 3);
SAME(ROCPROFILER_PC_SAMPLING_RECORD_NONE, 0);
SAME(ROCPROFILER_PC_SAMPLING_RECORD_INVALID_SAMPLE, 1);
SAME(ROCPROFILER_PC_SAMPLING_RECORD_HOST_TRAP_V0_SAMPLE, 2);
SAME(ROCPROFILER_PC_SAMPLING_RECORD_STOCHASTIC_V0_SAMPLE, 3);
SAME(ROCPROFILER_PC_SAMPLING_RECORD_LAST, 4);
SAME(ROCPROFILER_PC_SAMPLING_METHOD_NONE, 0);
SAME(ROCPROFILER_PC_SAMPLING_METHOD_STOCHASTIC, 1);
SAME(ROCPROFILER_PC_SAMPLING_METHOD_HOST_TRAP, 2);
SAME(ROCPROFILER_PC_SAMPLING_METHOD_LAST, 3);
SAME(ROCPROFILER_PC_SAMPLING_UNIT_NONE, 0);
SAME(ROCPROFILER_PC_SAMPLING_UNIT_INSTRUCTIONS, 1);
SAME(ROCPROFILER_PC_SAMPLING_UNIT_CYCLES, 2);
SAME(ROCPROFILER_PC_SAMPLING_UNIT_TIME, 3);
SAME(ROCPROFILER_PC_SAMPLING_UNIT_LAST, 4);
SAME(ROCPROFILER_PC_SAMPLING_CONFIGURATION_FLAGS_NONE, 0);
SAME(ROCPROFILER_PC_SAMPLING_CONFIGURATION_FLAGS_INTERVAL_POW2, 1);
SAME(ROCPROFILER_PC_SAMPLING_CONFIGURATION_FLAGS_LAST, 2);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_NONE, 0);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_VALU, 1);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_MATRIX, 2);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_SCALAR, 3);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_TEX, 4);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_LDS, 5);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_LDS_DIRECT, 6);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_FLAT, 7);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_EXPORT, 8);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_MESSAGE, 9);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_BARRIER, 10);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_BRANCH_NOT_TAKEN, 11);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_BRANCH_TAKEN, 12);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_JUMP, 13);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_OTHER, 14);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_NO_INST, 15);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_DUAL_VALU, 16);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_LAST, 17);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_NONE, 0);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_NO_INSTRUCTION_AVAILABLE, 1);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_ALU_DEPENDENCY, 2);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_WAITCNT, 3);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_INTERNAL_INSTRUCTION, 4);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_BARRIER_WAIT, 5);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_ARBITER_NOT_WIN, 6);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_ARBITER_WIN_EX_STALL, 7);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_OTHER_WAIT, 8);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_SLEEP_WAIT, 9);
SAME(ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_LAST, 10);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_NONE, 0);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_CORE_API, 1);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_AMD_EXT_API, 2);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_IMAGE_EXT_API, 3);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_FINALIZE_EXT_API, 4);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HIP_RUNTIME_API, 5);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HIP_COMPILER_API, 6);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CORE_API, 7);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CONTROL_API, 8);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_NAME_API, 9);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_COPY, 10);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_KERNEL_DISPATCH, 11);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_SCRATCH_MEMORY, 12);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_RCCL_API, 13);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_OMPT, 14);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_ALLOCATION, 15);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_ROCDECODE_API, 16);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_ROCJPEG_API, 17);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CORE_RANGE_API, 18);
SAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_LAST, 19);

SIZE(rocprofiler_counter_id_t, 8);
AT(rocprofiler_counter_id_t, handle, 0);

SIZE(rocprofiler_counter_config_id_t, 8);
AT(rocprofiler_counter_config_id_t, handle, 0);

SIZE(rocprofiler_counter_record_dimension_info_t, 24);
AT(rocprofiler_counter_record_dimension_info_t, name, 0);
AT(rocprofiler_counter_record_dimension_info_t, instance_size, 8);
AT(rocprofiler_counter_record_dimension_info_t, id, 16);

SIZE(rocprofiler_counter_record_t, 40);
AT(rocprofiler_counter_record_t, id, 0);
AT(rocprofiler_counter_record_t, counter_value, 8);
AT(rocprofiler_counter_record_t, dispatch_id, 16);
AT(rocprofiler_counter_record_t, user_data, 24);
AT(rocprofiler_counter_record_t, agent_id, 32);

SIZE(rocprofiler_counter_info_v0_t, 48);
AT(rocprofiler_counter_info_v0_t, id, 0);
AT(rocprofiler_counter_info_v0_t, name, 8);
AT(rocprofiler_counter_info_v0_t, description, 16);
AT(rocprofiler_counter_info_v0_t, block, 24);
AT(rocprofiler_counter_info_v0_t, expression, 32);

SIZE(rocprofiler_counter_dimension_info_t, 24);
AT(rocprofiler_counter_dimension_info_t, size, 0);
AT(rocprofiler_counter_dimension_info_t, dimension_name, 8);
AT(rocprofiler_counter_dimension_info_t, index, 16);

SIZE(rocprofiler_counter_record_dimension_instance_info_t, 40);
AT(rocprofiler_counter_record_dimension_instance_info_t, size, 0);
AT(rocprofiler_counter_record_dimension_instance_info_t, instance_id, 8);
AT(rocprofiler_counter_record_dimension_instance_info_t, counter_id, 16);
AT(rocprofiler_counter_record_dimension_instance_info_t, dimensions_count, 24);
AT(rocprofiler_counter_record_dimension_instance_info_t, dimensions, 32);

SIZE(rocprofiler_counter_info_v1_t, 88);
AT(rocprofiler_counter_info_v1_t, size, 0);
AT(rocprofiler_counter_info_v1_t, id, 8);
AT(rocprofiler_counter_info_v1_t, name, 16);
AT(rocprofiler_counter_info_v1_t, description, 24);
AT(rocprofiler_counter_info_v1_t, block, 32);
AT(rocprofiler_counter_info_v1_t, expression, 40);
AT(rocprofiler_counter_info_v1_t, dimensions_count, 56);
AT(rocprofiler_counter_info_v1_t, dimensions, 64);
AT(rocprofiler_counter_info_v1_t, dimensions_instances_count, 72);
AT(rocprofiler_counter_info_v1_t, dimensions_instances, 80);

SIZE(rocprofiler_dispatch_counting_service_data_t, 168);
AT(rocprofiler_dispatch_counting_service_data_t, size, 0);
AT(rocprofiler_dispatch_counting_service_data_t, correlation_id, 8);
AT(rocprofiler_dispatch_counting_service_data_t, start_timestamp, 24);
AT(rocprofiler_dispatch_counting_service_data_t, end_timestamp, 32);
AT(rocprofiler_dispatch_counting_service_data_t, dispatch_info, 40);

SIZE(rocprofiler_dispatch_counting_service_record_t, 176);
AT(rocprofiler_dispatch_counting_service_record_t, size, 0);
AT(rocprofiler_dispatch_counting_service_record_t, num_records, 8);
AT(rocprofiler_dispatch_counting_service_record_t, correlation_id, 16);
AT(rocprofiler_dispatch_counting_service_record_t, start_timestamp, 32);
AT(rocprofiler_dispatch_counting_service_record_t, end_timestamp, 40);
AT(rocprofiler_dispatch_counting_service_record_t, dispatch_info, 48);

SIZE(rocprofiler_pc_sampling_configuration_t, 40);
AT(rocprofiler_pc_sampling_configuration_t, size, 0);
AT(rocprofiler_pc_sampling_configuration_t, method, 8);
AT(rocprofiler_pc_sampling_configuration_t, unit, 12);
AT(rocprofiler_pc_sampling_configuration_t, min_interval, 16);
AT(rocprofiler_pc_sampling_configuration_t, max_interval, 24);
AT(rocprofiler_pc_sampling_configuration_t, flags, 32);

SIZE(rocprofiler_pc_sampling_hw_id_v0_t, 8);

SIZE(rocprofiler_pc_t, 16);
AT(rocprofiler_pc_t, code_object_id, 0);
AT(rocprofiler_pc_t, code_object_offset, 8);

SIZE(rocprofiler_pc_sampling_record_host_trap_v0_t, 88);
AT(rocprofiler_pc_sampling_record_host_trap_v0_t, size, 0);
AT(rocprofiler_pc_sampling_record_host_trap_v0_t, hw_id, 8);
AT(rocprofiler_pc_sampling_record_host_trap_v0_t, pc, 16);
AT(rocprofiler_pc_sampling_record_host_trap_v0_t, exec_mask, 32);
AT(rocprofiler_pc_sampling_record_host_trap_v0_t, timestamp, 40);
AT(rocprofiler_pc_sampling_record_host_trap_v0_t, dispatch_id, 48);
AT(rocprofiler_pc_sampling_record_host_trap_v0_t, correlation_id, 56);
AT(rocprofiler_pc_sampling_record_host_trap_v0_t, workgroup_id, 72);

SIZE(rocprofiler_pc_sampling_record_stochastic_header_t, 1);

SIZE(rocprofiler_pc_sampling_snapshot_v0_t, 4);

SIZE(rocprofiler_pc_sampling_memory_counters_t, 4);

SIZE(rocprofiler_pc_sampling_record_stochastic_v0_t, 104);
AT(rocprofiler_pc_sampling_record_stochastic_v0_t, size, 0);
AT(rocprofiler_pc_sampling_record_stochastic_v0_t, flags, 8);
AT(rocprofiler_pc_sampling_record_stochastic_v0_t, wave_in_group, 9);
AT(rocprofiler_pc_sampling_record_stochastic_v0_t, hw_id, 16);
AT(rocprofiler_pc_sampling_record_stochastic_v0_t, pc, 24);
AT(rocprofiler_pc_sampling_record_stochastic_v0_t, exec_mask, 40);
AT(rocprofiler_pc_sampling_record_stochastic_v0_t, workgroup_id, 48);
AT(rocprofiler_pc_sampling_record_stochastic_v0_t, wave_count, 60);
AT(rocprofiler_pc_sampling_record_stochastic_v0_t, timestamp, 64);
AT(rocprofiler_pc_sampling_record_stochastic_v0_t, dispatch_id, 72);
AT(rocprofiler_pc_sampling_record_stochastic_v0_t, correlation_id, 80);
AT(rocprofiler_pc_sampling_record_stochastic_v0_t, snapshot, 96);
AT(rocprofiler_pc_sampling_record_stochastic_v0_t, memory_counters, 100);

SIZE(rocprofiler_pc_sampling_record_invalid_t, 8);
AT(rocprofiler_pc_sampling_record_invalid_t, size, 0);

SIZE(rocprofiler_thread_trace_parameter_t, 24);
AT(rocprofiler_thread_trace_parameter_t, value, 8);
AT(rocprofiler_thread_trace_parameter_t, counter_id, 8);
SIZE(rocprofiler_thread_trace_decoder_pc_t, 16);
SIZE(rocprofiler_thread_trace_decoder_perfevent_t, 24);
AT(rocprofiler_thread_trace_decoder_perfevent_t, CU, 16);
SIZE(rocprofiler_thread_trace_decoder_occupancy_t, 32);
AT(rocprofiler_thread_trace_decoder_occupancy_t, slot, 27);
SIZE(rocprofiler_thread_trace_decoder_wave_state_t, 8);
SIZE(rocprofiler_thread_trace_decoder_inst_t, 32);
AT(rocprofiler_thread_trace_decoder_inst_t, pc, 16);
SIZE(rocprofiler_thread_trace_decoder_wave_t, 64);
AT(rocprofiler_thread_trace_decoder_wave_t, begin_time, 16);
AT(rocprofiler_thread_trace_decoder_wave_t, instructions_array, 56);
SAME(ROCPROFILER_THREAD_TRACE_CONTROL_START_AND_STOP, 3);
SAME(ROCPROFILER_THREAD_TRACE_PARAMETER_LAST, 7);
SAME(ROCPROFILER_THREAD_TRACE_DECODER_INST_LAST, 13);
SAME(ROCPROFILER_THREAD_TRACE_DECODER_RECORD_LAST, 6);
