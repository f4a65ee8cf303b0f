// SPDX-License-Identifier: MIT
// status_text.h: names and sentences of the statuses. Literals; null for an unknown number.
#pragma once

#include <rocprofiler-sdk/fwd.h>

namespace rtl::sdk {

const char* StatusName(rocprofiler_status_t status);
const char* StatusSentence(rocprofiler_status_t status);

}  // namespace rtl::sdk
