/* SPDX-License-Identifier: MIT
 * serialization/save.hpp: how records are written with cereal. Made by tools/gen_sdk_cxx.py. */
#pragma once

#include <rocprofiler-sdk/cxx/serialization/cereal.hpp>
#include <rocprofiler-sdk/rocprofiler.h>

ROCPROFILER_SDK_CEREAL_NAMESPACE_BEGIN

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_context_id_t& data) {
  ar(make_nvp("handle", data.handle));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_agent_id_t& data) {
  ar(make_nvp("handle", data.handle));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const hsa_agent_t& data) {
  ar(make_nvp("handle", data.handle));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_queue_id_t& data) {
  ar(make_nvp("handle", data.handle));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_stream_id_t& data) {
  ar(make_nvp("handle", data.handle));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_counter_id_t& data) {
  ar(make_nvp("handle", data.handle));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_correlation_id_t& data) {
  ar(make_nvp("internal", data.internal));
  ar(make_nvp("external", data.external.value));
  ar(make_nvp("ancestor", data.ancestor));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_async_correlation_id_t& data) {
  ar(make_nvp("internal", data.internal));
  ar(make_nvp("external", data.external.value));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_dim3_t& data) {
  ar(make_nvp("x", data.x));
  ar(make_nvp("y", data.y));
  ar(make_nvp("z", data.z));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_address_t& data) {
  ar(make_nvp("handle", data.handle));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kernel_id", data.kernel_id));
  ar(make_nvp("code_object_id", data.code_object_id));
  ar(make_nvp("kernel_name", std::string{data.kernel_name != nullptr ? data.kernel_name : ""}));
  ar(make_nvp("kernel_object", data.kernel_object));
  ar(make_nvp("kernarg_segment_size", data.kernarg_segment_size));
  ar(make_nvp("kernarg_segment_alignment", data.kernarg_segment_alignment));
  ar(make_nvp("group_segment_size", data.group_segment_size));
  ar(make_nvp("private_segment_size", data.private_segment_size));
  ar(make_nvp("sgpr_count", data.sgpr_count));
  ar(make_nvp("arch_vgpr_count", data.arch_vgpr_count));
  ar(make_nvp("accum_vgpr_count", data.accum_vgpr_count));
  ar(make_nvp("kernel_code_entry_byte_offset", data.kernel_code_entry_byte_offset));
  ar(make_nvp("kernel_address", data.kernel_address));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("host_function_id", data.host_function_id));
  ar(make_nvp("kernel_id", data.kernel_id));
  ar(make_nvp("code_object_id", data.code_object_id));
  ar(make_nvp("host_function", data.host_function));
  ar(make_nvp("modules", data.modules));
  ar(make_nvp("device_function", std::string{data.device_function != nullptr ? data.device_function : ""}));
  ar(make_nvp("thread_limit", data.thread_limit));
  ar(make_nvp("thread_ids", data.thread_ids));
  ar(make_nvp("block_ids", data.block_ids));
  ar(make_nvp("block_dims", data.block_dims));
  ar(make_nvp("grid_dims", data.grid_dims));
  ar(make_nvp("workgroup_size", data.workgroup_size));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_hsa_api_retval_t& data) {
  ar(make_nvp("uint64_t_retval", data.uint64_t_retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_marker_api_retval_t& data) {
  ar(make_nvp("int64_t_retval", data.int64_t_retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_hsa_api_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("retval", data.retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_marker_api_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("retval", data.retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_hip_api_retval_t& data) {
  ar(make_nvp("uint64_t_retval", data.uint64_t_retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_hip_api_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("retval", data.retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_scratch_memory_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("agent_id", data.agent_id));
  ar(make_nvp("queue_id", data.queue_id));
  ar(make_nvp("flags", data.flags));
  ar(make_nvp("args_kind", data.args_kind));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_kernel_dispatch_info_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("agent_id", data.agent_id));
  ar(make_nvp("queue_id", data.queue_id));
  ar(make_nvp("kernel_id", data.kernel_id));
  ar(make_nvp("dispatch_id", data.dispatch_id));
  ar(make_nvp("private_segment_size", data.private_segment_size));
  ar(make_nvp("group_segment_size", data.group_segment_size));
  ar(make_nvp("workgroup_size", data.workgroup_size));
  ar(make_nvp("grid_size", data.grid_size));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_kernel_dispatch_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("dispatch_info", data.dispatch_info));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_memory_copy_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("dst_agent_id", data.dst_agent_id));
  ar(make_nvp("src_agent_id", data.src_agent_id));
  ar(make_nvp("bytes", data.bytes));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_rccl_api_retval_t& data) {
  ar(make_nvp("ncclResult_t_retval", data.ncclResult_t_retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_rccl_api_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("retval", data.retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_rocdecode_api_retval_t& data) {
  ar(make_nvp("uint64_t_retval", data.uint64_t_retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_rocdecode_api_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("retval", data.retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_rocjpeg_api_retval_t& data) {
  ar(make_nvp("rocJpegStatus_retval", data.rocJpegStatus_retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_rocjpeg_api_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("retval", data.retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_ompt_data_t& data) {
  ar(make_nvp("size", data.size));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_dispatch_counting_service_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("dispatch_info", data.dispatch_info));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_dispatch_counting_service_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("num_records", data.num_records));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("dispatch_info", data.dispatch_info));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_record_t& data) {
  ar(make_nvp("context_id", data.context_id));
  ar(make_nvp("thread_id", data.thread_id));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("phase", data.phase));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_counter_record_t& data) {
  ar(make_nvp("id", data.id));
  ar(make_nvp("counter_value", data.counter_value));
  ar(make_nvp("dispatch_id", data.dispatch_id));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_ompt_target_t& data) {
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("device", data.device_num));
  ar(make_nvp("task_id", data.task_id));
  ar(make_nvp("target_id", data.target_id));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_ompt_target_data_op_t& data) {
  ar(make_nvp("host_op_id", data.host_op_id));
  ar(make_nvp("optype", data.optype));
  ar(make_nvp("src_device_num", data.src_device_num));
  ar(make_nvp("dst_device_num", data.dst_device_num));
  ar(make_nvp("bytes", data.bytes));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_ompt_target_kernel_t& data) {
  ar(make_nvp("host_op_id", data.host_op_id));
  ar(make_nvp("device_num", data.device_num));
  ar(make_nvp("requested_num_teams", data.requested_num_teams));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_kernel_dispatch_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("thread_id", data.thread_id));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("dispatch_info", data.dispatch_info));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_memory_copy_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("thread_id", data.thread_id));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("dst_agent_id", data.dst_agent_id));
  ar(make_nvp("src_agent_id", data.src_agent_id));
  ar(make_nvp("bytes", data.bytes));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_kfd_event_page_migrate_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("timestamp", data.timestamp));
  ar(make_nvp("pid", data.pid));
  ar(make_nvp("start_address", data.start_address));
  ar(make_nvp("end_address", data.end_address));
  ar(make_nvp("src_agent", data.src_agent));
  ar(make_nvp("dst_agent", data.dst_agent));
  ar(make_nvp("prefetch_agent", data.prefetch_agent));
  ar(make_nvp("preferred_agent", data.preferred_agent));
  ar(make_nvp("error_code", data.error_code));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_kfd_event_page_fault_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("timestamp", data.timestamp));
  ar(make_nvp("pid", data.pid));
  ar(make_nvp("agent_id", data.agent_id));
  ar(make_nvp("address", data.address));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_kfd_event_queue_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("timestamp", data.timestamp));
  ar(make_nvp("pid", data.pid));
  ar(make_nvp("agent_id", data.agent_id));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_kfd_event_unmap_from_gpu_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("timestamp", data.timestamp));
  ar(make_nvp("pid", data.pid));
  ar(make_nvp("agent_id", data.agent_id));
  ar(make_nvp("start_address", data.start_address));
  ar(make_nvp("end_address", data.end_address));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_kfd_event_dropped_events_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("timestamp", data.timestamp));
  ar(make_nvp("pid", data.pid));
  ar(make_nvp("count", data.count));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_kfd_page_migrate_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("pid", data.pid));
  ar(make_nvp("start_address", data.start_address));
  ar(make_nvp("end_address", data.end_address));
  ar(make_nvp("src_agent", data.src_agent));
  ar(make_nvp("dst_agent", data.dst_agent));
  ar(make_nvp("prefetch_agent", data.prefetch_agent));
  ar(make_nvp("preferred_agent", data.preferred_agent));
  ar(make_nvp("error_code", data.error_code));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_kfd_page_fault_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("pid", data.pid));
  ar(make_nvp("agent_id", data.agent_id));
  ar(make_nvp("address", data.address));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_kfd_queue_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("pid", data.pid));
  ar(make_nvp("agent_id", data.agent_id));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_scratch_memory_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("agent_id", data.agent_id));
  ar(make_nvp("queue_id", data.queue_id));
  ar(make_nvp("thread_id", data.thread_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("flags", data.flags));
  ar(make_nvp("allocation_size", data.allocation_size));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_correlation_id_retirement_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("timestamp", data.timestamp));
  ar(make_nvp("internal_correlation_id", data.internal_correlation_id));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const HsaCacheType& data) {
  {
    auto bits = data.ui32.Data;
    ar(make_nvp("Data", bits));
  }
  {
    auto bits = data.ui32.Instruction;
    ar(make_nvp("Instruction", bits));
  }
  {
    auto bits = data.ui32.CPU;
    ar(make_nvp("CPU", bits));
  }
  {
    auto bits = data.ui32.HSACU;
    ar(make_nvp("HSACU", bits));
  }
}

