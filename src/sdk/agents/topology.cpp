// SPDX-License-Identifier: MIT
#include "sdk/agents/topology.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/files_apart.h"
#include "base/unique_fd.h"
#include "sdk/contexts/ids.h"

namespace rtl::sdk {
namespace {

// Reads a small file of "name value" lines.
class Properties {
 public:
  bool Read(const char* path) {
    size_t used = 0;
    bool found = false;
    FilesApart([&] {
      const UniqueFd file(open(path, O_RDONLY | O_CLOEXEC));
      found = file.valid();
      while (found && used < sizeof text_ - 1) {
        const ssize_t got = read(file.get(), text_ + used, sizeof text_ - 1 - used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        used += static_cast<size_t>(got);
      }
    });
    text_[used] = '\0';
    return found;
  }
  const char* text() const { return text_; }

  uint64_t Number(const char* name) const {
    const size_t length = strlen(name);
    for (const char* line = text_; line != nullptr; line = NextLine(line)) {
      if (strncmp(line, name, length) == 0 && line[length] == ' ')
        return strtoull(line + length + 1, nullptr, 10);
    }
    return 0;
  }
  uint32_t Small(const char* name) const { return static_cast<uint32_t>(Number(name)); }

 private:
  static const char* NextLine(const char* line) {
    const char* const end = strchr(line, '\n');
    return end == nullptr ? nullptr : end + 1;
  }
  char text_[8192] = {};
};

// Returns a copy of the text's first line, which is never freed.
const char* Keep(const char* text) {
  char* const copy = strndup(text, strcspn(text, "\n"));
  return copy == nullptr ? "" : copy;
}

// Allocates an array of parts and fills each part from its file; null if there are none.
template <typename T, typename F>
const T* ReadParts(const char* folder, const char* kind, uint32_t* count, F fill) {
  if (*count == 0) return nullptr;
  T* const parts = static_cast<T*>(calloc(*count, sizeof(T)));
  if (parts == nullptr) *count = 0;
  for (uint32_t i = 0; i < *count; ++i) {
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s/%u/properties", folder, kind, i);
    Properties file;
    if (file.Read(path)) fill(file, &parts[i]);
  }
  return parts;
}

void FillBank(const Properties& file, rocprofiler_agent_mem_bank_t* bank) {
  bank->heap_type = static_cast<HSA_HEAPTYPE>(file.Small("heap_type"));
  bank->flags.MemoryProperty = file.Small("flags");
  bank->width = file.Small("width");
  bank->mem_clk_max = file.Small("mem_clk_max");
  bank->size_in_bytes = file.Number("size_in_bytes");
}

void FillCache(const Properties& file, rocprofiler_agent_cache_t* cache) {
  cache->processor_id_low = file.Number("processor_id_low");
  cache->size = file.Number("size");
  cache->level = file.Small("level");
  cache->cache_line_size = file.Small("cache_line_size");
  cache->cache_lines_per_tag = file.Small("cache_lines_per_tag");
  cache->association = file.Small("association");
  cache->latency = file.Small("latency");
  cache->type.Value = file.Small("type");
}

void FillLink(const Properties& file, rocprofiler_agent_io_link_t* link) {
  link->type = static_cast<HSA_IOLINKTYPE>(file.Small("type"));
  link->version_major = file.Small("version_major");
  link->version_minor = file.Small("version_minor");
  link->node_from = file.Small("node_from");
  link->node_to = file.Small("node_to");
  link->weight = file.Small("weight");
  link->min_latency = file.Small("min_latency");
  link->max_latency = file.Small("max_latency");
  link->min_bandwidth = file.Small("min_bandwidth");
  link->max_bandwidth = file.Small("max_bandwidth");
  link->recommended_transfer_size = file.Small("recommended_transfer_size");
  link->flags.LinkProperty = file.Small("flags");
}

void FillNumbers(const Properties& file, rocprofiler_agent_t* agent) {
#define RTL_PROPERTY(name) agent->name = static_cast<decltype(agent->name)>(file.Number(#name))
  RTL_PROPERTY(cpu_cores_count);
  RTL_PROPERTY(simd_count);
  RTL_PROPERTY(mem_banks_count);
  RTL_PROPERTY(caches_count);
  RTL_PROPERTY(io_links_count);
  RTL_PROPERTY(cpu_core_id_base);
  RTL_PROPERTY(simd_id_base);
  RTL_PROPERTY(max_waves_per_simd);
  RTL_PROPERTY(lds_size_in_kb);
  RTL_PROPERTY(gds_size_in_kb);
  RTL_PROPERTY(num_gws);
  RTL_PROPERTY(wave_front_size);
  RTL_PROPERTY(num_xcc);
  RTL_PROPERTY(array_count);
  RTL_PROPERTY(simd_arrays_per_engine);
  RTL_PROPERTY(cu_per_simd_array);
  RTL_PROPERTY(simd_per_cu);
  RTL_PROPERTY(max_slots_scratch_cu);
  RTL_PROPERTY(gfx_target_version);
  RTL_PROPERTY(vendor_id);
  RTL_PROPERTY(device_id);
  RTL_PROPERTY(location_id);
  RTL_PROPERTY(domain);
  RTL_PROPERTY(drm_render_minor);
  RTL_PROPERTY(hive_id);
  RTL_PROPERTY(num_sdma_engines);
  RTL_PROPERTY(num_sdma_xgmi_engines);
  RTL_PROPERTY(num_sdma_queues_per_engine);
  RTL_PROPERTY(num_cp_queues);
  RTL_PROPERTY(max_engine_clk_ccompute);
  RTL_PROPERTY(max_engine_clk_fcompute);
  RTL_PROPERTY(local_mem_size);
#undef RTL_PROPERTY
  agent->fw_version.Value = file.Small("fw_version");
  agent->sdma_fw_version.Value = file.Small("sdma_fw_version");
  agent->capability.Value = file.Small("capability");
}

void FillGpu(const Properties& file, rocprofiler_agent_t* agent) {
  agent->type = ROCPROFILER_AGENT_TYPE_GPU;
  char name[32];
  snprintf(name, sizeof name, "gfx%u%u%x", agent->gfx_target_version / 10000,
           agent->gfx_target_version / 100 % 100, agent->gfx_target_version % 100);
  agent->name = Keep(name);
  agent->product_name = agent->model_name;
  agent->vendor_name = "AMD";
  if (agent->simd_per_cu != 0) agent->cu_count = agent->simd_count / agent->simd_per_cu;
  if (agent->simd_arrays_per_engine != 0)
    agent->num_shader_banks = agent->array_count / agent->simd_arrays_per_engine;
  if (agent->num_shader_banks != 0)
    agent->cu_per_engine = agent->cu_count / agent->num_shader_banks;
  if (agent->num_xcc == 0) agent->num_xcc = 1;
  agent->max_waves_per_cu = agent->simd_per_cu * agent->max_waves_per_simd;
  // HSA reports the same value for every GPU.
  agent->workgroup_max_size = 1024;
  agent->workgroup_max_dim = {1024, 1024, 1024};
  agent->grid_max_size = UINT32_MAX;
  agent->grid_max_dim = {INT32_MAX, UINT16_MAX, UINT16_MAX};
  const uint64_t unique = file.Number("unique_id");
  memcpy(agent->uuid.bytes, &unique, sizeof unique);
}

void FillCpu(rocprofiler_agent_t* agent) {
  agent->type = ROCPROFILER_AGENT_TYPE_CPU;
  agent->vendor_name = "CPU";
  agent->name = agent->product_name = "CPU";
  Properties info;
  if (!info.Read("/proc/cpuinfo")) return;
  const char* const model = strstr(info.text(), "model name");
  const char* const colon = model == nullptr ? nullptr : strchr(model, ':');
  if (colon != nullptr && colon[1] == ' ') agent->name = agent->product_name = Keep(colon + 2);
}

}  // namespace

bool Topology::ReadNode(const char* root, uint32_t node, rocprofiler_agent_t* agent) {
  char folder[PATH_MAX], path[PATH_MAX + 32];
  snprintf(folder, sizeof folder, "%s/%u", root, node);
  snprintf(path, sizeof path, "%s/properties", folder);
  Properties file, name;
  if (!file.Read(path)) return false;
  agent->size = sizeof *agent;
  agent->node_id = node;
  FillNumbers(file, agent);
  snprintf(path, sizeof path, "%s/name", folder);
  agent->model_name = name.Read(path) ? Keep(name.text()) : "";
  snprintf(path, sizeof path, "%s/gpu_id", folder);
  if (name.Read(path)) agent->gpu_id = strtoull(name.text(), nullptr, 10);
  if (agent->simd_count != 0) {
    FillGpu(file, agent);
  } else if (agent->cpu_cores_count != 0) {
    FillCpu(agent);
  }
  agent->mem_banks = ReadParts<rocprofiler_agent_mem_bank_t>(folder, "mem_banks",
                                                             &agent->mem_banks_count, FillBank);
  agent->caches =
      ReadParts<rocprofiler_agent_cache_t>(folder, "caches", &agent->caches_count, FillCache);
  agent->io_links =
      ReadParts<rocprofiler_agent_io_link_t>(folder, "io_links", &agent->io_links_count, FillLink);
  return true;
}

void Topology::Add(rocprofiler_agent_t agent) {
  agent.logical_node_id = static_cast<int32_t>(count_);
  for (const rocprofiler_agent_t& other : *this) {
    if (other.type == agent.type) ++agent.logical_node_type_id;
  }
  agent.id.handle = MakeHandle(HandleKind::kAgent, count_);
  agent.runtime_visibility = VisibilityOf(agent);
  agents_[count_] = agent;
  pointers_[count_] = &agents_[count_];
  ++count_;
}

void Topology::AddProcessorAlone() {
  rocprofiler_agent_t agent = {};
  agent.size = sizeof agent;
  agent.cpu_cores_count = static_cast<uint32_t>(sysconf(_SC_NPROCESSORS_ONLN));
  agent.model_name = "";
  FillCpu(&agent);
  Add(agent);
}

void Topology::Load(const char* root) {
  for (uint32_t node = 0; count_ < kMost; ++node) {
    rocprofiler_agent_t agent = {};
    if (!ReadNode(root, node, &agent)) break;
    if (agent.type != ROCPROFILER_AGENT_TYPE_NONE) Add(agent);
  }
  if (count_ == 0) AddProcessorAlone();
}

rocprofiler_agent_id_t Topology::IdOf(uint32_t node) const {
  for (const rocprofiler_agent_t& agent : *this) {
    if (agent.node_id == node) return agent.id;
  }
  return {};
}

namespace {

// The index that a library assigns to a GPU according to its variable. `number`: the GPU's index in
// the library below. -1: hidden.
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
      // An entry of a GPU without a unique id is parsed, too, to skip it.
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
