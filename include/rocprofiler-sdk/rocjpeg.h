/* SPDX-License-Identifier: MIT
 * rocjpeg.h: rocJPEG's kinds, operations and arguments. */
#pragma once

#include <rocprofiler-sdk/rocjpeg/api_args.h>
#include <rocprofiler-sdk/rocjpeg/api_id.h>
#include <rocprofiler-sdk/rocjpeg/table_id.h>
