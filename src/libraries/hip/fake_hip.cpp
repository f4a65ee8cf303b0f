// SPDX-License-Identifier: MIT
// A libamdhip64.so for the test. It has one function for each way to pass arguments. Each function
// prints its arguments.
#include "libraries/hip/fake_hip.h"

#include <stdio.h>

extern "C" {

// The tracer looks for this symbol in every HIP.
hipError_t hipPeekAtLastError() { return 0; }

hipError_t hipGetDevice(int* device) {
  *device = 3;
  return 0;
}

// HIP calls its own function through the symbol, so a preloaded library may get the call.
hipError_t hipMalloc(void** memory, size_t bytes) {
  int device = 0;
  (void)hipGetDevice(&device);
  *memory = reinterpret_cast<void*>(bytes + static_cast<size_t>(device));
  return 2;
}

hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                           size_t shared, void* stream) {
  printf("launch %p %u,%u,%u %u,%u,%u %p %zu %p\n", function, grid.x, grid.y, grid.z, block.x,
         block.y, block.z, static_cast<void*>(arguments), shared, stream);
  return 0;
}

hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent) {
  printf("memset %p %zu %zu %zu %d %zu %zu %zu\n", to.ptr, to.pitch, to.xsize, to.ysize, value,
         extent.width, extent.height, extent.depth);
  return 0;
}

hipError_t hipTexRefSetMipmapLevelClamp(void* texture, float least, float most) {
  printf("clamp %p %g %g\n", texture, static_cast<double>(least), static_cast<double>(most));
  return 0;
}

const char* hipGetErrorString(hipError_t error) { return error == 2 ? "two" : "other"; }

hipError_t hipLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  function(data);
  return stream == nullptr ? 0 : 1;
}

}  // extern "C"

// Exported as C++, as HIP 5 does.
hipError_t hipExtModuleLaunchKernel(ihipModuleSymbol_t* function, uint32_t a, uint32_t b,
                                    uint32_t c, uint32_t d, uint32_t e, uint32_t f, size_t shared,
                                    ihipStream_t* stream, void** arguments, void** extra,
                                    ihipEvent_t* start, ihipEvent_t* stop, uint32_t flags) {
  printf("module %p %u %u %u %u %u %u %zu %p %p %p %p %p %u\n", static_cast<void*>(function), a, b,
         c, d, e, f, shared, static_cast<void*>(stream), static_cast<void*>(arguments),
         static_cast<void*>(extra), static_cast<void*>(start), static_cast<void*>(stop), flags);
  return 5;
}
