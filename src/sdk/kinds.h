// SPDX-License-Identifier: MIT
// kinds.h: names of the kinds and operations, and which of them are produced. Names are literals.
#pragma once

#include <rocprofiler-sdk/fwd.h>

namespace rtl::sdk {

enum class Service : uint8_t { kCallback, kBuffer };

int32_t KindCount(Service service);
// Null when there is no such kind, or operation.
const char* KindName(Service service, uint32_t kind);
const char* OperationName(Service service, uint32_t kind, int32_t operation);
// Without none for the kinds of an API, with it for the others; zero for kinds whose operations
// have no names here.
int32_t OperationCount(Service service, uint32_t kind);

// False: the service can be asked for, and no event of it ever comes.
bool IsProduced(Service service, uint32_t kind);

// SUCCESS when its operations have names here.
rocprofiler_status_t OperationsOf(Service service, uint32_t kind);

// Hands out the text, or null with the status; both pointers may be null.
rocprofiler_status_t AnswerName(const char* text, rocprofiler_status_t otherwise, const char** name,
                                uint64_t* length);

}  // namespace rtl::sdk
