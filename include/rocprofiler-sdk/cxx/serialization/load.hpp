/* SPDX-License-Identifier: MIT
 * serialization/load.hpp: how records are read with cereal; texts and lists that it makes are never freed. Made by tools/gen_sdk_cxx.py. */
#pragma once

#include <rocprofiler-sdk/cxx/serialization/cereal.hpp>
#include <rocprofiler-sdk/rocprofiler.h>

ROCPROFILER_SDK_CEREAL_NAMESPACE_BEGIN

template <typename ArchiveT>
void load(ArchiveT& ar, rocprofiler_agent_id_t& data) {
  ar(make_nvp("handle", data.handle));
}

template <typename ArchiveT>
void load(ArchiveT& ar, rocprofiler_dim3_t& data) {
  ar(make_nvp("x", data.x));
  ar(make_nvp("y", data.y));
  ar(make_nvp("z", data.z));
}

template <typename ArchiveT>
void load(ArchiveT& ar, rocprofiler_address_t& data) {
  ar(make_nvp("handle", data.handle));
}

template <typename ArchiveT>
void load(ArchiveT& ar, rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("kernel_id", data.kernel_id));
  ar(make_nvp("code_object_id", data.code_object_id));
  ::rocprofiler::sdk::serialization::load_text(ar, "kernel_name", &data.kernel_name);
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
void load(ArchiveT& ar, HsaCacheType& data) {
  {
    auto bits = data.ui32.Data;
    ar(make_nvp("Data", bits));
    data.ui32.Data = bits;
  }
  {
    auto bits = data.ui32.Instruction;
    ar(make_nvp("Instruction", bits));
    data.ui32.Instruction = bits;
  }
  {
    auto bits = data.ui32.CPU;
    ar(make_nvp("CPU", bits));
    data.ui32.CPU = bits;
  }
  {
    auto bits = data.ui32.HSACU;
    ar(make_nvp("HSACU", bits));
    data.ui32.HSACU = bits;
  }
}

template <typename ArchiveT>
void load(ArchiveT& ar, HSA_LINKPROPERTY& data) {
  {
    auto bits = data.ui32.Override;
    ar(make_nvp("Override", bits));
    data.ui32.Override = bits;
  }
  {
    auto bits = data.ui32.NonCoherent;
    ar(make_nvp("NonCoherent", bits));
    data.ui32.NonCoherent = bits;
  }
  {
    auto bits = data.ui32.NoAtomics32bit;
    ar(make_nvp("NoAtomics32bit", bits));
    data.ui32.NoAtomics32bit = bits;
  }
  {
    auto bits = data.ui32.NoAtomics64bit;
    ar(make_nvp("NoAtomics64bit", bits));
    data.ui32.NoAtomics64bit = bits;
  }
  {
    auto bits = data.ui32.NoPeerToPeerDMA;
    ar(make_nvp("NoPeerToPeerDMA", bits));
    data.ui32.NoPeerToPeerDMA = bits;
  }
}

