// SPDX-License-Identifier: MIT
// describe.h: rocprofv3's options as data (cli/base/describe.h).
#pragma once

#include "cli/base/describe.h"

namespace rtl::v3 {

// The supported options.
cli::ProgramText DescribeRocprofv3();

}  // namespace rtl::v3
