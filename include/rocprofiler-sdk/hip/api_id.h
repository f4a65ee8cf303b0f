/* SPDX-License-Identifier: MIT
 * api_id.h: the operations of both of HIP's kinds. */
#pragma once

#include <rocprofiler-sdk/hip/compiler_api_id.h>
#include <rocprofiler-sdk/hip/runtime_api_id.h>