template <typename ArchiveT>
void load(ArchiveT& ar, HSA_CAPABILITY& data) {
  {
    auto bits = data.ui32.HotPluggable;
    ar(make_nvp("HotPluggable", bits));
    data.ui32.HotPluggable = bits;
  }
  {
    auto bits = data.ui32.HSAMMUPresent;
    ar(make_nvp("HSAMMUPresent", bits));
    data.ui32.HSAMMUPresent = bits;
  }
  {
    auto bits = data.ui32.SharedWithGraphics;
    ar(make_nvp("SharedWithGraphics", bits));
    data.ui32.SharedWithGraphics = bits;
  }
  {
    auto bits = data.ui32.QueueSizePowerOfTwo;
    ar(make_nvp("QueueSizePowerOfTwo", bits));
    data.ui32.QueueSizePowerOfTwo = bits;
  }
  {
    auto bits = data.ui32.QueueSize32bit;
    ar(make_nvp("QueueSize32bit", bits));
    data.ui32.QueueSize32bit = bits;
  }
  {
    auto bits = data.ui32.QueueIdleEvent;
    ar(make_nvp("QueueIdleEvent", bits));
    data.ui32.QueueIdleEvent = bits;
  }
  {
    auto bits = data.ui32.VALimit;
    ar(make_nvp("VALimit", bits));
    data.ui32.VALimit = bits;
  }
  {
    auto bits = data.ui32.WatchPointsSupported;
    ar(make_nvp("WatchPointsSupported", bits));
    data.ui32.WatchPointsSupported = bits;
  }
  {
    auto bits = data.ui32.WatchPointsTotalBits;
    ar(make_nvp("WatchPointsTotalBits", bits));
    data.ui32.WatchPointsTotalBits = bits;
  }
  {
    auto bits = data.ui32.DoorbellType;
    ar(make_nvp("DoorbellType", bits));
    data.ui32.DoorbellType = bits;
  }
  {
    auto bits = data.ui32.AQLQueueDoubleMap;
    ar(make_nvp("AQLQueueDoubleMap", bits));
    data.ui32.AQLQueueDoubleMap = bits;
  }
  {
    auto bits = data.ui32.DebugTrapSupported;
    ar(make_nvp("DebugTrapSupported", bits));
    data.ui32.DebugTrapSupported = bits;
  }
  {
    auto bits = data.ui32.WaveLaunchTrapOverrideSupported;
    ar(make_nvp("WaveLaunchTrapOverrideSupported", bits));
    data.ui32.WaveLaunchTrapOverrideSupported = bits;
  }
  {
    auto bits = data.ui32.WaveLaunchModeSupported;
    ar(make_nvp("WaveLaunchModeSupported", bits));
    data.ui32.WaveLaunchModeSupported = bits;
  }
  {
    auto bits = data.ui32.PreciseMemoryOperationsSupported;
    ar(make_nvp("PreciseMemoryOperationsSupported", bits));
    data.ui32.PreciseMemoryOperationsSupported = bits;
  }
  {
    auto bits = data.ui32.DEPRECATED_SRAM_EDCSupport;
    ar(make_nvp("DEPRECATED_SRAM_EDCSupport", bits));
    data.ui32.DEPRECATED_SRAM_EDCSupport = bits;
  }
  {
    auto bits = data.ui32.Mem_EDCSupport;
    ar(make_nvp("Mem_EDCSupport", bits));
    data.ui32.Mem_EDCSupport = bits;
  }
  {
    auto bits = data.ui32.RASEventNotify;
    ar(make_nvp("RASEventNotify", bits));
    data.ui32.RASEventNotify = bits;
  }
  {
    auto bits = data.ui32.ASICRevision;
    ar(make_nvp("ASICRevision", bits));
    data.ui32.ASICRevision = bits;
  }
  {
    auto bits = data.ui32.SRAM_EDCSupport;
    ar(make_nvp("SRAM_EDCSupport", bits));
    data.ui32.SRAM_EDCSupport = bits;
  }
  {
    auto bits = data.ui32.SVMAPISupported;
    ar(make_nvp("SVMAPISupported", bits));
    data.ui32.SVMAPISupported = bits;
  }
  {
    auto bits = data.ui32.CoherentHostAccess;
    ar(make_nvp("CoherentHostAccess", bits));
    data.ui32.CoherentHostAccess = bits;
  }
  {
    auto bits = data.ui32.DebugSupportedFirmware;
    ar(make_nvp("DebugSupportedFirmware", bits));
    data.ui32.DebugSupportedFirmware = bits;
  }
}

template <typename ArchiveT>
void load(ArchiveT& ar, HSA_MEMORYPROPERTY& data) {
  {
    auto bits = data.ui32.HotPluggable;
    ar(make_nvp("HotPluggable", bits));
    data.ui32.HotPluggable = bits;
  }
  {
    auto bits = data.ui32.NonVolatile;
    ar(make_nvp("NonVolatile", bits));
    data.ui32.NonVolatile = bits;
  }
}

