// SPDX-License-Identifier: MIT
// config_text.h: writes the options of a run as JSON, under the keys of AMD's configuration and
// under the keys of the options that were given.
//
// Threads    one
#pragma once

#include <string>

#include "rocprofv3/request.h"
#include "rocprofv3/settings.h"

namespace rtl::v3 {

std::string ConfigText(const Settings& settings, const Request& request);

}  // namespace rtl::v3
