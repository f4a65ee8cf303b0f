// SPDX-License-Identifier: MIT
// kinds.h: the names of kinds and operations, and which kinds are produced. Names are literals.
#pragma once

#include <rocprofiler-sdk/fwd.h>

namespace rtl::sdk {

enum class Service : uint8_t { kCallback, kBuffer };

int32_t KindCount(Service service);
// Null when there is no such kind or operation.
const char* KindName(Service service, uint32_t kind);
const char* OperationName(Service service, uint32_t kind, int32_t operation);
// The number of operations: without `none` for the kinds of an API, with it for the others. Zero
// for kinds whose operations have no names here.
int32_t OperationCount(Service service, uint32_t kind);

// False: tools can subscribe to the kind, but no event of it is ever produced.
bool IsProduced(Service service, uint32_t kind);

// SUCCESS when the kind's operations have names here.
rocprofiler_status_t OperationsOf(Service service, uint32_t kind);

// Stores the text, or null and returns the status; both pointers may be null.
rocprofiler_status_t AnswerName(const char* text, rocprofiler_status_t otherwise, const char** name,
                                uint64_t* length);

}  // namespace rtl::sdk
