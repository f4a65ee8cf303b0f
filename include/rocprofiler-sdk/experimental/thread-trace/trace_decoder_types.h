/* SPDX-License-Identifier: MIT
 * trace_decoder_types.h: the output of a decoder of thread traces. Times are cycles of the
 * shader.
 */
#pragma once

#include <rocprofiler-sdk/defines.h>

ROCPROFILER_EXTERN_C_INIT

typedef enum rocprofiler_thread_trace_decoder_info_t {
  ROCPROFILER_THREAD_TRACE_DECODER_INFO_NONE = 0,
  ROCPROFILER_THREAD_TRACE_DECODER_INFO_DATA_LOST = 1,
  ROCPROFILER_THREAD_TRACE_DECODER_INFO_STITCH_INCOMPLETE = 2,
  ROCPROFILER_THREAD_TRACE_DECODER_INFO_LAST = 3,
} rocprofiler_thread_trace_decoder_info_t;

/* An address, or the code object's id and an offset in it. */
typedef struct rocprofiler_thread_trace_decoder_pc_t {
  size_t addr;
  size_t marker_id; /* zero: `addr` is absolute */
} rocprofiler_thread_trace_decoder_pc_t;

typedef struct rocprofiler_thread_trace_decoder_perfevent_t {
  int64_t time;
  uint16_t events0;
  uint16_t events1;
  uint16_t events2;
  uint16_t events3;
  uint8_t CU;
  uint8_t bank;
} rocprofiler_thread_trace_decoder_perfevent_t;

/* A wave has started or ended. */
typedef struct rocprofiler_thread_trace_decoder_occupancy_t {
  rocprofiler_thread_trace_decoder_pc_t pc;
  uint64_t time;
  uint8_t reserved;
  uint8_t cu;
  uint8_t simd;
  uint8_t slot;
  uint32_t start : 1;
  uint32_t _rsvd : 31;
} rocprofiler_thread_trace_decoder_occupancy_t;

typedef enum rocprofiler_thread_trace_decoder_wstate_type_t {
  ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_EMPTY = 0,
  ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_IDLE = 1,
  ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_EXEC = 2,
  ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_WAIT = 3,
  ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_STALL = 4,
  ROCPROFILER_THREAD_TRACE_DECODER_WSTATE_LAST = 5,
} rocprofiler_thread_trace_decoder_wstate_type_t;

typedef struct rocprofiler_thread_trace_decoder_wave_state_t {
  int32_t type; /* rocprofiler_thread_trace_decoder_wstate_type_t */
  int32_t duration;
} rocprofiler_thread_trace_decoder_wave_state_t;

typedef enum rocprofiler_thread_trace_decoder_inst_category_t {
  ROCPROFILER_THREAD_TRACE_DECODER_INST_NONE = 0,
  ROCPROFILER_THREAD_TRACE_DECODER_INST_SMEM = 1,
  ROCPROFILER_THREAD_TRACE_DECODER_INST_SALU = 2,
  ROCPROFILER_THREAD_TRACE_DECODER_INST_VMEM = 3,
  ROCPROFILER_THREAD_TRACE_DECODER_INST_FLAT = 4,
  ROCPROFILER_THREAD_TRACE_DECODER_INST_LDS = 5,
  ROCPROFILER_THREAD_TRACE_DECODER_INST_VALU = 6,
  ROCPROFILER_THREAD_TRACE_DECODER_INST_JUMP = 7,
  ROCPROFILER_THREAD_TRACE_DECODER_INST_NEXT = 8,
  ROCPROFILER_THREAD_TRACE_DECODER_INST_IMMED = 9,
  ROCPROFILER_THREAD_TRACE_DECODER_INST_CONTEXT = 10,
  ROCPROFILER_THREAD_TRACE_DECODER_INST_MESSAGE = 11,
  ROCPROFILER_THREAD_TRACE_DECODER_INST_BVH = 12,
  ROCPROFILER_THREAD_TRACE_DECODER_INST_LAST = 13,
} rocprofiler_thread_trace_decoder_inst_category_t;

typedef struct rocprofiler_thread_trace_decoder_inst_t {
  uint32_t category : 8; /* rocprofiler_thread_trace_decoder_inst_category_t */
  uint32_t stall : 24;
  int32_t duration;
  int64_t time;
  rocprofiler_thread_trace_decoder_pc_t pc;
} rocprofiler_thread_trace_decoder_inst_t;

typedef struct rocprofiler_thread_trace_decoder_wave_t {
  uint8_t cu;
  uint8_t simd;
  uint8_t wave_id;
  uint8_t contexts;
  uint32_t _rsvd1;
  uint32_t _rsvd2;
  uint32_t _rsvd3;
  int64_t begin_time;
  int64_t end_time;
  size_t timeline_size;
  size_t instructions_size;
  rocprofiler_thread_trace_decoder_wave_state_t* timeline_array;
  rocprofiler_thread_trace_decoder_inst_t* instructions_array;
} rocprofiler_thread_trace_decoder_wave_t;

/* The types of the events of a decoder's callback. */
typedef enum rocprofiler_thread_trace_decoder_record_type_t {
  ROCPROFILER_THREAD_TRACE_DECODER_RECORD_GFXIP = 0,
  ROCPROFILER_THREAD_TRACE_DECODER_RECORD_OCCUPANCY = 1,
  ROCPROFILER_THREAD_TRACE_DECODER_RECORD_PERFEVENT = 2,
  ROCPROFILER_THREAD_TRACE_DECODER_RECORD_WAVE = 3,
  ROCPROFILER_THREAD_TRACE_DECODER_RECORD_INFO = 4,
  ROCPROFILER_THREAD_TRACE_DECODER_RECORD_DEBUG = 5,
  ROCPROFILER_THREAD_TRACE_DECODER_RECORD_LAST = 6,
} rocprofiler_thread_trace_decoder_record_type_t;

ROCPROFILER_EXTERN_C_FINI
