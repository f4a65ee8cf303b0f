/* SPDX-License-Identifier: MIT
 * rocjpeg.h: what is numbered of rocJPEG, and the arguments of its functions. */
#pragma once

#include <rocprofiler-sdk/rocjpeg/api_args.h>
#include <rocprofiler-sdk/rocjpeg/api_id.h>
#include <rocprofiler-sdk/rocjpeg/table_id.h>
