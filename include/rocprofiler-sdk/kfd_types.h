/* SPDX-License-Identifier: MIT
 * kfd_types.h: the types of agent.h that come from the driver's user library (hsakmttypes.h), for
 * machines without its headers. Each is 32 bits of the topology, unchanged. */
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
} HSA_LINKPROPERTY;

typedef union {
  uint32_t MemoryProperty;
} HSA_MEMORYPROPERTY;

typedef union {
  uint32_t Value;
} HSA_ENGINE_VERSION;

typedef union {
  uint32_t Value;
} HSA_ENGINE_ID;

typedef union {
  uint32_t Value;
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
