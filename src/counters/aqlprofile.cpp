// SPDX-License-Identifier: MIT
#include "counters/aqlprofile.h"

#include <dlfcn.h>
#include <string.h>

namespace rtl::counters {
namespace {

template <typename Function>
bool Find(void* library, const char* name, Function* out, const char** missing) {
  *out = reinterpret_cast<Function>(dlsym(library, name));
  if (*out == nullptr && *missing == nullptr) *missing = name;
  return *out != nullptr;
}

}  // namespace

Status AqlProfile::Open(const char* file) {
  if (open_) return Status::Ok();
  const char* const name = file == nullptr || file[0] == '\0' ? kLibrary : file;
  void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();  // the message begins with the file's name
    if (why == nullptr) why = "the loader gives no reason";
    const size_t length = strlen(name);
    if (strncmp(why, name, length) == 0 && strncmp(why + length, ": ", 2) == 0) why += length + 2;
    return Status::Error("%s cannot be opened: %s", name, why);
  }
  const char* missing = nullptr;
  // Looks up all functions, although one that is missing decides: the error names the first one
  // missing.
  bool all = Find(library, "aqlprofile_register_agent_info", &register_agent_, &missing);
  all &= Find(library, "aqlprofile_get_pmc_info", &get_info_, &missing);
  all &= Find(library, "aqlprofile_validate_pmc_event", &validate_, &missing);
  all &= Find(library, "aqlprofile_pmc_create_packets", &create_packets_, &missing);
  all &= Find(library, "aqlprofile_pmc_delete_packets", &delete_packets_, &missing);
  all &= Find(library, "aqlprofile_pmc_iterate_data", &iterate_data_, &missing);
  all &= Find(library, "aqlprofile_iterate_event_coord", &iterate_coordinates_, &missing);
  if (!all) return Status::Error("%s has no %s: it is older than ROCm 6.3", name, missing);
  open_ = true;
  return Status::Ok();
}

bool AqlProfile::Register(const CounterAgentInfo& info, Agent* agent) const {
  const AgentInfoV0 told = {info.name, info.xcc, info.engines, info.compute_units,
                            info.arrays_per_engine};
  return register_agent_(agent, &told, kAgentVersion0) == HSA_STATUS_SUCCESS;
}

bool AqlProfile::FindBlock(Agent agent, const char* name, Block* block) const {
  const Profile profile = {agent, nullptr, 0};
  IdQuery query = {name, 0, 0};
  if (get_info_(&profile, kInfoBlockId, &query) != HSA_STATUS_SUCCESS) return false;
  *block = {query.id, query.instances};
  return query.instances != 0;
}

uint32_t AqlProfile::CountersOf(Agent agent, const Event& event) const {
  const Profile profile = {agent, &event, 1};
  uint32_t counters = 0;
  return get_info_(&profile, kInfoBlockCounters, &counters) == HSA_STATUS_SUCCESS ? counters : 0;
}

bool AqlProfile::IsValid(Agent agent, const Event& event) const {
  bool valid = false;
  return validate_(agent, &event, &valid) == HSA_STATUS_SUCCESS && valid;
}

AqlProfile::Fit AqlProfile::Fits(Agent agent, const CounterSet& set) const {
  for (uint32_t i = 0; i < set.count; ++i) {
    Block block;
    if (!FindBlock(agent, set.events[i].block, &block)) return {Fit::kNoBlock, i, 0, 0};
    uint32_t wanted = 0;
    for (uint32_t j = 0; j <= i; ++j) {
      if (strcmp(set.events[i].block, set.events[j].block) == 0) ++wanted;
    }
    const Event event = {0, set.events[i].event, 0, block.id};
    if (!IsValid(agent, event)) return {Fit::kNoEvent, i, wanted, 0};
    const uint32_t room = CountersOf(agent, event);
    if (room != 0 && wanted > room) return {Fit::kTooMany, i, wanted, room};
  }
  return {};
}

bool AqlProfile::MakePackets(Agent agent, const Event* events, uint32_t count, const Memory& memory,
                             Handle* handle, Packets* packets) const {
  *packets = {};
  return create_packets_(handle, packets, {agent, events, count}, memory.allocate, memory.free,
                         memory.copy, memory.data) == HSA_STATUS_SUCCESS;
}

bool AqlProfile::EachValue(Handle handle, ValueCallback callback, void* data) const {
  return iterate_data_(handle, callback, data) == HSA_STATUS_SUCCESS;
}

bool AqlProfile::EachCoordinate(Agent agent, const Event& event, uint64_t sample,
                                CoordinateCallback callback, void* data) const {
  return iterate_coordinates_(agent, event, sample, callback, data) == HSA_STATUS_SUCCESS;
}

}  // namespace rtl::counters
