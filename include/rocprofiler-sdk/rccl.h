/* SPDX-License-Identifier: MIT
 * rccl.h: RCCL's kinds, operations and arguments. */
#pragma once

#include <rocprofiler-sdk/rccl/api_args.h>
#include <rocprofiler-sdk/rccl/api_id.h>
#include <rocprofiler-sdk/rccl/table_id.h>
