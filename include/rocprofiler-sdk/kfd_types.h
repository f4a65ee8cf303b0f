/* SPDX-License-Identifier: MIT
 * kfd_types.h: the types of agent.h that come from the driver's user library (hsakmttypes.h),
 * for machines without its headers. Each is 32 bits of the topology, unchanged. */
#pragma once

#include <stdint.h>

typedef union {
  uint32_t Value;
  struct {
    uint32_t Data : 1;
    uint32_t Instruction : 1;
    uint32_t CPU : 1;
    uint32_t HSACU : 1;
    uint32_t Reserved : 28;
  } ui32;
} HsaCacheType;

typedef union {
  uint32_t LinkProperty;
  struct {
    uint32_t Override : 1;
    uint32_t NonCoherent : 1;
    uint32_t NoAtomics32bit : 1;
    uint32_t NoAtomics64bit : 1;
    uint32_t NoPeerToPeerDMA : 1;
    uint32_t Reserved : 27;
  } ui32;
} HSA_LINKPROPERTY;

typedef union {
  uint32_t MemoryProperty;
  struct {
    uint32_t HotPluggable : 1;
    uint32_t NonVolatile : 1;
    uint32_t Reserved : 30;
  } ui32;
} HSA_MEMORYPROPERTY;

typedef union {
  uint32_t Value;
  struct {
    uint32_t uCodeSDMA : 10;
    uint32_t uCodeRes : 10;
    uint32_t Reserved : 12;
  };
} HSA_ENGINE_VERSION;

typedef union {
  uint32_t Value;
  struct {
    uint32_t uCode : 10;
    uint32_t Major : 6;
    uint32_t Minor : 8;
    uint32_t Stepping : 8;
  } ui32;
} HSA_ENGINE_ID;

typedef union {
  uint32_t Value;
  struct {
    uint32_t HotPluggable : 1;
    uint32_t HSAMMUPresent : 1;
    uint32_t SharedWithGraphics : 1;
    uint32_t QueueSizePowerOfTwo : 1;
    uint32_t QueueSize32bit : 1;
    uint32_t QueueIdleEvent : 1;
    uint32_t VALimit : 1;
    uint32_t WatchPointsSupported : 1;
    uint32_t WatchPointsTotalBits : 4;
    uint32_t DoorbellType : 2;
    uint32_t AQLQueueDoubleMap : 1;
    uint32_t DebugTrapSupported : 1;
    uint32_t WaveLaunchTrapOverrideSupported : 1;
    uint32_t WaveLaunchModeSupported : 1;
    uint32_t PreciseMemoryOperationsSupported : 1;
    uint32_t DEPRECATED_SRAM_EDCSupport : 1;
    uint32_t Mem_EDCSupport : 1;
    uint32_t RASEventNotify : 1;
    uint32_t ASICRevision : 4;
    uint32_t SRAM_EDCSupport : 1;
    uint32_t SVMAPISupported : 1;
    uint32_t CoherentHostAccess : 1;
    uint32_t DebugSupportedFirmware : 1;
    uint32_t PreciseALUOperationsSupported : 1;
    uint32_t PerQueueResetSupported : 1;
  } ui32;
} HSA_CAPABILITY;

typedef enum {
  HSA_IOLINKTYPE_UNDEFINED = 0,
  HSA_IOLINKTYPE_HYPERTRANSPORT = 1,
  HSA_IOLINKTYPE_PCIEXPRESS = 2,
  HSA_IOLINK_TYPE_QPI_1_1 = 5,
  HSA_IOLINK_TYPE_XGMI = 11,
} HSA_IOLINKTYPE;

typedef enum {
  HSA_HEAPTYPE_SYSTEM = 0,
  HSA_HEAPTYPE_FRAME_BUFFER_PUBLIC = 1,
  HSA_HEAPTYPE_FRAME_BUFFER_PRIVATE = 2,
  HSA_HEAPTYPE_GPU_GDS = 3,
  HSA_HEAPTYPE_GPU_LDS = 4,
  HSA_HEAPTYPE_GPU_SCRATCH = 5,
} HSA_HEAPTYPE;
