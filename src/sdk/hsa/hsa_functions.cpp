// SPDX-License-Identifier: MIT
#include "sdk/hsa/hsa_functions.h"

#include <hsa/hsa_ext_finalize.h>

namespace rtl::sdk {
namespace {

using Format = ApiArgument::Format;
using capture::HsaTable;

#define HSA_FUNCTION(table, operation, old_slot, name, result, types, arguments) \
  constexpr ApiArgument kArgumentsOf_##name[] = {HSA_LIST arguments};
#define HSA_LIST(...) \
  __VA_ARGS__ __VA_OPT__(, ) ApiArgument {}  // so that no array is empty
#include "names/hsa_functions.inc"
#undef HSA_FUNCTION

uint32_t Count(HsaTable table) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < kHsaFunctionCount; ++i) count += kHsaFunctions[i].table == table;
  return count;
}

}  // namespace

const HsaFunction kHsaFunctions[] = {
#define HSA_FUNCTION(table, operation, old_slot, name, result, types, arguments) \
  {HsaTable::table,                                                              \
   #name,                                                                        \
   {kArgumentsOf_##name, sizeof kArgumentsOf_##name / sizeof(ApiArgument) - 1}},
#include "names/hsa_functions.inc"
#undef HSA_FUNCTION
};
const uint32_t kHsaFunctionCount = sizeof kHsaFunctions / sizeof(HsaFunction);

HsaFunctions HsaFunctionsOf(uint32_t kind) {
  static_assert(ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API == 1 &&
                ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API == 4 &&
                ROCPROFILER_BUFFER_TRACING_HSA_CORE_API == 1 &&
                ROCPROFILER_BUFFER_TRACING_HSA_FINALIZE_EXT_API == 4);
  if (kind < ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API ||
      kind > ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API)
    return {};
  uint32_t first = 0;
  for (uint32_t i = 1; i < kind; ++i) first += Count(static_cast<HsaTable>(i - 1));
  return {&kHsaFunctions[first], static_cast<int32_t>(Count(static_cast<HsaTable>(kind - 1)))};
}

rocprofiler_status_t TellHsaArguments(const rocprofiler_callback_tracing_record_t& record,
                                      rocprofiler_callback_tracing_operation_args_cb_t callback,
                                      int32_t most_dereferences, void* data) {
  const HsaFunctions all = HsaFunctionsOf(static_cast<uint32_t>(record.kind));
  if (record.payload == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (record.operation < 0 || record.operation >= all.count)
    return ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND;
  const HsaFunction& function = all.first[record.operation];
  const auto* const payload =
      static_cast<const rocprofiler_callback_tracing_hsa_api_data_t*>(record.payload);
  TellArguments(record, function.arguments, &payload->args, most_dereferences > 0, callback, data);
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace rtl::sdk
