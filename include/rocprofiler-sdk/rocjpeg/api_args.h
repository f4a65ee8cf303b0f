/* SPDX-License-Identifier: MIT
 * api_args.h: arguments and results of rocJPEG's functions. Made by tools/gen_sdk_libraries.py. */
#pragma once

#include <rocprofiler-sdk/defines.h>

/* Uses the library's own headers if they are installed; define it as 0 or 1 to choose. */
#if !defined(ROCPROFILER_SDK_USE_SYSTEM_ROCJPEG)
#if defined(__has_include)
#if __has_include(<rocjpeg/rocjpeg.h>)
#define ROCPROFILER_SDK_USE_SYSTEM_ROCJPEG 1
#endif
#endif
#endif
#if !defined(ROCPROFILER_SDK_USE_SYSTEM_ROCJPEG)
#define ROCPROFILER_SDK_USE_SYSTEM_ROCJPEG 0
#endif

#if ROCPROFILER_SDK_USE_SYSTEM_ROCJPEG > 0
#include <rocjpeg/rocjpeg.h>
#else
#include <rocprofiler-sdk/rocjpeg/details/rocjpeg.h>
#endif

ROCPROFILER_EXTERN_C_INIT

/* An empty structure has different sizes in C and C++. */
typedef struct rocprofiler_rocjpeg_api_no_args {
  char empty;
} rocprofiler_rocjpeg_api_no_args;

typedef union rocprofiler_rocjpeg_api_retval_t {
  int32_t rocJpegStatus_retval;
  const char* const_charp_retval;
} rocprofiler_rocjpeg_api_retval_t;

/* One member per function, with its name. */
typedef union rocprofiler_rocjpeg_api_args_t {
  struct {
    RocJpegStreamHandle* jpeg_stream_handle;
  } rocJpegStreamCreate;
  struct {
    const unsigned char* data;
    size_t length;
    RocJpegStreamHandle jpeg_stream_handle;
  } rocJpegStreamParse;
  struct {
    RocJpegStreamHandle jpeg_stream_handle;
  } rocJpegStreamDestroy;
  struct {
    RocJpegBackend backend;
    int device_id;
    RocJpegHandle* handle;
  } rocJpegCreate;
  struct {
    RocJpegHandle handle;
  } rocJpegDestroy;
  struct {
    RocJpegHandle handle;
    RocJpegStreamHandle jpeg_stream_handle;
    uint8_t* num_components;
    RocJpegChromaSubsampling* subsampling;
    uint32_t* widths;
    uint32_t* heights;
  } rocJpegGetImageInfo;
  struct {
    RocJpegHandle handle;
    RocJpegStreamHandle jpeg_stream_handle;
    const RocJpegDecodeParams* decode_params;
    RocJpegImage* destination;
  } rocJpegDecode;
  struct {
    RocJpegHandle handle;
    RocJpegStreamHandle* jpeg_stream_handles;
    int batch_size;
    const RocJpegDecodeParams* decode_params;
    RocJpegImage* destinations;
  } rocJpegDecodeBatched;
  struct {
    RocJpegStatus rocjpeg_status;
  } rocJpegGetErrorName;
} rocprofiler_rocjpeg_api_args_t;

ROCPROFILER_EXTERN_C_FINI
