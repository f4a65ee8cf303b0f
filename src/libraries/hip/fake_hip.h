// SPDX-License-Identifier: MIT
// fake_hip.h: the declarations of HIP that fake_hip.cpp and its program need.
#pragma once

#include <stddef.h>
#include <stdint.h>

using hipError_t = int;
struct dim3 {
  uint32_t x, y, z;
};
struct hipPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};
struct hipExtent {
  size_t width, height, depth;
};
struct ihipModuleSymbol_t;
struct ihipStream_t;
struct ihipEvent_t;

extern "C" {
hipError_t hipPeekAtLastError();
hipError_t hipGetDevice(int* device);
hipError_t hipMalloc(void** memory, size_t bytes);
hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                           size_t shared, void* stream);
hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent);
hipError_t hipTexRefSetMipmapLevelClamp(void* texture, float least, float most);
const char* hipGetErrorString(hipError_t error);
hipError_t hipLaunchHostFunc(void* stream, void (*function)(void*), void* data);
}
hipError_t hipExtModuleLaunchKernel(ihipModuleSymbol_t* function, uint32_t a, uint32_t b,
                                    uint32_t c, uint32_t d, uint32_t e, uint32_t f, size_t shared,
                                    ihipStream_t* stream, void** arguments, void** extra,
                                    ihipEvent_t* start, ihipEvent_t* stop, uint32_t flags);
