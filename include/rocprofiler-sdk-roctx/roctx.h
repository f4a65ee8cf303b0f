/* SPDX-License-Identifier: MIT */
/* roctx.h: annotate what your program does, name its resources, and pause tracing. The ABI of
 * librocprofiler-sdk-roctx.so.1; C99 and C++.
 *
 * Threads   any thread, any time, also before the GPU runtime is loaded and during exit
 * Blocking  never
 * Memory    texts are copied before the call returns
 * Errors    0: done, or nothing is tracing. Not 0: a null pointer, or no room in the trace
 * Source    the published ROCTX interface of rocprofiler-sdk 1.0
 */
#ifndef ROCPROFILER_SDK_ROCTX_ROCTX_H_
#define ROCPROFILER_SDK_ROCTX_ROCTX_H_

#include <rocprofiler-sdk-roctx/defines.h>
#include <rocprofiler-sdk-roctx/types.h>
#include <rocprofiler-sdk-roctx/version.h>

#ifdef __cplusplus
extern "C" {
#endif

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

int roctxGetThreadId(roctx_thread_id_t* thread);

/* Pauses tracing of the thread. Requests are not counted: one Resume ends any number of pauses. */
int roctxProfilerPause(roctx_thread_id_t thread);
int roctxProfilerResume(roctx_thread_id_t thread);

/* Names the calling thread, an agent, a device (by HIP's number) or a stream in the trace. */
int roctxNameOsThread(const char* name);
int roctxNameHsaAgent(const char* name, const struct hsa_agent_s* agent);
int roctxNameHipDevice(const char* name, int device);
int roctxNameHipStream(const char* name, const struct ihipStream_t* stream);

#ifdef __cplusplus
}
#endif

#endif /* ROCPROFILER_SDK_ROCTX_ROCTX_H_ */
