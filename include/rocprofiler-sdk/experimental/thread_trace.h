/* SPDX-License-Identifier: MIT
 * experimental/thread_trace.h: all of thread trace. Not built: docs/reference/sdk-status.md. */
#pragma once

#include <rocprofiler-sdk/experimental/thread-trace/agent.h>
#include <rocprofiler-sdk/experimental/thread-trace/core.h>
#include <rocprofiler-sdk/experimental/thread-trace/dispatch.h>
#include <rocprofiler-sdk/experimental/thread-trace/trace_decoder.h>
