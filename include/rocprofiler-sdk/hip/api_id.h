/* SPDX-License-Identifier: MIT
 * api_id.h: the operations of both HIP kinds. */
#pragma once

#include <rocprofiler-sdk/hip/compiler_api_id.h>
#include <rocprofiler-sdk/hip/runtime_api_id.h>
