// SPDX-License-Identifier: MIT
#include "export/tool/json_things.h"

#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/callback_tracing.h>

#include <algorithm>

namespace rtl::exporting::tool {
namespace {

constexpr int kCpuType = ROCPROFILER_AGENT_TYPE_CPU;
constexpr int kGpuType = ROCPROFILER_AGENT_TYPE_GPU;

template <typename F>
std::string ToText(const F& write) {
  JsonWords json(nullptr);
  write(&json);
  return std::string(json.text());
}

// Writes where a code object comes from, according to its URI.
void WriteStorage(const ToolCodeObject& object, JsonWords* json) {
  const bool in_memory = object.uri.starts_with("memory://");
  json->Signed("storage_type", object.uri.empty() ? ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_NONE
                               : in_memory        ? ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY
                                                  : ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_FILE);
  if (in_memory) {
    json->Number("memory_base", object.memory_base);
    json->Number("memory_size", object.memory_size);
  } else {
    json->Signed("storage_file", -1);  // the descriptor that the program had is useless to others
  }
}

}  // namespace

void WriteAgent(const ToolAgent& agent, JsonWords* json) {
  json->Begin();
  json->Number("size", sizeof(rocprofiler_agent_t));
  json->Handle("id", agent.handle());
  json->Signed("type", agent.agent.is_gpu ? kGpuType : kCpuType);
  uint64_t workgroup[3] = {}, grid[3] = {};
  const auto dimension = [](std::string_view name, std::string_view prefix, uint64_t(&out)[3],
                            uint64_t value) {
    if (!name.starts_with(prefix)) return false;
    out[name.back() - 'x'] = value;
    return true;
  };
  for (const AgentCell& cell : agent.facts.cells()) {
    const std::string name = MemberOf(cell.column);
    const auto value = static_cast<uint64_t>(cell.number);
    if (name == "agent_type" || name == "node_id" || name == "logical_node_id") continue;
    if (dimension(name, "workgroup_max_dim_", workgroup, value)) continue;
    if (dimension(name, "grid_max_dim_", grid, value)) continue;
    if (name == "sdma_fw_version") {
      json->Begin("sdma_fw_version");
      json->Number("uCodeSDMA", value & 0x3ff);
      json->Number("uCodeRes", value >> 10);
      json->End();
    } else if (cell.is_text) {
      json->Text(name.c_str(), cell.text);
    } else {
      json->Signed(name.c_str(), cell.number);
    }
  }
  json->Triple("workgroup_max_dim", workgroup);
  json->Triple("grid_max_dim", grid);
  json->Number("node_id", agent.agent.node);
  json->Number("logical_node_id", agent.logical);
  json->Number("logical_node_type_id", agent.type_logical);
  json->Text("uuid", agent.agent.uuid);
  json->Empty("mem_banks");
  json->Empty("caches");
  json->Empty("io_links");
  json->Signed("gpu_index", agent.agent.is_gpu ? int64_t{agent.type_logical} : -1);
  json->End();
}

void WriteSymbol(const ToolSymbol& symbol, JsonWords* json) {
  const query::KernelInfo& info = symbol.info;
  json->Begin();
  json->Number("size",
               sizeof(rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t));
  json->Number("kernel_id", info.kernel);
  json->Number("code_object_id", info.code_object);
  json->Text("kernel_name", symbol.mangled);
  json->Number("kernel_object", info.kernel_object);
  json->Number("kernarg_segment_size", info.kernarg_segment);
  json->Number("kernarg_segment_alignment", 0);
  json->Number("group_segment_size", info.group_segment);
  json->Number("private_segment_size", info.private_segment);
  json->Number("sgpr_count", info.sgprs);
  json->Number("arch_vgpr_count", info.vgprs);
  json->Number("accum_vgpr_count", 0);
  json->Text("formatted_kernel_name", symbol.shown);
  json->Text("demangled_kernel_name", symbol.demangled);
  json->Text("truncated_kernel_name", symbol.truncated);
  json->End();
}

void WriteCodeObject(const ToolCodeObject& object, JsonWords* json) {
  json->Begin();
  json->Number("size",
               object.id == 0 ? 0 : sizeof(rocprofiler_callback_tracing_code_object_load_data_t));
  json->Number("code_object_id", object.id);
  json->Handle("agent_id", object.agent);
  json->Text("uri", object.uri);
  json->Number("load_base", object.base);
  json->Number("load_size", object.bytes);
  json->Signed("load_delta", object.delta);
  WriteStorage(object, json);
  json->End();
}

void WriteHostFunction(const HostFunction& function, JsonWords* json) {
  constexpr uint64_t kNone[3] = {};
  const ToolSymbol* const symbol = function.symbol;
  const auto text = [&](const std::string ToolSymbol::*member) {
    return symbol == nullptr ? std::string_view("") : std::string_view(symbol->*member);
  };
  json->Begin();
  json->Number(
      "size",
      symbol == nullptr
          ? 0
          : sizeof(rocprofiler_callback_tracing_code_object_host_kernel_symbol_register_data_t));
  json->Number("host_function_id", function.id);
  json->Number("kernel_id", symbol == nullptr ? 0 : symbol->info.kernel);
  json->Number("code_object_id", symbol == nullptr ? 0 : symbol->info.code_object);
  json->Handle("host_function", function.address);
  json->Handle("modules", 0);
  std::string_view device = text(&ToolSymbol::mangled);
  if (device.ends_with(".kd")) device.remove_suffix(3);
  json->Text("device_function", device);
  json->Number("thread_limit", 0);
  for (const char* key : {"thread_ids", "block_ids", "block_dims", "grid_dims"})
    json->Triple(key, kNone);
  json->Number("workgroup_size", 0);
  json->Text("formatted_host_function_name", text(&ToolSymbol::shown));
  json->Text("demangled_host_function_name", text(&ToolSymbol::demangled));
  json->Text("truncated_host_function_name", text(&ToolSymbol::truncated));
  json->End();
}

std::vector<Argument> SplitArguments(std::string_view text) {
  std::vector<Argument> arguments;
  // A value may contain a comma, so an argument begins only at a name with an equals sign.
  while (!text.empty()) {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) break;
    size_t end = text.size();
    for (size_t comma = text.find(", ", equals); comma != std::string_view::npos;
         comma = text.find(", ", comma + 1)) {
      const size_t next = text.find('=', comma);
      if (next == std::string_view::npos) break;
      const std::string_view name = text.substr(comma + 2, next - comma - 2);
      const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
      });
      if (!is_name) continue;
      end = comma;
      break;
    }
    arguments.push_back({text.substr(0, equals), text.substr(equals + 1, end - equals - 1)});
    text.remove_prefix(std::min(text.size(), end + 2));
  }
  return arguments;
}

std::string AgentJson(const ToolAgent& agent) {
  return ToText([&](auto* json) { WriteAgent(agent, json); });
}

std::string CodeObjectJson(const ToolCodeObject& object) {
  return ToText([&](auto* json) { WriteCodeObject(object, json); });
}

std::string SymbolJson(const ToolSymbol& symbol) {
  return ToText([&](auto* json) { WriteSymbol(symbol, json); });
}

std::string MessageJson(std::string_view message) {
  return ToText([&](auto* json) {
    json->Begin();
    json->Text("message", message);
    json->End();
  });
}

}  // namespace rtl::exporting::tool
