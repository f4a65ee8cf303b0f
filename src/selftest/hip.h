// SPDX-License-Identifier: MIT
// hip.h: HIP's functions, which are looked up at run time. So the program is built without HIP's
// headers, and starts on a machine without HIP.
//
// Threads    as HIP's
// Errors     Open returns the reason; programs check results with Must (programs.h)
#pragma once

#include <cstddef>
#include <string>

namespace rtl::selftest {

using HipStream = struct ihipStream_t*;
using HipEvent = struct ihipEvent_t*;
using HipModule = struct ihipModule_t*;
using HipFunction = struct ihipModuleSymbol_t*;
using HipGraph = struct ihipGraph*;
using HipGraphExec = struct hipGraphExec*;

inline constexpr int kHostToDevice = 1;  // hipMemcpyKind
inline constexpr int kDeviceToHost = 2;
inline constexpr int kCaptureRelaxed = 2;  // hipStreamCaptureMode

// Result int is a hipError_t.
#define RTL_SELFTEST_HIP(X)                                                               \
  X(hipInit, unsigned)                                                                    \
  X(hipRuntimeGetVersion, int*)                                                           \
  X(hipGetDeviceCount, int*)                                                              \
  X(hipDeviceGetName, char*, int, int)                                                    \
  X(hipSetDevice, int)                                                                    \
  X(hipDeviceSynchronize)                                                                 \
  X(hipMalloc, void**, size_t)                                                            \
  X(hipFree, void*)                                                                       \
  X(hipHostMalloc, void**, size_t, unsigned)                                              \
  X(hipHostFree, void*)                                                                   \
  X(hipMemset, void*, int, size_t)                                                        \
  X(hipMemcpy, void*, const void*, size_t, int)                                           \
  X(hipMemcpyAsync, void*, const void*, size_t, int, HipStream)                           \
  X(hipStreamCreate, HipStream*)                                                          \
  X(hipStreamDestroy, HipStream)                                                          \
  X(hipStreamSynchronize, HipStream)                                                      \
  X(hipStreamBeginCapture, HipStream, int)                                                \
  X(hipStreamEndCapture, HipStream, HipGraph*)                                            \
  X(hipEventCreate, HipEvent*)                                                            \
  X(hipEventRecord, HipEvent, HipStream)                                                  \
  X(hipEventSynchronize, HipEvent)                                                        \
  X(hipEventElapsedTime, float*, HipEvent, HipEvent)                                      \
  X(hipModuleLoadData, HipModule*, const void*)                                           \
  X(hipModuleGetFunction, HipFunction*, HipModule, const char*)                           \
  X(hipModuleLaunchKernel, HipFunction, unsigned, unsigned, unsigned, unsigned, unsigned, \
    unsigned, unsigned, HipStream, void**, void**)                                        \
  X(hipGraphInstantiate, HipGraphExec*, HipGraph, void*, char*, size_t)                   \
  X(hipGraphLaunch, HipGraphExec, HipStream)

struct Hip {
#define X(name, ...) int (*name)(__VA_ARGS__) = nullptr;
  RTL_SELFTEST_HIP(X)
#undef X
  const char* (*hipGetErrorName)(int) = nullptr;

  // `file`: a path or a name. Empty: the newest libamdhip64 (rocm_libraries.h). False: there is no
  // library, or it lacks a function; `why` has the reason.
  bool Open(const std::string& file, std::string* why);
  std::string Path() const;  // path of the library; empty: not known
};

}  // namespace rtl::selftest