template <typename ArchiveT>
void load(ArchiveT& ar, HSA_ENGINE_VERSION& data) {
  {
    auto bits = data.uCodeSDMA;
    ar(make_nvp("uCodeSDMA", bits));
    data.uCodeSDMA = bits;
  }
  {
    auto bits = data.uCodeRes;
    ar(make_nvp("uCodeRes", bits));
    data.uCodeRes = bits;
  }
}

template <typename ArchiveT>
void load(ArchiveT& ar, HSA_ENGINE_ID& data) {
  {
    auto bits = data.ui32.uCode;
    ar(make_nvp("uCode", bits));
    data.ui32.uCode = bits;
  }
  {
    auto bits = data.ui32.Major;
    ar(make_nvp("Major", bits));
    data.ui32.Major = bits;
  }
  {
    auto bits = data.ui32.Minor;
    ar(make_nvp("Minor", bits));
    data.ui32.Minor = bits;
  }
  {
    auto bits = data.ui32.Stepping;
    ar(make_nvp("Stepping", bits));
    data.ui32.Stepping = bits;
  }
}

template <typename ArchiveT>
void load(ArchiveT& ar, rocprofiler_agent_cache_t& data) {
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
void load(ArchiveT& ar, rocprofiler_agent_io_link_t& data) {
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
void load(ArchiveT& ar, rocprofiler_agent_mem_bank_t& data) {
  ar(make_nvp("heap_type", data.heap_type));
  ar(make_nvp("flags", data.flags));
  ar(make_nvp("width", data.width));
  ar(make_nvp("mem_clk_max", data.mem_clk_max));
  ar(make_nvp("size_in_bytes", data.size_in_bytes));
}

template <typename ArchiveT>
void load(ArchiveT& ar, rocprofiler_callback_tracing_code_object_load_data_t& data) {
  ar(make_nvp("size", data.size));
  ar(make_nvp("code_object_id", data.code_object_id));
  ar(make_nvp("agent_id", data.agent_id));
  ::rocprofiler::sdk::serialization::load_text(ar, "uri", &data.uri);
  ar(make_nvp("load_base", data.load_base));
  ar(make_nvp("load_size", data.load_size));
  ar(make_nvp("load_delta", data.load_delta));
  ar(make_nvp("storage_type", data.storage_type));
  if (data.storage_type == ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_FILE) ar(make_nvp("storage_file", data.storage_file));
  if (data.storage_type == ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY) ar(make_nvp("memory_base", data.memory_base));
  if (data.storage_type == ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY) ar(make_nvp("memory_size", data.memory_size));
}

template <typename ArchiveT>
void load(ArchiveT& ar, rocprofiler_agent_v0_t& data) {
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
  ::rocprofiler::sdk::serialization::load_text(ar, "name", &data.name);
  ::rocprofiler::sdk::serialization::load_text(ar, "vendor_name", &data.vendor_name);
  ::rocprofiler::sdk::serialization::load_text(ar, "product_name", &data.product_name);
  ::rocprofiler::sdk::serialization::load_text(ar, "model_name", &data.model_name);
  ar(make_nvp("node_id", data.node_id));
  ar(make_nvp("logical_node_id", data.logical_node_id));
  ar(make_nvp("logical_node_type_id", data.logical_node_type_id));
  ::rocprofiler::sdk::serialization::load_list(ar, "mem_banks", &data.mem_banks, &data.mem_banks_count);
  ::rocprofiler::sdk::serialization::load_list(ar, "caches", &data.caches, &data.caches_count);
  ::rocprofiler::sdk::serialization::load_list(ar, "io_links", &data.io_links, &data.io_links_count);
}

ROCPROFILER_SDK_CEREAL_NAMESPACE_END
