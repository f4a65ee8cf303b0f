/* SPDX-License-Identifier: MIT
 * hip.h: HIP functions as operations. */
#pragma once

#include <rocprofiler-sdk/hip/api_args.h>
#include <rocprofiler-sdk/hip/api_id.h>
#include <rocprofiler-sdk/hip/table_id.h>
