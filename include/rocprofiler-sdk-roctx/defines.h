/* SPDX-License-Identifier: MIT
 * defines.h: macros for the other headers; C99 and C++. */
#ifndef ROCPROFILER_SDK_ROCTX_DEFINES_H_
#define ROCPROFILER_SDK_ROCTX_DEFINES_H_

#define ROCTX_ATTRIBUTE(...) __attribute__((__VA_ARGS__))
#define ROCTX_PUBLIC_API ROCTX_ATTRIBUTE(visibility("default"))
#define ROCTX_HIDDEN_API ROCTX_ATTRIBUTE(visibility("hidden"))
#define ROCTX_EXPORT_DECORATOR ROCTX_PUBLIC_API
#define ROCTX_IMPORT_DECORATOR
#define ROCTX_EXPORT ROCTX_EXPORT_DECORATOR
#define ROCTX_IMPORT ROCTX_IMPORT_DECORATOR
#if !defined(ROCTX_API)
#if defined(roctx_EXPORTS)
#define ROCTX_API ROCTX_EXPORT
#else
#define ROCTX_API ROCTX_IMPORT
#endif
#endif

/* Functions return an error for null arguments, so the compiler must not assume that arguments
 * are never null. */
#define ROCTX_NONNULL(...)

#ifdef __cplusplus
#define ROCTX_EXTERN_C_INIT extern "C" {
#define ROCTX_EXTERN_C_FINI }
#else
#define ROCTX_EXTERN_C_INIT
#define ROCTX_EXTERN_C_FINI
#endif

/* The first version of the interface. */
#define ROCPROFILER_SDK_ROCTX_VERSION_0_0

#endif /* ROCPROFILER_SDK_ROCTX_DEFINES_H_ */
