/* SPDX-License-Identifier: MIT
 * api_args.h: arguments and results of RCCL's functions. Made by tools/gen_sdk_libraries.py. */
#pragma once

#include <rocprofiler-sdk/defines.h>

/* Uses the library's own headers if they are installed; define it as 0 or 1 to choose. */
#if !defined(ROCPROFILER_SDK_USE_SYSTEM_RCCL)
#if defined(__has_include)
#if __has_include(<rccl/rccl.h>)
#define ROCPROFILER_SDK_USE_SYSTEM_RCCL 1
#endif
#endif
#endif
#if !defined(ROCPROFILER_SDK_USE_SYSTEM_RCCL)
#define ROCPROFILER_SDK_USE_SYSTEM_RCCL 0
#endif

#if ROCPROFILER_SDK_USE_SYSTEM_RCCL > 0
#include <rccl/rccl.h>
#else
#include <rocprofiler-sdk/rccl/details/rccl.h>
#endif

ROCPROFILER_EXTERN_C_INIT

/* An empty structure has different sizes in C and C++. */
typedef struct rocprofiler_rccl_api_no_args {
  char empty;
} rocprofiler_rccl_api_no_args;

typedef union rocprofiler_rccl_api_retval_t {
  int32_t ncclResult_t_retval;
  const char* const_charp_retval;
} rocprofiler_rccl_api_retval_t;

/* One member per function, with its name. */
typedef union rocprofiler_rccl_api_args_t {
  uint64_t words[14];
  struct {
    const void* sendbuff;
    void* recvbuff;
    size_t sendcount;
    ncclDataType_t datatype;
    ncclComm_t comm;
    hipStream_t stream;
  } ncclAllGather;
  struct {
    const void* sendbuff;
    void* recvbuff;
    size_t count;
    ncclDataType_t datatype;
    ncclRedOp_t op;
    struct ncclComm* comm;
    hipStream_t stream;
  } ncclAllReduce;
  struct {
    const void* sendbuff;
    void* recvbuff;
    size_t count;
    ncclDataType_t datatype;
    ncclComm_t comm;
    hipStream_t stream;
  } ncclAllToAll;
  struct {
    const void* sendbuff;
    const size_t* sendcounts;
    const size_t* sdispls;
    void* recvbuff;
    const size_t* recvcounts;
    const size_t* rdispls;
    ncclDataType_t datatype;
    ncclComm_t comm;
    hipStream_t stream;
  } ncclAllToAllv;
  struct {
    const void* sendbuff;
    void* recvbuff;
    size_t count;
    ncclDataType_t datatype;
    int root;
    ncclComm_t comm;
    hipStream_t stream;
  } ncclBroadcast;
  struct {
    const void* sendbuff;
    void* recvbuff;
    size_t sendcount;
    ncclDataType_t datatype;
    int root;
    ncclComm_t comm;
    hipStream_t stream;
  } ncclGather;
  struct {
    const void* sendbuff;
    void* recvbuff;
    size_t count;
    ncclDataType_t datatype;
    ncclRedOp_t op;
    int root;
    ncclComm_t comm;
    hipStream_t stream;
  } ncclReduce;
  struct {
    const void* sendbuff;
    void* recvbuff;
    size_t recvcount;
    ncclDataType_t datatype;
    ncclRedOp_t op;
    struct ncclComm* comm;
    hipStream_t stream;
  } ncclReduceScatter;
  struct {
    const void* sendbuff;
    void* recvbuff;
    size_t recvcount;
    ncclDataType_t datatype;
    int root;
    ncclComm_t comm;
    hipStream_t stream;
  } ncclScatter;
  struct {
    const void* sendbuff;
    size_t count;
    ncclDataType_t datatype;
    int peer;
    ncclComm_t comm;
    hipStream_t stream;
  } ncclSend;
  struct {
    void* recvbuff;
    size_t count;
    ncclDataType_t datatype;
    int peer;
    ncclComm_t comm;
    hipStream_t stream;
  } ncclRecv;
  struct {
    ncclRedOp_t* op;
    void* scalar;
    ncclDataType_t datatype;
    ncclScalarResidence_t residence;
    ncclComm_t comm;
  } ncclRedOpCreatePreMulSum;
  struct {
    ncclRedOp_t op;
    ncclComm_t comm;
  } ncclRedOpDestroy;
  struct {
    rocprofiler_rccl_api_no_args no_args;
  } ncclGroupStart;
  struct {
    rocprofiler_rccl_api_no_args no_args;
  } ncclGroupEnd;
  struct {
    int* version;
  } ncclGetVersion;
  struct {
    ncclUniqueId* out;
  } ncclGetUniqueId;
  struct {
    ncclComm_t* newcomm;
    int nranks;
    ncclUniqueId commId;
    int myrank;
  } ncclCommInitRank;
  struct {
    ncclComm_t* comms;
    int ndev;
    const int* devlist;
  } ncclCommInitAll;
#if NCCL_VERSION_CODE >= 21400
  struct {
    ncclComm_t* comm;
    int nranks;
    ncclUniqueId commId;
    int myrank;
    ncclConfig_t* config;
  } ncclCommInitRankConfig;
#endif
  struct {
    ncclComm_t comm;
  } ncclCommFinalize;
  struct {
    ncclComm_t comm;
  } ncclCommDestroy;
  struct {
    ncclComm_t comm;
  } ncclCommAbort;
#if NCCL_VERSION_CODE >= 21400
  struct {
    ncclComm_t comm;
    int color;
    int key;
    ncclComm_t* newcomm;
    ncclConfig_t* config;
  } ncclCommSplit;
#endif
  struct {
    ncclResult_t code;
  } ncclGetErrorString;
  struct {
    ncclComm_t comm;
  } ncclGetLastError;
  struct {
    ncclComm_t comm;
    ncclResult_t* asyncError;
  } ncclCommGetAsyncError;
  struct {
    ncclComm_t comm;
    int* count;
  } ncclCommCount;
  struct {
    ncclComm_t comm;
    int* devid;
  } ncclCommCuDevice;
  struct {
    ncclComm_t comm;
    int* rank;
  } ncclCommUserRank;
  struct {
    void** ptr;
    size_t size;
  } ncclMemAlloc;
  struct {
    void* ptr;
  } ncclMemFree;
#if NCCL_VERSION_CODE >= 21700
  struct {
    const char* mscclAlgoFilePath;
    mscclAlgoHandle_t* mscclAlgoHandle;
    int rank;
  } mscclLoadAlgo;
#endif
#if NCCL_VERSION_CODE >= 21700
  struct {
    const void* sendBuff;
    const size_t* sendCounts;
    const size_t* sDisPls;
    void* recvBuff;
    const size_t* recvCounts;
    const size_t* rDisPls;
    size_t count;
    ncclDataType_t dataType;
    int root;
    int peer;
    ncclRedOp_t op;
    mscclAlgoHandle_t mscclAlgoHandle;
    ncclComm_t comm;
    hipStream_t stream;
  } mscclRunAlgo;
#endif
#if NCCL_VERSION_CODE >= 21700
  struct {
    mscclAlgoHandle_t mscclAlgoHandle;
  } mscclUnloadAlgo;
#endif
  struct {
    ncclComm_t comm;
    void* buff;
    size_t size;
    void** handle;
  } ncclCommRegister;
  struct {
    ncclComm_t comm;
    void* handle;
  } ncclCommDeregister;
} rocprofiler_rccl_api_args_t;

ROCPROFILER_EXTERN_C_FINI