template <typename ArchiveT>
void save(ArchiveT& ar, const HSA_LINKPROPERTY& data) {
  {
    auto bits = data.ui32.Override;
    ar(make_nvp("Override", bits));
  }
  {
    auto bits = data.ui32.NonCoherent;
    ar(make_nvp("NonCoherent", bits));
  }
  {
    auto bits = data.ui32.NoAtomics32bit;
    ar(make_nvp("NoAtomics32bit", bits));
  }
  {
    auto bits = data.ui32.NoAtomics64bit;
    ar(make_nvp("NoAtomics64bit", bits));
  }
  {
    auto bits = data.ui32.NoPeerToPeerDMA;
    ar(make_nvp("NoPeerToPeerDMA", bits));
  }
}

template <typename ArchiveT>
void save(ArchiveT& ar, const HSA_CAPABILITY& data) {
  {
    auto bits = data.ui32.HotPluggable;
    ar(make_nvp("HotPluggable", bits));
  }
  {
    auto bits = data.ui32.HSAMMUPresent;
    ar(make_nvp("HSAMMUPresent", bits));
  }
  {
    auto bits = data.ui32.SharedWithGraphics;
    ar(make_nvp("SharedWithGraphics", bits));
  }
  {
    auto bits = data.ui32.QueueSizePowerOfTwo;
    ar(make_nvp("QueueSizePowerOfTwo", bits));
  }
  {
    auto bits = data.ui32.QueueSize32bit;
    ar(make_nvp("QueueSize32bit", bits));
  }
  {
    auto bits = data.ui32.QueueIdleEvent;
    ar(make_nvp("QueueIdleEvent", bits));
  }
  {
    auto bits = data.ui32.VALimit;
    ar(make_nvp("VALimit", bits));
  }
  {
    auto bits = data.ui32.WatchPointsSupported;
    ar(make_nvp("WatchPointsSupported", bits));
  }
  {
    auto bits = data.ui32.WatchPointsTotalBits;
    ar(make_nvp("WatchPointsTotalBits", bits));
  }
  {
    auto bits = data.ui32.DoorbellType;
    ar(make_nvp("DoorbellType", bits));
  }
  {
    auto bits = data.ui32.AQLQueueDoubleMap;
    ar(make_nvp("AQLQueueDoubleMap", bits));
  }
  {
    auto bits = data.ui32.DebugTrapSupported;
    ar(make_nvp("DebugTrapSupported", bits));
  }
  {
    auto bits = data.ui32.WaveLaunchTrapOverrideSupported;
    ar(make_nvp("WaveLaunchTrapOverrideSupported", bits));
  }
  {
    auto bits = data.ui32.WaveLaunchModeSupported;
    ar(make_nvp("WaveLaunchModeSupported", bits));
  }
  {
    auto bits = data.ui32.PreciseMemoryOperationsSupported;
    ar(make_nvp("PreciseMemoryOperationsSupported", bits));
  }
  {
    auto bits = data.ui32.DEPRECATED_SRAM_EDCSupport;
    ar(make_nvp("DEPRECATED_SRAM_EDCSupport", bits));
  }
  {
    auto bits = data.ui32.Mem_EDCSupport;
    ar(make_nvp("Mem_EDCSupport", bits));
  }
  {
    auto bits = data.ui32.RASEventNotify;
    ar(make_nvp("RASEventNotify", bits));
  }
  {
    auto bits = data.ui32.ASICRevision;
    ar(make_nvp("ASICRevision", bits));
  }
  {
    auto bits = data.ui32.SRAM_EDCSupport;
    ar(make_nvp("SRAM_EDCSupport", bits));
  }
  {
    auto bits = data.ui32.SVMAPISupported;
    ar(make_nvp("SVMAPISupported", bits));
  }
  {
    auto bits = data.ui32.CoherentHostAccess;
    ar(make_nvp("CoherentHostAccess", bits));
  }
  {
    auto bits = data.ui32.DebugSupportedFirmware;
    ar(make_nvp("DebugSupportedFirmware", bits));
  }
}

