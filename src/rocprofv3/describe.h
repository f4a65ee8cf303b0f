// SPDX-License-Identifier: MIT
// describe.h: rocprofv3's options as data (cli/describe.h).
#pragma once

#include "cli/describe.h"

namespace rtl::v3 {

// The supported options.
cli::ProgramText DescribeRocprofv3();

}  // namespace rtl::v3
