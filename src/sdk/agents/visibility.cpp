// SPDX-License-Identifier: MIT
#include "sdk/agents/visibility.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"

namespace rtl::sdk {
namespace {

// The index that a library on top assigns to the GPU with `number` below; -1: hidden.
int Through(const char* variable, int number, const rocprofiler_uuid_t& uuid) {
  const char* const list = EnvironmentValue(variable);
  if (list == nullptr || number < 0) return number;
  return PlaceInList(list, number, uuid);
}

bool IsSet(const char* variable) { return EnvironmentValue(variable) != nullptr; }

}  // namespace

int PlaceInList(const char* list, int number, const rocprofiler_uuid_t& uuid) {
  uint64_t unique;
  memcpy(&unique, uuid.bytes, sizeof unique);
  for (int place = 0; *list != '\0'; ++place) {
    while (*list == ' ') ++list;
    char* end = nullptr;
    bool hit;
    if (strncmp(list, "GPU-", 4) == 0 && isxdigit(list[4]) != 0) {
      hit = unique != 0 && strtoull(list + 4, &end, 16) == unique;
      // A GPU without a unique id is still skipped.
      if (end == nullptr) (void)strtoull(list + 4, &end, 16);
    } else if (isdigit(*list) != 0) {
      hit = strtol(list, &end, 10) == number;
    } else {
      return -1;
    }
    if (hit) return place;
    list = end + strspn(end, " ");
    if (*list == ',') ++list;
  }
  return -1;
}

rocprofiler_agent_runtime_visiblity_t VisibilityOf(const rocprofiler_agent_t& agent) {
  if (agent.type != ROCPROFILER_AGENT_TYPE_GPU) return {1, 1, 1, 1, 0};
  const int hsa = Through("ROCR_VISIBLE_DEVICES", agent.logical_node_type_id, agent.uuid);
  const char* const variable = IsSet("HIP_VISIBLE_DEVICES")    ? "HIP_VISIBLE_DEVICES"
                               : IsSet("CUDA_VISIBLE_DEVICES") ? "CUDA_VISIBLE_DEVICES"
                                                               : "GPU_DEVICE_ORDINAL";
  const uint32_t hip = Through(variable, hsa, agent.uuid) >= 0 ? 1 : 0;
  return {hsa >= 0 ? 1u : 0u, hip, hip, hip, 0};
}

}  // namespace rtl::sdk
