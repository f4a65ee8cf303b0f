// SPDX-License-Identifier: MIT
#include "vgpu/config/config.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "vgpu/config/options.h"

namespace vgpu {
namespace {

// Writes to stderr directly: the log's level is part of what is being parsed.
void WriteLine(const std::string& text) {
  const std::string line = "vgpu: " + text + "\n";
  if (syscall(SYS_write, STDERR_FILENO, line.data(), line.size()) < 0) return;  // nowhere to report
}

// Done at the first use, because programs change their working directory later.
std::string Absolute(const std::string& path) {
  if (path.empty() || path.starts_with('/')) return path;
  char directory[PATH_MAX];
  if (getcwd(directory, sizeof(directory)) == nullptr) return path;
  return std::string(directory) + "/" + path;
}

Config ReadEnvironment() {
  Config config = ParseConfig(&std::getenv, &WriteLine);
  config.dir = Absolute(config.dir);
  config.report = Absolute(config.report);
  config.completions = Absolute(config.completions);
  return config;
}

}  // namespace

Config ParseConfig(const EnvironmentLookup& lookup,
                   const std::function<void(const std::string&)>& complain) {
  Config config;
  for (const Option& option : Options()) {
    const char* text = lookup(option.variable);
    if (text == nullptr || *text == '\0') continue;
    std::string why;
    if (SetOption(option, text, &config, &why)) continue;
    complain(std::string(option.variable) + "=" + text + " " + why + "; using " +
             ShowOption(option, config));
  }
  // Runtimes do not query older drivers for PC sampling.
  constexpr int kWithPcSampling = 17;
  if (config.pc_sampling) config.kfd_minor = std::max(config.kfd_minor, kWithPcSampling);
  return config;
}

const Config& GetConfig() {
  // Leaked: exit handlers of the runtime still read it.
  static const Config& config = *new Config(ReadEnvironment());
  return config;
}

}  // namespace vgpu
