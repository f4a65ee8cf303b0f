/* SPDX-License-Identifier: MIT
 * A tool that another thread finalizes while one thread is inside its callback. It reports whether
 * the callback had returned by then, and whether another one came afterwards. With
 * FINALIZE_INSIDE=1 the callback itself requests the finalization. */
#include <pthread.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kInsideUs = 300000 };

static rocprofiler_context_id_t context;
static rocprofiler_client_finalize_t finalize_me;
static rocprofiler_client_id_t me;
static atomic_int calls, inside, finalized;

static void* FinalizeIt(void* data) {
  finalize_me(me);
  return data;
}

static void OnMark(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                   void* data) {
  pthread_t thread;
  (void)user_data, (void)data;
  if (finalized) fprintf(stderr, "called after the end\n");
  if (record.phase != ROCPROFILER_CALLBACK_PHASE_ENTER || ++calls != 1) return;
  inside = 1;
  if (getenv("FINALIZE_INSIDE") != NULL) {
    inside = 0;
    finalize_me(me);
    return;
  }
  if (pthread_create(&thread, NULL, FinalizeIt, NULL) != 0) abort();
  pthread_detach(thread);
  usleep(kInsideUs);
  inside = 0;
}

static int Initialize(rocprofiler_client_finalize_t finalize, void* data) {
  (void)data;
  finalize_me = finalize;
  return rocprofiler_create_context(&context) != ROCPROFILER_STATUS_SUCCESS ||
         rocprofiler_configure_callback_tracing_service(
             context, ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API, NULL, 0, OnMark, NULL) !=
             ROCPROFILER_STATUS_SUCCESS ||
         rocprofiler_start_context(context) != ROCPROFILER_STATUS_SUCCESS;
}

static void Finalize(void* data) {
  (void)data;
  fprintf(stderr, "finalized, %d inside\n", inside);
  finalized = 1;
}

ROCPROFILER_PUBLIC_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* runtime_version, uint32_t priority,
    rocprofiler_client_id_t* client) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize, NULL};
  (void)version, (void)runtime_version, (void)priority;
  client->name = "finalize_tool";
  memcpy(&me, client, sizeof me); /* its members are constant */
  return &result;
}
