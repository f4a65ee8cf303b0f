/* SPDX-License-Identifier: MIT
 * sample_tool.h: the common parts of the tools in this folder: one context, one buffer, a file for
 * the lines, and a check of the library's results. */
#ifndef SAMPLE_TOOL_H
#define SAMPLE_TOOL_H

#include <inttypes.h>
#include <pthread.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdio.h>
#include <stdlib.h>

static const char* tool_name;
static rocprofiler_context_id_t context;
static rocprofiler_buffer_id_t buffer;
static FILE* output;
__attribute__((unused)) static pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t dropped; /* records that the buffer had no room for */

static inline int Check(rocprofiler_status_t status, const char* what) {
  if (status == ROCPROFILER_STATUS_SUCCESS) return 0;
  fprintf(stderr, "%s: %s: %s\n", tool_name, what, rocprofiler_get_status_string(status));
  return -1;
}

static inline int CreateContext(void) {
  return Check(rocprofiler_create_context(&context), "context");
}

/* The buffer delivers its records when it is half full, and at the end. */
static inline int CreateBuffer(size_t bytes, rocprofiler_buffer_tracing_cb_t on_records) {
  return Check(
      rocprofiler_create_buffer(context, bytes, bytes / 2, ROCPROFILER_BUFFER_POLICY_LOSSLESS,
                                on_records, NULL, &buffer),
      "buffer");
}

static inline int StartContext(void) { return Check(rocprofiler_start_context(context), "start"); }

static inline void FlushBuffer(void) { (void)Check(rocprofiler_flush_buffer(buffer), "flush"); }

static inline void CloseOutput(void) {
  if (output != stderr) fclose(output);
}

/* For tools that print the number of dropped records in their last line. */
static inline void FinishBuffer(void* data) {
  (void)data;
  FlushBuffer();
  fprintf(output, "dropped %" PRIu64 "\n", dropped);
  CloseOutput();
}

/* The result of rocprofiler_configure. Lines go to the file that the environment variable names,
 * otherwise to stderr. Null if the file cannot be opened: the tool is not used then. */
static inline rocprofiler_tool_configure_result_t* ConfigureTool(
    rocprofiler_client_id_t* client, const char* name, const char* file_variable,
    rocprofiler_tool_initialize_t initialize, rocprofiler_tool_finalize_t finalize) {
  static rocprofiler_tool_configure_result_t result;
  const char* const path = getenv(file_variable);
  client->name = tool_name = name;
  output = path == NULL ? stderr : fopen(path, "w");
  if (output == NULL) perror(path);
  result = (rocprofiler_tool_configure_result_t){sizeof result, initialize, finalize, NULL};
  return output == NULL ? NULL : &result;
}

#endif
