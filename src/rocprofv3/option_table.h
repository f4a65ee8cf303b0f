// SPDX-License-Identifier: MIT
// option_table.h: every option of rocprofv3, one row each: how it is typed, what it takes, which
// variable says the same, and whether it is served. docs/reference/rocprofv3.md is compared with it.
//
// Threads    any; everything is constant
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rtl::v3 {

enum class Takes : uint8_t {
  kSwitch,    // nothing, or a truth value
  kWord,      // one word
  kWords,     // one or more
  kAnyWords,  // none or more
  kNumber,    // one integer
  kChoice,    // one of the choices
  kChoices,   // one or more of them
  kGroups,    // nothing, a truth value, or one or more of the choices
};

enum class Served : uint8_t { kYes, kRefused };

struct Option {
  const char* key;    // as in input files: "kernel_trace"
  const char* name;   // "--kernel-trace"
  const char* other;  // "-k", or null
  Takes takes;
  const char* choices;   // "csv json", or null
  const char* variable;  // of the environment: "ROCPROF_KERNEL_TRACE", or null
  const char* group;     // heading in the help
  Served served;
  const char* text;  // what it does; why it is refused
};

std::span<const Option> Options();
// By any of its names, or by its key; null: there is none.
const Option* FindOption(std::string_view name);
const Option* FindKey(std::string_view key);
// Keys of input files that are not the name of an option with underscores.
std::vector<std::string> OtherKeys();
// What rocprofv3 itself writes into jobs; it says nothing.
inline constexpr char kIgnoredKey[] = "sub_directory";

}  // namespace rtl::v3
