// SPDX-License-Identifier: MIT
// settings.h: the table of the RTL_* environment variables, one row each. Config::Parse reads the
// variables according to these rows; `rtl doctor --variables` and docs/reference/environment.md
// show the same rows.
//
// To add a variable, add a member of Config (config.h) and a row in settings.cpp. A test compares
// the page with the rows and prints the lines that the page needs.
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
    kWord,    // an enumeration of one byte, given as one of `words`
    kOther,   // has no member in Config; it is read where it is used
  };
  // What happens to a value that cannot be used. It is reported in any case.
  enum class Otherwise : uint8_t { kIgnored, kTracingOff, kNothingCounted };
  struct Word {
    const char* word;  // null: the end of the list
    uint8_t value;
  };

  const char* name = nullptr;
  const char* old_name = nullptr;  // another name, which is still read
  const char* standard = "";       // the default, as users write it; empty: none
  const char* text = nullptr;      // what the variable does; code in backquotes
  const char* more = "";           // Markdown that follows on the page, such as links
  Otherwise otherwise = Otherwise::kIgnored;
  Type type = Type::kOther;
  size_t field = 0;  // offset of the member in Config
  size_t size = 0;
  uint64_t low = 0, high = 0, unit = 1;
  const Word* words = nullptr;
};

// All rows, in the order of the page; the last one has no name.
extern const Setting kSettings[];

// Returns null if there is no such variable.
const Setting* FindSetting(const char* name);

// The value of a variable, found by its name or its old name; null if it is unset or empty.
const char* SettingText(const char* (*lookup)(const char* name), const char* name);

}  // namespace rtl