template <typename ArchiveT>
void save(ArchiveT& ar, const HSA_MEMORYPROPERTY& data) {
  {
    auto bits = data.ui32.HotPluggable;
    ar(make_nvp("HotPluggable", bits));
  }
  {
    auto bits = data.ui32.NonVolatile;
    ar(make_nvp("NonVolatile", bits));
  }
}

template <typename ArchiveT>
void save(ArchiveT& ar, const HSA_ENGINE_VERSION& data) {
  {
    auto bits = data.uCodeSDMA;
    ar(make_nvp("uCodeSDMA", bits));
  }
  {
    auto bits = data.uCodeRes;
    ar(make_nvp("uCodeRes", bits));
  }
}

template <typename ArchiveT>
void save(ArchiveT& ar, const HSA_ENGINE_ID& data) {
  {
    auto bits = data.ui32.uCode;
    ar(make_nvp("uCode", bits));
  }
  {
    auto bits = data.ui32.Major;
    ar(make_nvp("Major", bits));
  }
  {
    auto bits = data.ui32.Minor;
    ar(make_nvp("Minor", bits));
  }
  {
    auto bits = data.ui32.Stepping;
    ar(make_nvp("Stepping", bits));
  }
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_agent_cache_t& data) {
  ar(make_nvp("processor_id_low", data.processor_id_low));
  ar(make_nvp("size", data.size));
  ar(make_nvp("level", data.level));
  ar(make_nvp("cache_line_size", data.cache_line_size));
  ar(make_nvp("cache_lines_per_tag", data.cache_lines_per_tag));
  ar(make_nvp("association", data.association));
  ar(make_nvp("latency", data.latency));
  ar(make_nvp("type", data.type));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_pc_t& data) {
  ar(make_nvp("code_object_id", data.code_object_id));
  ar(make_nvp("code_object_offset", data.code_object_offset));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_pc_sampling_hw_id_v0_t& data) {
  {
    auto bits = data.chiplet;
    ar(make_nvp("chiplet", bits));
  }
  {
    auto bits = data.wave_id;
    ar(make_nvp("wave_id", bits));
  }
  {
    auto bits = data.simd_id;
    ar(make_nvp("simd_id", bits));
  }
  {
    auto bits = data.pipe_id;
    ar(make_nvp("pipe_id", bits));
  }
  {
    auto bits = data.cu_or_wgp_id;
    ar(make_nvp("cu_or_wgp_id", bits));
  }
  {
    auto bits = data.shader_array_id;
    ar(make_nvp("shader_array_id", bits));
  }
  {
    auto bits = data.shader_engine_id;
    ar(make_nvp("shader_engine_id", bits));
  }
  {
    auto bits = data.workgroup_id;
    ar(make_nvp("workgroup_id ", bits));
  }
  {
    auto bits = data.vm_id;
    ar(make_nvp("vm_id", bits));
  }
  {
    auto bits = data.queue_id;
    ar(make_nvp("queue_id", bits));
  }
  {
    auto bits = data.microengine_id;
    ar(make_nvp("microengine_id", bits));
  }
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_pc_sampling_record_host_trap_v0_t& data) {
  ar(make_nvp("hw_id", data.hw_id));
  ar(make_nvp("pc", data.pc));
  ar(make_nvp("exec_mask", data.exec_mask));
  ar(make_nvp("timestamp", data.timestamp));
  ar(make_nvp("dispatch_id", data.dispatch_id));
  ar(make_nvp("corr_id", data.correlation_id));
  ar(make_nvp("wrkgrp_id", data.workgroup_id));
  {
    auto bits = data.wave_in_group;
    ar(make_nvp("wave_in_grp", bits));
  }
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_pc_sampling_record_stochastic_header_t& data) {
  {
    auto bits = data.has_memory_counter;
    ar(make_nvp("has_mem_cnt", bits));
  }
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_agent_io_link_t& data) {
  ar(make_nvp("type", data.type));
  ar(make_nvp("version_major", data.version_major));
  ar(make_nvp("version_minor", data.version_minor));
  ar(make_nvp("node_from", data.node_from));
  ar(make_nvp("node_to", data.node_to));
  ar(make_nvp("weight", data.weight));
  ar(make_nvp("min_latency", data.min_latency));
  ar(make_nvp("max_latency", data.max_latency));
  ar(make_nvp("min_bandwidth", data.min_bandwidth));
  ar(make_nvp("max_bandwidth", data.max_bandwidth));
  ar(make_nvp("recommended_transfer_size", data.recommended_transfer_size));
  ar(make_nvp("flags", data.flags));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_agent_mem_bank_t& data) {
  ar(make_nvp("heap_type", data.heap_type));
  ar(make_nvp("flags", data.flags));
  ar(make_nvp("width", data.width));
  ar(make_nvp("mem_clk_max", data.mem_clk_max));
  ar(make_nvp("size_in_bytes", data.size_in_bytes));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_pc_sampling_configuration_t& data) {
  ar(make_nvp("method", data.method));
  ar(make_nvp("unit", data.unit));
  ar(make_nvp("min_interval", data.min_interval));
  ar(make_nvp("max_interval", data.max_interval));
  ar(make_nvp("flags", data.flags));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_agent_runtime_visiblity_t& data) {
  {
    auto bits = data.hsa;
    ar(make_nvp("hsa", bits));
  }
  {
    auto bits = data.hip;
    ar(make_nvp("hip", bits));
  }
  {
    auto bits = data.rccl;
    ar(make_nvp("rccl", bits));
  }
  {
    auto bits = data.rocdecode;
    ar(make_nvp("rocdecode", bits));
  }
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_uuid_t& data) {
  ar(make_nvp("bytes", data.bytes));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_counter_info_v0_t& data) {
  ar(make_nvp("id", data.id));
  {
    auto bits = data.is_constant;
    ar(make_nvp("is_constant", bits));
  }
  {
    auto bits = data.is_derived;
    ar(make_nvp("is_derived", bits));
  }
  ar(make_nvp("name", std::string{data.name != nullptr ? data.name : ""}));
  ar(make_nvp("description", std::string{data.description != nullptr ? data.description : ""}));
  ar(make_nvp("block", std::string{data.block != nullptr ? data.block : ""}));
  ar(make_nvp("expression", std::string{data.expression != nullptr ? data.expression : ""}));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_counter_dimension_info_t& data) {
  ar(make_nvp("dimension_name", std::string{data.dimension_name != nullptr ? data.dimension_name : ""}));
  ar(make_nvp("index", data.index));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_counter_record_dimension_info_t& data) {
  ar(make_nvp("id", data.id));
  ar(make_nvp("instance_size", data.instance_size));
  ar(make_nvp("name", std::string{data.name != nullptr ? data.name : ""}));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_runtime_initialization_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("version", data.version));
  ar(make_nvp("instance", data.instance));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_runtime_initialization_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("timestamp", data.timestamp));
  ar(make_nvp("thread_id", data.thread_id));
  ar(make_nvp("version", data.version));
  ar(make_nvp("instance", data.instance));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_code_object_load_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("code_object_id", data.code_object_id));
  ar(make_nvp("agent_id", data.agent_id));
  ar(make_nvp("uri", std::string{data.uri != nullptr ? data.uri : ""}));
  ar(make_nvp("load_base", data.load_base));
  ar(make_nvp("load_size", data.load_size));
  ar(make_nvp("load_delta", data.load_delta));
  ar(make_nvp("storage_type", data.storage_type));
  if (data.storage_type == ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_FILE) ar(make_nvp("storage_file", data.storage_file));
  if (data.storage_type == ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY) ar(make_nvp("memory_base", data.memory_base));
  if (data.storage_type == ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY) ar(make_nvp("memory_size", data.memory_size));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const hsa_queue_t& data) {
  ar(make_nvp("queue_id", data.id));
}

