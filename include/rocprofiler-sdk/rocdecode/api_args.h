/* SPDX-License-Identifier: MIT
 * api_args.h: arguments and results of rocDecode's functions. Made by tools/gen_sdk_libraries.py. */
#pragma once

#include <rocprofiler-sdk/defines.h>

/* Uses the library's own headers if they are installed; define it as 0 or 1 to choose. */
#if !defined(ROCPROFILER_SDK_USE_SYSTEM_ROCDECODE)
#if defined(__has_include)
#if __has_include(<rocdecode/rocdecode.h>)
#define ROCPROFILER_SDK_USE_SYSTEM_ROCDECODE 1
#endif
#endif
#endif
#if !defined(ROCPROFILER_SDK_USE_SYSTEM_ROCDECODE)
#define ROCPROFILER_SDK_USE_SYSTEM_ROCDECODE 0
#endif

#if ROCPROFILER_SDK_USE_SYSTEM_ROCDECODE > 0
#include <rocdecode/rocdecode.h>
#include <rocdecode/roc_bitstream_reader.h>
#include <rocdecode/rocparser.h>
#else
#include <rocprofiler-sdk/rocdecode/details/rocdecode.h>
#endif

ROCPROFILER_EXTERN_C_INIT

/* An empty structure has different sizes in C and C++. */
typedef struct rocprofiler_rocdecode_api_no_args {
  char empty;
} rocprofiler_rocdecode_api_no_args;

typedef union rocprofiler_rocdecode_api_retval_t {
  uint64_t uint64_t_retval;
  int32_t rocDecStatus_retval;
  const char* const_charp_retval;
} rocprofiler_rocdecode_api_retval_t;

/* One member per function, with its name. */
typedef union rocprofiler_rocdecode_api_args_t {
  struct {
    RocdecVideoParser* parser_handle;
    RocdecParserParams* params;
  } rocDecCreateVideoParser;
  struct {
    RocdecVideoParser parser_handle;
    RocdecSourceDataPacket* packet;
  } rocDecParseVideoData;
  struct {
    RocdecVideoParser parser_handle;
  } rocDecDestroyVideoParser;
  struct {
    rocDecDecoderHandle* decoder_handle;
    RocDecoderCreateInfo* decoder_create_info;
  } rocDecCreateDecoder;
  struct {
    rocDecDecoderHandle decoder_handle;
  } rocDecDestroyDecoder;
  struct {
    RocdecDecodeCaps* decode_caps;
  } rocDecGetDecoderCaps;
  struct {
    rocDecDecoderHandle decoder_handle;
    RocdecPicParams* pic_params;
  } rocDecDecodeFrame;
  struct {
    rocDecDecoderHandle decoder_handle;
    int pic_idx;
    RocdecDecodeStatus* decode_status;
  } rocDecGetDecodeStatus;
  struct {
    rocDecDecoderHandle decoder_handle;
    RocdecReconfigureDecoderInfo* reconfig_params;
  } rocDecReconfigureDecoder;
  struct {
    rocDecDecoderHandle decoder_handle;
    int pic_idx;
    void** dev_mem_ptr;
    uint32_t* horizontal_pitch;
    RocdecProcParams* vid_postproc_params;
  } rocDecGetVideoFrame;
  struct {
    rocDecStatus rocdec_status;
  } rocDecGetErrorName;
  struct {
    RocdecBitstreamReader* bs_reader_handle;
    const char* input_file_path;
  } rocDecCreateBitstreamReader;
  struct {
    RocdecBitstreamReader bs_reader_handle;
    rocDecVideoCodec* codec_type;
  } rocDecGetBitstreamCodecType;
  struct {
    RocdecBitstreamReader bs_reader_handle;
    int* bit_depth;
  } rocDecGetBitstreamBitDepth;
  struct {
    RocdecBitstreamReader bs_reader_handle;
    uint8_t** pic_data;
    int* pic_size;
    int64_t* pts;
  } rocDecGetBitstreamPicData;
  struct {
    RocdecBitstreamReader bs_reader_handle;
  } rocDecDestroyBitstreamReader;
} rocprofiler_rocdecode_api_args_t;

ROCPROFILER_EXTERN_C_FINI
