/* SPDX-License-Identifier: MIT
 * defines.h: macros that the other headers are written with. C99 and C++17. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The library's own build defines rocprofiler_EXPORTS; a tool gets plain declarations. */
#if defined(rocprofiler_EXPORTS)
#define ROCPROFILER_API __attribute__((visibility("default")))
#else
#define ROCPROFILER_API
#endif
/* For what a tool defines and the library looks up by name. */
#define ROCPROFILER_PUBLIC_API __attribute__((visibility("default")))
#define ROCPROFILER_HIDDEN_API __attribute__((visibility("hidden")))

/* Null arguments are answered with a status, so that the compiler must not assume that there are none. */
#define ROCPROFILER_NONNULL(...)

#ifdef __cplusplus
#define ROCPROFILER_EXTERN_C_INIT extern "C" {
#define ROCPROFILER_EXTERN_C_FINI }
#define ROCPROFILER_CXX_CODE(...) __VA_ARGS__
#define ROCPROFILER_UINT64_C(value) uint64_t(value)
#define ROCPROFILER_HANDLE_LITERAL(type, value) (type{value})
#else
#define ROCPROFILER_EXTERN_C_INIT
#define ROCPROFILER_EXTERN_C_FINI
#define ROCPROFILER_CXX_CODE(...)
#define ROCPROFILER_UINT64_C(value) UINT64_C(value)
#define ROCPROFILER_HANDLE_LITERAL(type, value) ((type){value})
#endif

/* Marks of upstream's headers that have no effect here. */
#define ROCPROFILER_SDK_EXPERIMENTAL
#define ROCPROFILER_SDK_DEPRECATED(...)

/* One number per version: 10000 major + 100 minor + patch. */
#define ROCPROFILER_SDK_COMPUTE_VERSION(major, minor, patch) \
  ((10000 * (major)) + (100 * (minor)) + (patch))
