// SPDX-License-Identifier: MIT
// settings.h: the RTL_* environment variables, one row each. Config::Parse reads them as their rows
// say; `rtl doctor --variables` and docs/reference/environment.md show the same rows.
//
// To add a variable: a field of Config (config.h) and a row in settings.cpp. A test compares the
// page with the rows and prints what belongs there.
//
// Threads    constants
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl {

struct Setting {
  enum class Type : uint8_t {
    kFlag,    // a bool
    kNumber,  // a uint64_t: the number times `unit`
    kText,    // an array of `size` characters
    kWord,    // an enumeration of one byte: one of `words`
    kOther,   // has no field in Config: read where it is used
  };
  // What happens to a value that cannot be used. It is reported in any case.
  enum class Otherwise : uint8_t { kIgnored, kTracingOff, kNothingCounted };
  struct Word {
    const char* word;  // null: the end
    uint8_t value;
  };

  const char* name = nullptr;
  const char* old_name = nullptr;  // another name for the same, still read
  const char* standard = "";       // the default, as people write it; empty: none
  const char* text = nullptr;      // what it does; code in backquotes
  const char* more = "";           // Markdown that follows on the page: links
  Otherwise otherwise = Otherwise::kIgnored;
  Type type = Type::kOther;
  size_t field = 0;  // its place in Config
  size_t size = 0;
  uint64_t low = 0, high = 0, unit = 1;
  const Word* words = nullptr;
};

// All of them, in the order of the page; the last has no name.
extern const Setting kSettings[];

// Null when there is none.
const Setting* FindSetting(const char* name);

// The text of a variable, found by its name or its old name; null when unset or empty.
const char* SettingText(const char* (*lookup)(const char* name), const char* name);

}  // namespace rtl
