/* SPDX-License-Identifier: MIT
 * rocdecode.h: what is numbered of rocDecode, and the arguments of its functions. */
#pragma once

#include <rocprofiler-sdk/rocdecode/api_args.h>
#include <rocprofiler-sdk/rocdecode/api_id.h>
#include <rocprofiler-sdk/rocdecode/api_trace.h>
#include <rocprofiler-sdk/rocdecode/table_id.h>
