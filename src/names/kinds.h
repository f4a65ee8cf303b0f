// SPDX-License-Identifier: MIT
// kinds.h: the names that rocprofiler-sdk uses for kinds of events and their operations. The names
// are literals.
#pragma once

#include <stdint.h>

namespace rtl::names {

enum class Service : uint8_t { kCallback, kBuffer };

int32_t KindCount(Service service);
// Both return null if there is no such kind or operation.
const char* KindName(Service service, uint32_t kind);
const char* OperationName(Service service, uint32_t kind, int32_t operation);
// The number of operations: without `none` for the kinds of an API, with `none` for all others.
// Zero for kinds whose operations have no names here.
int32_t OperationCount(Service service, uint32_t kind);

}  // namespace rtl::names
