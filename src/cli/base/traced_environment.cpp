// SPDX-License-Identifier: MIT
#include "cli/base/traced_environment.h"

#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "cli/base/installation.h"
#include "inject/loaded_libraries.h"
#include "model/event_kinds.h"

namespace rtl::cli {
namespace {

bool IsNamed(const std::string& variable, const std::string& name) {
  return variable.size() > name.size() && variable.starts_with(name) &&
         variable[name.size()] == '=';
}

void Set(const std::string& name, const std::string& value, std::vector<std::string>* variables) {
  std::erase_if(*variables, [&](const std::string& variable) { return IsNamed(variable, name); });
  variables->push_back(name + "=" + value);
}

void Append(const std::string& word, std::string* words) {
  *words += (words->empty() ? "" : " ") + word;
}

// The events that the session in the traced process will choose. None if it will reject the words.
EventSet ChosenEvents(const std::vector<std::string>& variables) {
  const std::string mode = FindVariable(variables, "RTL_MODE").value_or("");
  EventSet events;
  const std::string words = FindVariable(variables, "RTL_EVENTS").value_or("");
  if (mode != "clr" && !words.empty() && ParseEvents(words.c_str(), &events).ok()) return events;
  return mode == "hip" ? EventSet(EventKind::kHipCall) : EventSet();
}

bool WantsHipMethod(const std::vector<std::string>& variables, const std::string& method) {
  const EventSet events = ChosenEvents(variables);
  std::string wish = FindVariable(variables, "RTL_HIP_METHOD").value_or("");
  // Earlier name of the variable.
  if (wish.empty()) wish = FindVariable(variables, "RTL_HIP_DOOR").value_or("");
  return (events.Has(EventKind::kHipCall) || events.Has(EventKind::kCompilerCall)) &&
         (wish.empty() || wish == "auto" || wish == method);
}

// Follows the rules by which rocprofiler-register reads its variables.
bool IsOn(const std::vector<std::string>& variables, const std::string& name) {
  const std::string value = FindVariable(variables, name).value_or("");
  for (const char* off : {"", "0", "f", "false", "n", "no", "off"}) {
    if (strcasecmp(value.c_str(), off) == 0) return false;
  }
  return true;
}

// The library that serves the user's tools. Empty: the user named no tool, and does not request
// this library without one (ROCPROFILER_REGISTER_FORCE_LOAD).
std::string ServiceOfTools(const ToolNames& hsa_tools, const TracedEnvironment& traced,
                           const std::vector<std::string>& variables) {
  if (!hsa_tools.kept.empty()) return hsa_tools.kept.substr(0, hsa_tools.kept.find(' '));
  const bool named = !FindVariable(variables, "ROCP_TOOL_LIBRARIES").value_or("").empty();
  return named || IsOn(variables, "ROCPROFILER_REGISTER_FORCE_LOAD") ? traced.sdk : "";
}

// A runtime that was built with rocprofiler-register passes its tables to the library in this
// variable. AMD's rocprofiler-register ends the program if the user named tools and it finds no
// library for them.
void SetRegistered(const TracedEnvironment& traced, const std::string& service,
                   std::vector<std::string>* variables) {
  const std::string registered = "ROCPROFILER_REGISTER_LIBRARY";
  const std::string chain = "RTL_REGISTER_CHAIN";
  if (!FindVariable(*variables, registered).value_or("").empty()) return;
  const EventSet events = ChosenEvents(*variables);
  const bool wanted = WantsHipMethod(*variables, "register") || events.Has(EventKind::kInit) ||
                      events.Has(EventKind::kRcclCall);
  if (!wanted) {
    if (!service.empty()) Set(registered, service, variables);
    return;
  }
  Set(registered, traced.librtl, variables);
  if (!service.empty() && !FindVariable(*variables, chain).has_value())
    Set(chain, service, variables);
}

bool HasFunction(const std::string& file, const char* name) {
  inject::LoadedLibrary library(file, file, 0);
  library.AddCode({0, 1});  // without any range, Find does not read the file
  return library.Find(name) != 0;
}

// The target of the virtual GPU becomes the one that supports host traps, unless the user chose a
// target.
void SetSampling(const TracedEnvironment& traced, std::vector<std::string>* variables) {
  Set("RTL_PC_SAMPLING", std::to_string(traced.pc_sampling_us) + "us", variables);
  if (traced.vgpu.empty()) return;
  for (const auto& [name, value] :
       {std::pair("VGPU_GFX", "90a"), std::pair("VGPU_PC_SAMPLING", "1"),
        std::pair("VGPU_LARGE_BAR", "1")}) {
    if (!FindVariable(*variables, name).has_value()) Set(name, value, variables);
  }
}

}  // namespace

std::vector<std::string> OwnVariables() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  return variables;
}

Status FindTracer(bool on_vgpu, TracedEnvironment* out) {
  RTL_TRY(FindLibrary("librtl.so", &out->librtl));
  return on_vgpu ? FindLibrary("libvgpu.so", &out->vgpu) : Status::Ok();
}

// These errors leave the path empty.
void FindOptionalLibraries(TracedEnvironment* out) {
  (void)FindLibrary("librtl_hip.so", &out->hip);
  (void)FindLibrary("librtl_rccl.so", &out->rccl);
  (void)FindLibrary("librocprofiler-sdk.so.1", &out->sdk);
  (void)FindLibrary("libroctx64.so.4", &out->roctx);
}

