// SPDX-License-Identifier: MIT
// PC samples. Both functions require ROCPROFILER_PC_SAMPLING_BETA_ENABLED.
#include <rocprofiler-sdk/pc_sampling.h>

#include "sdk/library.h"

using rtl::kMostSamplingOffers;
using rtl::sdk::Library;
using rtl::sdk::PcSamples;

namespace {

#define TYPE(name) "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_" #name
#define REASON(name) "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_" #name

// Indexed by sampling method.
constexpr const char* kTypes[] = {
    TYPE(NONE),         TYPE(VALU),    TYPE(MATRIX),     TYPE(SCALAR),
    TYPE(TEX),          TYPE(LDS),     TYPE(LDS_DIRECT), TYPE(FLAT),
    TYPE(EXPORT),       TYPE(MESSAGE), TYPE(BARRIER),    TYPE(BRANCH_NOT_TAKEN),
    TYPE(BRANCH_TAKEN), TYPE(JUMP),    TYPE(OTHER),      TYPE(NO_INST),
    TYPE(DUAL_VALU),
};
static_assert(sizeof kTypes / sizeof(char*) == ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_LAST);

constexpr const char* kReasons[] = {
    REASON(NONE),
    REASON(NO_INSTRUCTION_AVAILABLE),
    REASON(ALU_DEPENDENCY),
    REASON(WAITCNT),
    REASON(INTERNAL_INSTRUCTION),
    REASON(BARRIER_WAIT),
    REASON(ARBITER_NOT_WIN),
    REASON(ARBITER_WIN_EX_STALL),
    REASON(OTHER_WAIT),
    REASON(SLEEP_WAIT),
};
static_assert(sizeof kReasons / sizeof(char*) ==
              ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_LAST);

template <uint32_t kCount>
const char* NameOf(const char* const (&names)[kCount], uint32_t number) {
  return number < kCount ? names[number] : nullptr;
}

}  // namespace

extern "C" {

rocprofiler_status_t rocprofiler_configure_pc_sampling_service(
    rocprofiler_context_id_t context_id, rocprofiler_agent_id_t agent_id,
    rocprofiler_pc_sampling_method_t method, rocprofiler_pc_sampling_unit_t unit, uint64_t interval,
    rocprofiler_buffer_id_t buffer_id, int) {
  if (!PcSamples::Enabled()) return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR;
  return library->services().ConfigureSampling(context_id, Library::AgentOf(agent_id), method, unit,
                                               interval, buffer_id);
}

rocprofiler_status_t rocprofiler_query_pc_sampling_agent_configurations(
    rocprofiler_agent_id_t agent_id, rocprofiler_available_pc_sampling_configurations_cb_t cb,
    void* user_data) {
  if (!PcSamples::Enabled()) return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
  if (cb == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const rocprofiler_agent_t* const agent = Library::AgentOf(agent_id);
  if (agent == nullptr) return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
  rocprofiler_pc_sampling_configuration_t offered[kMostSamplingOffers] = {};
  uint32_t count = 0;
  const rocprofiler_status_t status = PcSamples::Query(*agent, offered, &count);
  return status == ROCPROFILER_STATUS_SUCCESS ? cb(offered, count, user_data) : status;
}

const char* rocprofiler_get_pc_sampling_instruction_type_name(
    rocprofiler_pc_sampling_instruction_type_t instruction_type) {
  return NameOf(kTypes, static_cast<uint32_t>(instruction_type));
}

const char* rocprofiler_get_pc_sampling_instruction_not_issued_reason_name(
    rocprofiler_pc_sampling_instruction_not_issued_reason_t not_issued_reason) {
  return NameOf(kReasons, static_cast<uint32_t>(not_issued_reason));
}

}  // extern "C"
