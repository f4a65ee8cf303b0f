// SPDX-License-Identifier: MIT
// options.h: the one table of the virtual machine's options: variable, flag, limits.
//
// The parser of the environment, `vgpu run`, `vgpu info` and their help all read this table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "vgpu/config/config.h"

namespace vgpu {

using ConfigField = std::variant<int Config::*, uint64_t Config::*, int64_t Config::*,
                                 bool Config::*, std::string Config::*>;

struct Option {
  const char* variable;  // VGPU_NUM_GPUS
  const char* flag;      // --gpus
  const char* value;     // what the flag takes, for the help; nullptr: the flag takes nothing
  const char* help;
  ConfigField field;
  int64_t min = 0;
  int64_t max = 0;
  uint64_t unit = 1;         // the field is the given number times this
  bool flag_clears = false;  // a flag without value sets its field to false
};

std::span<const Option> Options();

// The value names a file or a folder.
bool TakesPath(const Option& option);

// Sets the option's field from text. False, with the reason in *why, when the text is no valid
// value; the configuration is unchanged then.
[[nodiscard]] bool SetOption(const Option& option, std::string_view text, Config* config,
                             std::string* why);

// The field's value, as SetOption would read it.
std::string ShowOption(const Option& option, const Config& config);

}  // namespace vgpu
