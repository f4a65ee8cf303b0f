/* SPDX-License-Identifier: MIT */
/* roctx.h: annotate what your program does. The ABI of libroctx64.so.4; C99 and C++.
 *
 * Threads   any thread, any time, also before the GPU runtime is loaded and during exit
 * Blocking  never
 * Memory    messages are copied before the call returns; NULL is treated as an empty message
 * Errors    none are reported: when nothing is tracing, every call is a no-op
 * Source    the published ROCTX interface, version 4.1
 */
#ifndef ROCTRACER_ROCTX_H_
#define ROCTRACER_ROCTX_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of this interface. */
#define ROCTX_VERSION_MAJOR 4
#define ROCTX_VERSION_MINOR 1

/* Of the library. A program may use it when the major versions are equal and its minor version is not less. */
uint32_t roctx_version_major(void);
uint32_t roctx_version_minor(void);

/* Identifies a range between roctxRangeStartA and roctxRangeStop; never zero. */
typedef uint64_t roctx_range_id_t;

/* An instant. */
void roctxMarkA(const char* message);
#define roctxMark(message) roctxMarkA(message)

/* Opens a range that nests on the calling thread. Returns its zero-based depth. */
int roctxRangePushA(const char* message);
#define roctxRangePush(message) roctxRangePushA(message)

/* Closes the innermost range of the calling thread. Returns its depth, or a negative value when none is open. */
int roctxRangePop(void);

/* Opens a range that any thread may close. */
roctx_range_id_t roctxRangeStartA(const char* message);
#define roctxRangeStart(message) roctxRangeStartA(message)

/* Closes the range that roctxRangeStartA returned. */
void roctxRangeStop(roctx_range_id_t range);

#ifdef __cplusplus
}
#endif

#endif /* ROCTRACER_ROCTX_H_ */
