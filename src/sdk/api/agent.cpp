// SPDX-License-Identifier: MIT
#include <rocprofiler-sdk/agent.h>

#include "sdk/caller_headers.h"
#include "sdk/library.h"

using rtl::sdk::Library;

extern "C" {

rocprofiler_status_t rocprofiler_query_available_agents(
    rocprofiler_agent_version_t version, rocprofiler_query_available_agents_cb_t callback,
    size_t agent_size, void* user_data) {
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  // A tool built with newer headers would expect members that this structure lacks.
  if (version != ROCPROFILER_AGENT_INFO_VERSION_0 || agent_size == 0 ||
      agent_size > sizeof(rocprofiler_agent_v0_t))
    return ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI;
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  // Noted before the callback, which may query counters at once.
  rtl::sdk::headers_of_callers.NoteAgentSize(__builtin_return_address(0), agent_size);
  rtl::sdk::Topology& topology = library->topology();
  return callback(version, topology.pointers(), topology.count(), user_data);
}

}  // extern "C"
