// SPDX-License-Identifier: MIT
// option_table.h: the table of rocprofv3's options. A row has the names, values and environment
// variable of an option, and whether it is supported. A test compares docs/reference/rocprofv3.md
// with the table.
//
// Threads    any; everything is constant
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rtl::v3 {

enum class Takes : uint8_t {
  kSwitch,    // no value, or a truth value
  kWord,      // one word
  kWords,     // one or more
  kAnyWords,  // any number of words
  kNumber,    // one integer
  kChoice,    // one of the choices
  kChoices,   // one or more of the choices
  kGroups,    // no value, a truth value, or one or more of the choices
};

inline bool TakesOne(Takes takes) {
  return takes == Takes::kWord || takes == Takes::kNumber || takes == Takes::kChoice;
}

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
  const char* text;  // its effect; for an unsupported option: the reason
};

std::span<const Option> Options();
// FindOption: by any name or by the key. FindKey: by the key. Null: there is none.
const Option* FindOption(std::string_view name);
const Option* FindKey(std::string_view key);
// Keys of input files that differ from the option's name with underscores.
std::vector<std::string> OtherKeys();
// rocprofv3 itself writes this key into jobs; it has no effect.
inline constexpr char kIgnoredKey[] = "sub_directory";

}  // namespace rtl::v3