std::optional<std::string> FindVariable(const std::vector<std::string>& variables,
                                        const std::string& name) {
  for (const std::string& variable : variables) {
    if (IsNamed(variable, name)) return variable.substr(name.size() + 1);
  }
  return std::nullopt;
}

ToolNames SortTools(const std::string& tools) {
  ToolNames names;
  std::istringstream words(tools);
  for (std::string word; words >> word;) {
    const std::string file = word.substr(word.rfind('/') + 1);
    Append(word, file.starts_with("librocprofiler-sdk.so") ? &names.kept : &names.replaced);
  }
  return names;
}

std::vector<std::string> MakeTraced(std::vector<std::string> variables,
                                    const TracedEnvironment& traced) {
  std::string tools = traced.librtl;
  const ToolNames before_ours = SortTools(FindVariable(variables, "HSA_TOOLS_LIB").value_or(""));
  if (!before_ours.kept.empty()) Append(before_ours.kept, &tools);
  Set("HSA_TOOLS_LIB", tools, &variables);
  // Newer runtimes skip HSA_TOOLS_LIB when another tool registered, unless this is set.
  Set("HSA_TOOLS_ROCPROFILER_V1_TOOLS", "1", &variables);
  Set("RTL_SPOOL", traced.spool, &variables);
  const auto number = [](uint64_t value) { return value == 0 ? "" : std::to_string(value); };
  const auto flag = [](bool on) { return on ? "1" : ""; };
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) Set(name, value, &variables);
  };
  set("RTL_MODE", traced.mode);
  set("RTL_EVENTS", traced.events);
  set("RTL_COUNTERS", traced.counters);
  set("RTL_COUNTER_GROUP_INTERVAL", number(traced.counter_group_interval));
  set("RTL_COUNTER_KERNELS", traced.counter_kernels);
  set("RTL_COUNTER_FILE", traced.counter_file);
  if (traced.pc_sampling_us != 0) SetSampling(traced, &variables);
  set("RTL_BARRIERS", flag(traced.barriers));
  set("RTL_PAUSED", flag(traced.paused));
  set("RTL_RECORD_FROM", number(traced.record_from));
  set("RTL_RECORD_UNTIL", number(traced.record_until));
  set("RTL_WHILE_RANGE", traced.while_range);
  if (!traced.kokkos.empty()) {
    const std::string others = FindVariable(variables, "KOKKOS_TOOLS_LIBS").value_or("");
    Set("KOKKOS_TOOLS_LIBS", traced.kokkos + (others.empty() ? "" : ";" + others), &variables);
  }
  set("RTL_LOSSLESS", flag(traced.lossless));
  set("RTL_ALLOW_FALLBACK", flag(traced.allow_fallback));
  if (traced.gpus.has_value()) Set("VGPU_NUM_GPUS", std::to_string(*traced.gpus), &variables);

  const bool rccl = ChosenEvents(variables).Has(EventKind::kRcclCall);
  SetRegistered(traced, ServiceOfTools(before_ours, traced, variables), &variables);

  // Only mode clr and the method `preload` need functions before HIP's own. In mode clr, the first
  // call of such a function switches HIP's own profiler on.
  const bool is_clr = FindVariable(variables, "RTL_MODE") == "clr";
  const std::string hip = is_clr || WantsHipMethod(variables, "preload") ? traced.hip : "";
  std::string preload;
  const std::string before = FindVariable(variables, "LD_PRELOAD").value_or("");
  for (const std::string& library :
       {traced.vgpu, traced.roctx, hip, rccl ? traced.rccl : "", before}) {
    if (library.empty()) continue;
    if (!preload.empty()) preload += ":";
    preload += library;
  }
  if (traced.for_musl || preload.empty()) return variables;
  Set("LD_PRELOAD", preload, &variables);
  // A program that is linked to the shared library of the address sanitizer ends if other libraries
  // are loaded before that one. Our libraries define none of the sanitizer's functions, so its
  // check can be switched off.
  std::string sanitizer = FindVariable(variables, "ASAN_OPTIONS").value_or("");
  const std::string order = "verify_asan_link_order";
  if (sanitizer.find(order) == std::string::npos) {
    sanitizer += (sanitizer.empty() ? "" : ":") + order + "=0";
    Set("ASAN_OPTIONS", sanitizer, &variables);
  }
  return variables;
}

std::string RegisterProblem(const std::vector<std::string>& variables) {
  const std::string library = FindVariable(variables, "ROCPROFILER_REGISTER_LIBRARY").value_or("");
  // The loader searches its folders for a name without a slash, so this function cannot check it.
  if (library.find('/') == std::string::npos) return "";
  const bool readable = access(library.c_str(), R_OK) == 0;
  if (readable && HasFunction(library, "rocprofiler_set_api_table")) return "";
  return "ROCPROFILER_REGISTER_LIBRARY names " + library + ", which " +
         (readable ? "has no function rocprofiler_set_api_table" : "cannot be read") +
         ": AMD's ROCm aborts the program when it starts; unset it, or correct it";
}

}  // namespace rtl::cli
