/* SPDX-License-Identifier: MIT
 * marker.h: ROCTx functions as operations. */
#pragma once

#include <rocprofiler-sdk/marker/api_args.h>
#include <rocprofiler-sdk/marker/api_id.h>
#include <rocprofiler-sdk/marker/table_id.h>
