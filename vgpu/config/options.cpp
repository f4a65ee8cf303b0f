// SPDX-License-Identifier: MIT
#include "vgpu/config/options.h"

#include <charconv>
#include <cstdio>
#include <vector>

#include "vgpu/config/fault_plan.h"
#include "vgpu/config/gpu_model.h"

namespace vgpu {
namespace {

constexpr uint64_t kMegabyte = uint64_t{1} << 20;
std::string MustBeModelled() { return "must be " + ListGpuModels(); }

const Option kOptions[] = {
    {"VGPU_NUM_GPUS", "--gpus", "N", "number of GPUs", &Config::num_gpus, 1, kMaxGpus},
    {"VGPU_GFX", "--gfx", "ARCH", "architecture of the GPUs: 900, 906, 90a or 942", &Config::gfx, 0,
     0xffff},
    {"VGPU_VRAM_MB", "--vram-mb", "MB", "memory of each GPU", &Config::vram_bytes, 64, 1 << 20,
     kMegabyte},
    {"VGPU_LARGE_BAR", "--large-bar", nullptr, "let the host see all of the GPU's memory",
     &Config::large_bar},
    {"VGPU_DEBUGGER", "--no-debugger", nullptr,
     "firmware that does not know debuggers: two HSA runtimes in a process both start",
     &Config::debugger, 0, 0, 1, true},
    {"VGPU_SVM", "--svm", nullptr,
     "offer shared virtual memory: managed memory at the host's pages", &Config::svm},
    {"VGPU_PC_SAMPLING", "--pc-sampling", nullptr,
     "offer PC sampling by host traps; gfx90a only, implies --kfd-minor 17", &Config::pc_sampling},
    {"VGPU_CLOCK_HZ", "--clock-hz", "HZ", "rate of the GPU's timestamp counter", &Config::clock_hz,
     1'000'000, 1'000'000'000},
    {"VGPU_CLOCK_PPM", "--clock-ppm", "PPM", "drift of that counter against the host's clock",
     &Config::clock_ppm, -100'000, 100'000},
    {"VGPU_DISPATCH_NS", "--dispatch-ns", "NS", "least time that a kernel takes",
     &Config::dispatch_ns, 0, 60'000'000'000},
    {"VGPU_EXECUTE", "--no-execute", nullptr, "do not run kernels, only let their time pass",
     &Config::execute, 0, 0, 1, true},
    {"VGPU_KFD_MINOR", "--kfd-minor", "N", "minor version of the driver interface, 1.N",
     &Config::kfd_minor, 1, 99},
    {"VGPU_DOORBELL_TRAP", "--no-doorbell-trap", nullptr,
     "poll idle queues, do not trap their doorbells", &Config::doorbell_trap, 0, 0, 1, true},
    {"VGPU_LOG", "--log", "LEVEL", "0 nothing, 1 errors, 2 driver calls, 3 packets, 4 instructions",
     &Config::log_level, 0, 4},
    {"VGPU_WORKERS", "--workers", "N", "threads that run workgroups; 0: one per core",
     &Config::workers, 0, 256},
    {"VGPU_JIT", "--jit", "WHEN",
     "translate kernels to host code: off, on (at once) or auto (those that run often)",
     &Config::jit},
    {"VGPU_DIR", "--dir", "DIR", "where the machine's device files are kept", &Config::dir},
    {"VGPU_REPORT", "--report", "FILE", "append a line of counts when a process ends",
     &Config::report},
    {"VGPU_COMPLETIONS", "--completions", "FILE",
     "log every completed packet in FILE.PID, a binary file", &Config::completions},
    {"VGPU_FAULTS", "--faults", "LIST", "what goes wrong: NAME[:FIELD=N...],...", &Config::faults},
};

bool IsArchitecture(const Option& option) {
  const auto* field = std::get_if<int Config::*>(&option.field);
  return field != nullptr && *field == &Config::gfx;
}

bool ParseNumber(std::string_view text, int base, int64_t* out) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, *out, base);
  return error == std::errc() && rest == end;
}

bool ParseSwitch(std::string_view text, bool* out) {
  if (text != "0" && text != "1") return false;
  *out = text == "1";
  return true;
}

bool InRange(const Option& option, int64_t number, std::string* why) {
  if (number < option.min || number > option.max) {
    *why = "must be from " + std::to_string(option.min) + " to " + std::to_string(option.max);
    return false;
  }
  if (IsArchitecture(option) && FindGpuModel(number) == nullptr) {
    *why = MustBeModelled();
    return false;
  }
  return true;
}

}  // namespace

std::span<const Option> Options() { return kOptions; }

bool TakesPath(const Option& option) {
  const auto* field = std::get_if<std::string Config::*>(&option.field);
  return field != nullptr && *field != &Config::faults && *field != &Config::jit;
}

bool SetOption(const Option& option, std::string_view text, Config* config, std::string* why) {
  if (const auto* field = std::get_if<std::string Config::*>(&option.field)) {
    if (text.empty()) {
      *why = "must not be empty";
      return false;
    }
    if (*field == &Config::faults) {
      std::vector<FaultPoint> plan;
      if (!ParseFaultPlan(text, &plan, why)) return false;
    }
    if (*field == &Config::jit && text != "off" && text != "on" && text != "auto") {
      *why = "must be off, on or auto";
      return false;
    }
    config->** field = text;
    return true;
  }
  if (const auto* field = std::get_if<bool Config::*>(&option.field)) {
    if (ParseSwitch(text, &(config->**field))) return true;
    *why = "must be 0 or 1";
    return false;
  }
  int64_t number = 0;
  const bool is_architecture = IsArchitecture(option);
  if (is_architecture && text.starts_with("gfx")) text.remove_prefix(3);
  if (!ParseNumber(text, is_architecture ? 16 : 10, &number)) {
    *why = is_architecture ? MustBeModelled() : "must be a whole number";
    return false;
  }
  if (!InRange(option, number, why)) return false;
  if (const auto* field = std::get_if<int Config::*>(&option.field)) config->** field = number;
  if (const auto* field = std::get_if<int64_t Config::*>(&option.field)) config->** field = number;
  if (const auto* field = std::get_if<uint64_t Config::*>(&option.field)) {
    config->** field = number * option.unit;
  }
  return true;
}

std::string ShowOption(const Option& option, const Config& config) {
  if (IsArchitecture(option)) {
    char text[8];
    std::snprintf(text, sizeof(text), "%x", config.gfx);
    return text;
  }
  return std::visit(
      [&]<class T>(T Config::*const field) -> std::string {
        if constexpr (std::is_same_v<T, std::string>) {
          return config.*field;
        } else if constexpr (std::is_same_v<T, uint64_t>) {
          return std::to_string(config.*field / option.unit);
        } else {
          return std::to_string(config.*field);
        }
      },
      option.field);
}

}  // namespace vgpu