#if ROCPROFILER_HSA_TOOL_HEADERS
template <typename ArchiveT>
void save(ArchiveT& ar, const hsa_amd_event_scratch_alloc_start_t& data) {
  ar(make_nvp("queue_id", *data.queue));
  ar(make_nvp("dispatch_id", data.dispatch_id));
}
#endif

#if ROCPROFILER_HSA_TOOL_HEADERS
template <typename ArchiveT>
void save(ArchiveT& ar, const hsa_amd_event_scratch_alloc_end_t& data) {
  ar(make_nvp("queue_id", *data.queue));
  ar(make_nvp("dispatch_id", data.dispatch_id));
  ar(make_nvp("size", data.size));
  ar(make_nvp("num_slots", data.num_slots));
  ar(make_nvp("flags", data.flags));
}
#endif

#if ROCPROFILER_HSA_TOOL_HEADERS
template <typename ArchiveT>
void save(ArchiveT& ar, const hsa_amd_event_scratch_free_start_t& data) {
  ar(make_nvp("queue_id", *data.queue));
}
#endif

#if ROCPROFILER_HSA_TOOL_HEADERS
template <typename ArchiveT>
void save(ArchiveT& ar, const hsa_amd_event_scratch_free_end_t& data) {
  ar(make_nvp("queue_id", *data.queue));
  ar(make_nvp("flags", data.flags));
}
#endif

