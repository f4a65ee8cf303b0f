// SPDX-License-Identifier: MIT
#include "export/tool/agent_properties.h"

#include <charconv>

namespace rtl::exporting::tool {
namespace {

// The value that HSA reports for every GPU.
constexpr int64_t kMostWorkgroup = 1024;
constexpr int64_t kMostGrid = UINT32_MAX;
constexpr int64_t kMostGridX = INT32_MAX;
constexpr int64_t kMostGridYz = UINT16_MAX;

int64_t Divided(int64_t whole, int64_t by) { return by == 0 ? 0 : whole / by; }

// Columns whose value is the driver's property of the same name.
constexpr struct {
  const char* column;
  const char* property;
} kFirst[] = {{"Cpu_Cores_Count", "cpu_cores_count"},       {"Simd_Count", "simd_count"},
              {"Cpu_Core_Id_Base", "cpu_core_id_base"},     {"Simd_Id_Base", "simd_id_base"},
              {"Max_Waves_Per_Simd", "max_waves_per_simd"}, {"Lds_Size_In_Kb", "lds_size_in_kb"},
              {"Gds_Size_In_Kb", "gds_size_in_kb"},         {"Num_Gws", "num_gws"},
              {"Wave_Front_Size", "wave_front_size"}},
  kSecond[] = {{"Simd_Arrays_Per_Engine", "simd_arrays_per_engine"},
               {"Cu_Per_Simd_Array", "cu_per_simd_array"},
               {"Simd_Per_Cu", "simd_per_cu"},
               {"Max_Slots_Scratch_Cu", "max_slots_scratch_cu"},
               {"Gfx_Target_Version", "gfx_target_version"},
               {"Vendor_Id", "vendor_id"},
               {"Device_Id", "device_id"},
               {"Location_Id", "location_id"},
               {"Domain", "domain"},
               {"Drm_Render_Minor", "drm_render_minor"},
               {"Num_Sdma_Engines", "num_sdma_engines"},
               {"Num_Sdma_Xgmi_Engines", "num_sdma_xgmi_engines"},
               {"Num_Sdma_Queues_Per_Engine", "num_sdma_queues_per_engine"},
               {"Num_Cp_Queues", "num_cp_queues"},
               {"Max_Engine_Clk_Ccompute", "max_engine_clk_ccompute"},
               {"Max_Engine_Clk_Fcompute", "max_engine_clk_fcompute"},
               {"Sdma_Fw_Version", "sdma_fw_version"},
               {"Fw_Version", "fw_version"},
               {"Capability", "capability"}};

}  // namespace

std::string MemberOf(std::string column) {
  for (char& c : column) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return column;
}

AgentFacts::AgentFacts(const query::Agent& agent, uint32_t logical, Properties properties)
    : properties_(std::move(properties)) {
  const bool gpu = agent.is_gpu;
  const auto number = [&](const char* column, int64_t value) {
    cells_.push_back({column, false, value, ""});
  };
  const auto text = [&](const char* column, std::string_view value) {
    cells_.push_back({column, true, 0, std::string(value)});
  };
  const int64_t simds = Number("simd_count"), arrays = Number("array_count");
  // If the driver was not queried, the runtime's number of compute units is used.
  const int64_t units = !gpu         ? 0
                        : simds == 0 ? int64_t{agent.compute_units}
                                     : Divided(simds, Number("simd_per_cu"));
  const int64_t banks = gpu ? Divided(arrays, Number("simd_arrays_per_engine")) : 0;
  number("Node_Id", agent.node);
  number("Logical_Node_Id", logical);
  text("Agent_Type", gpu ? "GPU" : "CPU");
  for (const auto& [column, property] : kFirst) number(column, Number(property));
  number("Num_Xcc", gpu && Number("num_xcc") == 0 ? 1 : Number("num_xcc"));
  number("Cu_Count", units);
  number("Array_Count", arrays);
  number("Num_Shader_Banks", banks);
  for (const auto& [column, property] : kSecond) number(column, Number(property));
  number("Cu_Per_Engine", Divided(units, banks));
  number("Max_Waves_Per_Cu", Number("simd_per_cu") * Number("max_waves_per_simd"));
  number("Family_Id", Number("family_id"));
  number("Workgroup_Max_Size", gpu ? kMostWorkgroup : 0);
  number("Grid_Max_Size", gpu ? kMostGrid : 0);
  number("Local_Mem_Size", Number("local_mem_size"));
  number("Hive_Id", Number("hive_id"));
  number("Gpu_Id", Number("gpu_id"));
  for (const char* column : {"Workgroup_Max_Dim_X", "Workgroup_Max_Dim_Y", "Workgroup_Max_Dim_Z"}) {
    number(column, gpu ? kMostWorkgroup : 0);
  }
  number("Grid_Max_Dim_X", gpu ? kMostGridX : 0);
  number("Grid_Max_Dim_Y", gpu ? kMostGridYz : 0);
  number("Grid_Max_Dim_Z", gpu ? kMostGridYz : 0);
  text("Name", agent.name);
  text("Vendor_Name", gpu ? "AMD" : "CPU");
  text("Product_Name", gpu ? agent.product : agent.name);
  text("Model_Name", Text("model_name"));
}

int64_t AgentFacts::Number(std::string_view property) const {
  const std::string_view text = Text(property);
  uint64_t value = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), value);
  return static_cast<int64_t>(value);
}

std::string_view AgentFacts::Text(std::string_view property) const {
  const auto found = properties_.find(property);
  return found == properties_.end() ? std::string_view() : found->second;
}

}  // namespace rtl::exporting::tool
