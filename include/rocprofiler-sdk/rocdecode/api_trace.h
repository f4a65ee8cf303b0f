/* SPDX-License-Identifier: MIT
 * api_trace.h: rocDecode's dispatch table, if its headers are installed. */
#pragma once

#if defined(__has_include)
#if __has_include(<rocdecode/amd_detail/rocdecode_api_trace.h>)
#include <rocdecode/amd_detail/rocdecode_api_trace.h>
#endif
#endif
#if !defined(ROCDECODE_RUNTIME_API_TABLE_STEP_VERSION)
#define ROCDECODE_RUNTIME_API_TABLE_STEP_VERSION 1
#endif
