/* SPDX-License-Identifier: MIT
 * rocdecode.h: the types in the arguments of rocDecode's functions, for machines without its
 * headers. The functions themselves are not declared. Made by tools/gen_sdk_libraries.py. */
#ifndef ROCDECODE_H
#define ROCDECODE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _RocdecParserParams RocdecParserParams;
typedef struct _RocdecSourceDataPacket RocdecSourceDataPacket;
typedef struct _RocDecoderCreateInfo RocDecoderCreateInfo;
typedef struct _RocdecDecodeCaps RocdecDecodeCaps;
typedef struct _RocdecPicParams RocdecPicParams;
typedef struct _RocdecDecodeStatus RocdecDecodeStatus;
typedef struct _RocdecReconfigureDecoderInfo RocdecReconfigureDecoderInfo;
typedef struct _RocdecProcParams RocdecProcParams;
typedef void* rocDecDecoderHandle;

typedef enum rocDecStatus_enum {
  ROCDEC_DEVICE_INVALID = -1,
  ROCDEC_CONTEXT_INVALID = -2,
  ROCDEC_RUNTIME_ERROR = -3,
  ROCDEC_OUTOF_MEMORY = -4,
  ROCDEC_INVALID_PARAMETER = -5,
  ROCDEC_NOT_IMPLEMENTED = -6,
  ROCDEC_NOT_INITIALIZED = -7,
  ROCDEC_NOT_SUPPORTED = -8,
  ROCDEC_SUCCESS = 0,
} rocDecStatus;

typedef enum rocDecVideoCodec_enum {
  rocDecVideoCodec_MPEG1 = 0,
  rocDecVideoCodec_MPEG2 = 1,
  rocDecVideoCodec_MPEG4 = 2,
  rocDecVideoCodec_AVC = 3,
  rocDecVideoCodec_HEVC = 4,
  rocDecVideoCodec_AV1 = 5,
  rocDecVideoCodec_VP8 = 6,
  rocDecVideoCodec_VP9 = 7,
  rocDecVideoCodec_JPEG = 8,
  rocDecVideoCodec_NumCodecs = 9,
  rocDecVideoCodec_YUV420 = 1230591318,
  rocDecVideoCodec_YV12 = 1498820914,
  rocDecVideoCodec_NV12 = 1314271538,
  rocDecVideoCodec_YUYV = 1498765654,
  rocDecVideoCodec_UYVY = 1431918169,
} rocDecVideoCodec;

typedef enum rocDecVideoSurfaceFormat_enum {
  rocDecVideoSurfaceFormat_NV12 = 0,
  rocDecVideoSurfaceFormat_P016 = 1,
  rocDecVideoSurfaceFormat_YUV444 = 2,
  rocDecVideoSurfaceFormat_YUV444_16Bit = 3,
  rocDecVideoSurfaceFormat_YUV420 = 4,
  rocDecVideoSurfaceFormat_YUV420_16Bit = 5,
} rocDecVideoSurfaceFormat;

typedef enum rocDecVideoChromaFormat_enum {
  rocDecVideoChromaFormat_Monochrome = 0,
  rocDecVideoChromaFormat_420 = 1,
  rocDecVideoChromaFormat_422 = 2,
  rocDecVideoChromaFormat_444 = 3,
} rocDecVideoChromaFormat;

typedef enum rocDecodeStatus_enum {
  rocDecodeStatus_Invalid = 0,
  rocDecodeStatus_InProgress = 1,
  rocDecodeStatus_Success = 2,
  rocDecodeStatus_Error = 8,
  rocDecodeStatus_Error_Concealed = 9,
  rocDecodeStatus_Displaying = 10,
} rocDecDecodeStatus;
typedef void* RocdecVideoParser;
typedef void* RocdecBitstreamReader;

#ifdef __cplusplus
}
#endif

#endif
