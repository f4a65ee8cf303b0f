// SPDX-License-Identifier: MIT
#include "sdk/hsa/hsa_functions.h"

#include <hsa/hsa_ext_finalize.h>

#include "capture/hsa/hsa_slots.h"

namespace rtl::sdk {
namespace {

using Format = ApiArgument::Format;
using capture::HsaTable;

static_assert(ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API == 1 &&
              ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API == 4 &&
              ROCPROFILER_BUFFER_TRACING_HSA_CORE_API == 1 &&
              ROCPROFILER_BUFFER_TRACING_HSA_FINALIZE_EXT_API == 4);
constexpr uint16_t KindOf(HsaTable table) { return static_cast<uint16_t>(table) + 1; }

#define HSA_FUNCTION(table, operation, old_slot, name, result, types, arguments) \
  constexpr ApiArgument kArgumentsOf_##name[] = {HSA_LIST arguments};
#define HSA_LIST(...) \
  __VA_ARGS__ __VA_OPT__(, ) ApiArgument {}  // so that no array is empty
#include "names/hsa_functions.inc"
#undef HSA_FUNCTION

}  // namespace

const LibraryFunction kHsaFunctions[] = {
#define HSA_FUNCTION(table, operation, old_slot, name, result, types, arguments) \
  {#name,                                                                        \
   {KindOf(HsaTable::table), KindOf(HsaTable::table), operation},                \
   {kArgumentsOf_##name, sizeof kArgumentsOf_##name / sizeof(ApiArgument) - 1}},
#include "names/hsa_functions.inc"
#undef HSA_FUNCTION
};
const uint32_t kHsaFunctionCount = sizeof kHsaFunctions / sizeof(LibraryFunction);

LibraryFunctions HsaFunctionsOf(uint32_t kind) {
  return FunctionsOfKind(kHsaFunctions, kHsaFunctionCount, kind);
}

}  // namespace rtl::sdk
