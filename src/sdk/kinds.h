// SPDX-License-Identifier: MIT
// kinds.h: which kinds of event this library produces, and the names of kinds and operations.
#pragma once

#include <rocprofiler-sdk/fwd.h>

#include "names/kinds.h"

namespace rtl::sdk {

using names::KindCount;
using names::KindName;
using names::OperationCount;
using names::OperationName;
using names::Service;

// False: tools can subscribe to the kind, but no event of it is ever produced.
bool IsProduced(Service service, uint32_t kind);

// SUCCESS if the names of the kind's operations are known here.
rocprofiler_status_t OperationsOf(Service service, uint32_t kind);

// Stores the text and its length and returns SUCCESS. If `text` is null, returns `otherwise`. Both
// pointers may be null.
rocprofiler_status_t AnswerName(const char* text, rocprofiler_status_t otherwise, const char** name,
                                uint64_t* length);

}  // namespace rtl::sdk
