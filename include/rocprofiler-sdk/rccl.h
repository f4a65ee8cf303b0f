/* SPDX-License-Identifier: MIT
 * rccl.h: what is numbered of RCCL, and the arguments of its functions. */
#pragma once

#include <rocprofiler-sdk/rccl/api_args.h>
#include <rocprofiler-sdk/rccl/api_id.h>
#include <rocprofiler-sdk/rccl/table_id.h>
