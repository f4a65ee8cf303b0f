// SPDX-License-Identifier: MIT
// rccl_operations.h: what calls of RCCL are called, for event_kinds.h. Made by
// tools/gen_sdk_libraries.py.
#pragma once

// clang-format off
#define RTL_RCCL_CALL_OPERATIONS(O) \
  O(ncclAllGather, "ncclAllGather") \
  O(ncclAllReduce, "ncclAllReduce") \
  O(ncclAllToAll, "ncclAllToAll") \
  O(ncclAllToAllv, "ncclAllToAllv") \
  O(ncclBroadcast, "ncclBroadcast") \
  O(ncclGather, "ncclGather") \
  O(ncclReduce, "ncclReduce") \
  O(ncclReduceScatter, "ncclReduceScatter") \
  O(ncclScatter, "ncclScatter") \
  O(ncclSend, "ncclSend") \
  O(ncclRecv, "ncclRecv") \
  O(ncclRedOpCreatePreMulSum, "ncclRedOpCreatePreMulSum") \
  O(ncclRedOpDestroy, "ncclRedOpDestroy") \
  O(ncclGroupStart, "ncclGroupStart") \
  O(ncclGroupEnd, "ncclGroupEnd") \
  O(ncclGetVersion, "ncclGetVersion") \
  O(ncclGetUniqueId, "ncclGetUniqueId") \
  O(ncclCommInitRank, "ncclCommInitRank") \
  O(ncclCommInitAll, "ncclCommInitAll") \
  O(ncclCommInitRankConfig, "ncclCommInitRankConfig") \
  O(ncclCommFinalize, "ncclCommFinalize") \
  O(ncclCommDestroy, "ncclCommDestroy") \
  O(ncclCommAbort, "ncclCommAbort") \
  O(ncclCommSplit, "ncclCommSplit") \
  O(ncclGetErrorString, "ncclGetErrorString") \
  O(ncclGetLastError, "ncclGetLastError") \
  O(ncclCommGetAsyncError, "ncclCommGetAsyncError") \
  O(ncclCommCount, "ncclCommCount") \
  O(ncclCommCuDevice, "ncclCommCuDevice") \
  O(ncclCommUserRank, "ncclCommUserRank") \
  O(ncclMemAlloc, "ncclMemAlloc") \
  O(ncclMemFree, "ncclMemFree") \
  O(mscclLoadAlgo, "mscclLoadAlgo") \
  O(mscclRunAlgo, "mscclRunAlgo") \
  O(mscclUnloadAlgo, "mscclUnloadAlgo") \
  O(ncclCommRegister, "ncclCommRegister") \
  O(ncclCommDeregister, "ncclCommDeregister")
// clang-format on
