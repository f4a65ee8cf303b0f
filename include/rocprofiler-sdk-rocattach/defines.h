/* SPDX-License-Identifier: MIT
 * defines.h: macros for the other headers; C99 and C++. */
#ifndef ROCPROFILER_SDK_ROCATTACH_DEFINES_H_
#define ROCPROFILER_SDK_ROCATTACH_DEFINES_H_

#define ROCATTACH_ATTRIBUTE(...) __attribute__((__VA_ARGS__))
#define ROCATTACH_PUBLIC_API ROCATTACH_ATTRIBUTE(visibility("default"))
#define ROCATTACH_HIDDEN_API ROCATTACH_ATTRIBUTE(visibility("hidden"))
#if !defined(ROCATTACH_API)
#if defined(rocattach_EXPORTS)
#define ROCATTACH_API ROCATTACH_PUBLIC_API
#else
#define ROCATTACH_API
#endif
#endif

/* Functions return a status for null arguments, so the compiler must not assume that arguments
 * are never null. */
#define ROCATTACH_NONNULL(...)

#ifdef __cplusplus
#define ROCATTACH_EXTERN_C_INIT extern "C" {
#define ROCATTACH_EXTERN_C_FINI }
#else
#define ROCATTACH_EXTERN_C_INIT
#define ROCATTACH_EXTERN_C_FINI
#endif

#endif /* ROCPROFILER_SDK_ROCATTACH_DEFINES_H_ */
