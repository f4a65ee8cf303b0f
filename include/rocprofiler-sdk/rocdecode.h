/* SPDX-License-Identifier: MIT
 * rocdecode.h: rocDecode's kinds, operations and arguments. */
#pragma once

#include <rocprofiler-sdk/rocdecode/api_args.h>
#include <rocprofiler-sdk/rocdecode/api_id.h>
#include <rocprofiler-sdk/rocdecode/api_trace.h>
#include <rocprofiler-sdk/rocdecode/table_id.h>
