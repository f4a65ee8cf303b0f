/* SPDX-License-Identifier: MIT
 * defines.h: macros for the other headers. C99 and C++17. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define ROCPROFILER_ATTRIBUTE(...) __attribute__((__VA_ARGS__))

/* The library's own build defines rocprofiler_EXPORTS; a tool gets plain declarations. */
#define ROCPROFILER_EXPORT_DECORATOR ROCPROFILER_PUBLIC_API
#define ROCPROFILER_IMPORT_DECORATOR
#define ROCPROFILER_EXPORT ROCPROFILER_EXPORT_DECORATOR
#define ROCPROFILER_IMPORT ROCPROFILER_IMPORT_DECORATOR
#if defined(rocprofiler_EXPORTS)
#define ROCPROFILER_API ROCPROFILER_EXPORT
#else
#define ROCPROFILER_API ROCPROFILER_IMPORT
#endif
/* For symbols that a tool defines and the library looks up by name. */
#define ROCPROFILER_PUBLIC_API ROCPROFILER_ATTRIBUTE(visibility("default"))
#define ROCPROFILER_HIDDEN_API ROCPROFILER_ATTRIBUTE(visibility("hidden"))

/* Functions return a status for null arguments, so the compiler must not assume that arguments
 * are never null. */
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

/* Marks declarations that may change, and declarations that have a successor. Define one of the
 * two as 1 to get a warning at each use. */
#if !defined(ROCPROFILER_SDK_DEPRECATED_WARNINGS)
#define ROCPROFILER_SDK_DEPRECATED_WARNINGS 0
#endif
#if !defined(ROCPROFILER_SDK_EXPERIMENTAL_WARNINGS)
#define ROCPROFILER_SDK_EXPERIMENTAL_WARNINGS 0
#endif
#if defined(__cplusplus)
#define ROCPROFILER_SDK_DEPRECATED_MESSAGE(...) [[deprecated(__VA_ARGS__)]]
#else
#define ROCPROFILER_SDK_DEPRECATED_MESSAGE(...) ROCPROFILER_ATTRIBUTE(deprecated)
#endif
#if ROCPROFILER_SDK_DEPRECATED_WARNINGS > 0
#define ROCPROFILER_SDK_DEPRECATED(...) ROCPROFILER_SDK_DEPRECATED_MESSAGE(__VA_ARGS__)
#else
#define ROCPROFILER_SDK_DEPRECATED(...)
#endif
#define ROCPROFILER_SDK_EXPERIMENTAL_MESSAGE \
  ROCPROFILER_SDK_DEPRECATED_MESSAGE("experimental: this may change in the next version")
#if ROCPROFILER_SDK_EXPERIMENTAL_WARNINGS > 0
#define ROCPROFILER_SDK_EXPERIMENTAL ROCPROFILER_SDK_EXPERIMENTAL_MESSAGE
#else
#define ROCPROFILER_SDK_EXPERIMENTAL
#endif

/* Names from before 1.0 (deprecated/) are available unless a tool defines this as 0. */
#if !defined(ROCPROFILER_SDK_BETA_COMPAT)
#define ROCPROFILER_SDK_BETA_COMPAT 1
#endif
#if ROCPROFILER_SDK_BETA_COMPAT > 0
#define ROCPROFILER_SDK_BETA_COMPAT_SUPPORTED 1
#endif

/* The first version of the interface. */
#define ROCPROFILER_SDK_VERSION_0_0

/* One number per version: 10000 major + 100 minor + patch. */
#define ROCPROFILER_SDK_COMPUTE_VERSION_VALUE(most, major, minor, patch) \
  (((most) * (most) * (major)) + ((most) * (minor)) + (patch))
#define ROCPROFILER_SDK_COMPUTE_VERSION(major, minor, patch) \
  ROCPROFILER_SDK_COMPUTE_VERSION_VALUE(100, major, minor, patch)