#if ROCPROFILER_HSA_TOOL_HEADERS
template <typename ArchiveT>
void save(ArchiveT& ar, const hsa_amd_event_scratch_async_reclaim_start_t& data) {
  ar(make_nvp("queue_id", *data.queue));
}
#endif

#if ROCPROFILER_HSA_TOOL_HEADERS
template <typename ArchiveT>
void save(ArchiveT& ar, const hsa_amd_event_scratch_async_reclaim_end_t& data) {
  ar(make_nvp("queue_id", *data.queue));
  ar(make_nvp("flags", data.flags));
}
#endif

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_callback_tracing_memory_allocation_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("agent_id", data.agent_id));
  ar(make_nvp("address", ::rocprofiler::sdk::utility::as_hex(data.address.handle, 16)));
  ar(make_nvp("allocation_size", data.allocation_size));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_hsa_api_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("thread_id", data.thread_id));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_hip_api_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("thread_id", data.thread_id));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_hip_api_ext_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("thread_id", data.thread_id));
  ar(make_nvp("args", ::rocprofiler::sdk::serialization::get_buffer_tracing_args(data)));
  ar(make_nvp("retval", data.retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_marker_api_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("thread_id", data.thread_id));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_rccl_api_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("thread_id", data.thread_id));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_rocdecode_api_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("thread_id", data.thread_id));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_rocdecode_api_ext_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("thread_id", data.thread_id));
  ar(make_nvp("args", ::rocprofiler::sdk::serialization::get_buffer_tracing_args(data)));
  ar(make_nvp("retval", data.retval));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_rocjpeg_api_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("thread_id", data.thread_id));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_ompt_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("thread_id", data.thread_id));
  if (data.operation == ROCPROFILER_OMPT_ID_target_emi) ar(make_nvp("target", data.target));
  if (data.operation == ROCPROFILER_OMPT_ID_target_data_op_emi) ar(make_nvp("target_data_op", data.target_data_op));
  if (data.operation == ROCPROFILER_OMPT_ID_target_submit_emi) ar(make_nvp("target_kernel", data.target_kernel));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_buffer_tracing_memory_allocation_record_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kind", data.kind));
  ar(make_nvp("operation", data.operation));
  ar(make_nvp("thread_id", data.thread_id));
  ar(make_nvp("correlation_id", data.correlation_id));
  ar(make_nvp("start_timestamp", data.start_timestamp));
  ar(make_nvp("end_timestamp", data.end_timestamp));
  ar(make_nvp("agent_id", data.agent_id));
  ar(make_nvp("address", ::rocprofiler::sdk::utility::as_hex(data.address.handle, 16)));
  ar(make_nvp("allocation_size", data.allocation_size));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_pc_sampling_snapshot_v0_t& data) {
  ar(make_nvp("stall_reason", ::rocprofiler::sdk::serialization::stall_reason(data)));
  {
    auto bits = data.dual_issue_valu;
    ar(make_nvp("dual_issue_valu", bits));
  }
  {
    auto bits = data.arb_state_issue_valu;
    ar(make_nvp("arb_state_issue_valu", bits));
  }
  {
    auto bits = data.arb_state_issue_matrix;
    ar(make_nvp("arb_state_issue_matrix", bits));
  }
  {
    auto bits = data.arb_state_issue_lds;
    ar(make_nvp("arb_state_issue_lds", bits));
  }
  {
    auto bits = data.arb_state_issue_lds_direct;
    ar(make_nvp("arb_state_issue_lds_direct", bits));
  }
  {
    auto bits = data.arb_state_issue_scalar;
    ar(make_nvp("arb_state_issue_scalar", bits));
  }
  {
    auto bits = data.arb_state_issue_vmem_tex;
    ar(make_nvp("arb_state_issue_vmem_tex", bits));
  }
  {
    auto bits = data.arb_state_issue_flat;
    ar(make_nvp("arb_state_issue_flat", bits));
  }
  {
    auto bits = data.arb_state_issue_exp;
    ar(make_nvp("arb_state_issue_exp", bits));
  }
  {
    auto bits = data.arb_state_issue_misc;
    ar(make_nvp("arb_state_issue_misc", bits));
  }
  {
    auto bits = data.arb_state_issue_brmsg;
    ar(make_nvp("arb_state_issue_brmsg", bits));
  }
  {
    auto bits = data.arb_state_stall_valu;
    ar(make_nvp("arb_state_stall_valu", bits));
  }
  {
    auto bits = data.arb_state_stall_matrix;
    ar(make_nvp("arb_state_stall_matrix", bits));
  }
  {
    auto bits = data.arb_state_stall_lds;
    ar(make_nvp("arb_state_stall_lds", bits));
  }
  {
    auto bits = data.arb_state_stall_lds_direct;
    ar(make_nvp("arb_state_stall_lds_direct", bits));
  }
  {
    auto bits = data.arb_state_stall_scalar;
    ar(make_nvp("arb_state_stall_scalar", bits));
  }
  {
    auto bits = data.arb_state_stall_vmem_tex;
    ar(make_nvp("arb_state_stall_vmem_tex", bits));
  }
  {
    auto bits = data.arb_state_stall_flat;
    ar(make_nvp("arb_state_stall_flat", bits));
  }
  {
    auto bits = data.arb_state_stall_exp;
    ar(make_nvp("arb_state_stall_exp", bits));
  }
  {
    auto bits = data.arb_state_stall_misc;
    ar(make_nvp("arb_state_stall_misc", bits));
  }
  {
    auto bits = data.arb_state_stall_brmsg;
    ar(make_nvp("arb_state_stall_brmsg", bits));
  }
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_pc_sampling_record_stochastic_v0_t& data) {
  ar(make_nvp("flags", data.flags));
  ar(make_nvp("hw_id", data.hw_id));
  ar(make_nvp("pc", data.pc));
  ar(make_nvp("exec_mask", data.exec_mask));
  ar(make_nvp("timestamp", data.timestamp));
  ar(make_nvp("dispatch_id", data.dispatch_id));
  ar(make_nvp("corr_id", data.correlation_id));
  ar(make_nvp("wrkgrp_id", data.workgroup_id));
  {
    auto bits = data.wave_in_group;
    ar(make_nvp("wave_in_grp", bits));
  }
  {
    auto bits = data.wave_issued;
    ar(make_nvp("wave_issued", bits));
  }
  ar(make_nvp("inst_type", ::rocprofiler::sdk::serialization::instruction_type(data)));
  {
    auto bits = data.wave_count;
    ar(make_nvp("wave_cnt", bits));
  }
  ar(make_nvp("snapshot", data.snapshot));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_agent_v0_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("id", data.id));
  ar(make_nvp("type", data.type));
  ar(make_nvp("cpu_cores_count", data.cpu_cores_count));
  ar(make_nvp("simd_count", data.simd_count));
  ar(make_nvp("mem_banks_count", data.mem_banks_count));
  ar(make_nvp("caches_count", data.caches_count));
  ar(make_nvp("io_links_count", data.io_links_count));
  ar(make_nvp("cpu_core_id_base", data.cpu_core_id_base));
  ar(make_nvp("simd_id_base", data.simd_id_base));
  ar(make_nvp("max_waves_per_simd", data.max_waves_per_simd));
  ar(make_nvp("lds_size_in_kb", data.lds_size_in_kb));
  ar(make_nvp("gds_size_in_kb", data.gds_size_in_kb));
  ar(make_nvp("num_gws", data.num_gws));
  ar(make_nvp("wave_front_size", data.wave_front_size));
  ar(make_nvp("num_xcc", data.num_xcc));
  ar(make_nvp("cu_count", data.cu_count));
  ar(make_nvp("array_count", data.array_count));
  ar(make_nvp("num_shader_banks", data.num_shader_banks));
  ar(make_nvp("simd_arrays_per_engine", data.simd_arrays_per_engine));
  ar(make_nvp("cu_per_simd_array", data.cu_per_simd_array));
  ar(make_nvp("simd_per_cu", data.simd_per_cu));
  ar(make_nvp("max_slots_scratch_cu", data.max_slots_scratch_cu));
  ar(make_nvp("gfx_target_version", data.gfx_target_version));
  ar(make_nvp("vendor_id", data.vendor_id));
  ar(make_nvp("device_id", data.device_id));
  ar(make_nvp("location_id", data.location_id));
  ar(make_nvp("domain", data.domain));
  ar(make_nvp("drm_render_minor", data.drm_render_minor));
  ar(make_nvp("num_sdma_engines", data.num_sdma_engines));
  ar(make_nvp("num_sdma_xgmi_engines", data.num_sdma_xgmi_engines));
  ar(make_nvp("num_sdma_queues_per_engine", data.num_sdma_queues_per_engine));
  ar(make_nvp("num_cp_queues", data.num_cp_queues));
  ar(make_nvp("max_engine_clk_ccompute", data.max_engine_clk_ccompute));
  ar(make_nvp("max_engine_clk_fcompute", data.max_engine_clk_fcompute));
  ar(make_nvp("sdma_fw_version", data.sdma_fw_version));
  ar(make_nvp("fw_version", data.fw_version));
  ar(make_nvp("capability", data.capability));
  ar(make_nvp("cu_per_engine", data.cu_per_engine));
  ar(make_nvp("max_waves_per_cu", data.max_waves_per_cu));
  ar(make_nvp("family_id", data.family_id));
  ar(make_nvp("workgroup_max_size", data.workgroup_max_size));
  ar(make_nvp("grid_max_size", data.grid_max_size));
  ar(make_nvp("local_mem_size", data.local_mem_size));
  ar(make_nvp("hive_id", data.hive_id));
  ar(make_nvp("gpu_id", data.gpu_id));
  ar(make_nvp("workgroup_max_dim", data.workgroup_max_dim));
  ar(make_nvp("grid_max_dim", data.grid_max_dim));
  ar(make_nvp("name", std::string{data.name != nullptr ? data.name : ""}));
  ar(make_nvp("vendor_name", std::string{data.vendor_name != nullptr ? data.vendor_name : ""}));
  ar(make_nvp("product_name", std::string{data.product_name != nullptr ? data.product_name : ""}));
  ar(make_nvp("model_name", std::string{data.model_name != nullptr ? data.model_name : ""}));
  ar(make_nvp("node_id", data.node_id));
  ar(make_nvp("logical_node_id", data.logical_node_id));
  ar(make_nvp("logical_node_type_id", data.logical_node_type_id));
  ar(make_nvp("runtime_visibility", data.runtime_visibility));
  ar(make_nvp("uuid", data.uuid));
  ar(make_nvp("mem_banks", ::rocprofiler::sdk::serialization::copies(data.mem_banks, data.mem_banks_count)));
  ar(make_nvp("caches", ::rocprofiler::sdk::serialization::copies(data.caches, data.caches_count)));
  ar(make_nvp("io_links", ::rocprofiler::sdk::serialization::copies(data.io_links, data.io_links_count)));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_counter_info_v1_t& data) {
  ar(make_nvp("id", data.id));
  {
    auto bits = data.is_constant;
    ar(make_nvp("is_constant", bits));
  }
  {
    auto bits = data.is_derived;
    ar(make_nvp("is_derived", bits));
  }
  ar(make_nvp("name", std::string{data.name != nullptr ? data.name : ""}));
  ar(make_nvp("description", std::string{data.description != nullptr ? data.description : ""}));
  ar(make_nvp("block", std::string{data.block != nullptr ? data.block : ""}));
  ar(make_nvp("expression", std::string{data.expression != nullptr ? data.expression : ""}));
  ar(make_nvp("dimensions", ::rocprofiler::sdk::container::make_c_array(data.dimensions, data.dimensions_count)));
  ar(make_nvp("instances", ::rocprofiler::sdk::container::make_c_array(data.dimensions_instances, data.dimensions_instances_count)));
}

template <typename ArchiveT>
void save(ArchiveT& ar, const rocprofiler_counter_record_dimension_instance_info_t& data) {
  ar(make_nvp("instance_id", data.instance_id));
  ar(make_nvp("counter_id", data.counter_id));
  ar(make_nvp("dimensions", ::rocprofiler::sdk::container::make_c_array(data.dimensions, data.dimensions_count)));
}

ROCPROFILER_SDK_CEREAL_NAMESPACE_END
