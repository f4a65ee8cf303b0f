/* SPDX-License-Identifier: MIT
 * rocjpeg.h: the types in the arguments of rocJPEG's functions, for machines without its
 * headers. The functions themselves are not declared. Made by tools/gen_sdk_libraries.py. */
#ifndef ROC_JPEG_H
#define ROC_JPEG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RocJpegImage RocJpegImage;
typedef struct RocJpegDecodeParams RocJpegDecodeParams;

typedef enum {
  ROCJPEG_STATUS_SUCCESS = 0,
  ROCJPEG_STATUS_NOT_INITIALIZED = -1,
  ROCJPEG_STATUS_INVALID_PARAMETER = -2,
  ROCJPEG_STATUS_BAD_JPEG = -3,
  ROCJPEG_STATUS_JPEG_NOT_SUPPORTED = -4,
  ROCJPEG_STATUS_OUTOF_MEMORY = -5,
  ROCJPEG_STATUS_EXECUTION_FAILED = -6,
  ROCJPEG_STATUS_ARCH_MISMATCH = -7,
  ROCJPEG_STATUS_INTERNAL_ERROR = -8,
  ROCJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED = -9,
  ROCJPEG_STATUS_HW_JPEG_DECODER_NOT_SUPPORTED = -10,
  ROCJPEG_STATUS_RUNTIME_ERROR = -11,
  ROCJPEG_STATUS_NOT_IMPLEMENTED = -12,
} RocJpegStatus;

typedef enum {
  ROCJPEG_CSS_444 = 0,
  ROCJPEG_CSS_440 = 1,
  ROCJPEG_CSS_422 = 2,
  ROCJPEG_CSS_420 = 3,
  ROCJPEG_CSS_411 = 4,
  ROCJPEG_CSS_400 = 5,
  ROCJPEG_CSS_UNKNOWN = -1,
} RocJpegChromaSubsampling;

typedef enum {
  ROCJPEG_OUTPUT_NATIVE = 0,
  ROCJPEG_OUTPUT_YUV_PLANAR = 1,
  ROCJPEG_OUTPUT_Y = 2,
  ROCJPEG_OUTPUT_RGB = 3,
  ROCJPEG_OUTPUT_RGB_PLANAR = 4,
  ROCJPEG_OUTPUT_FORMAT_MAX = 5,
} RocJpegOutputFormat;

typedef enum {
  ROCJPEG_BACKEND_HARDWARE = 0,
  ROCJPEG_BACKEND_HYBRID = 1,
} RocJpegBackend;
typedef void* RocJpegStreamHandle;
typedef void* RocJpegHandle;

#ifdef __cplusplus
}
#endif

#endif
