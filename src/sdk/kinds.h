// SPDX-License-Identifier: MIT
// kinds.h: which kinds are produced, and answers with the names of kinds and operations.
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

// SUCCESS when the kind's operations have names here.
rocprofiler_status_t OperationsOf(Service service, uint32_t kind);

// Stores the text, or null and returns the status; both pointers may be null.
rocprofiler_status_t AnswerName(const char* text, rocprofiler_status_t otherwise, const char** name,
                                uint64_t* length);

}  // namespace rtl::sdk
