// SPDX-License-Identifier: MIT
// fills.h: finds the number of bytes that a call of hipMemset or a similar function fills.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace rtl::exporting {

inline bool IsFill(std::string_view call) { return call.starts_with("hipMemset"); }

// The number after `key`, such as "key=", in a call's arguments; 0 if there is none.
inline uint64_t ArgumentOf(std::string_view arguments, std::string_view key) {
  for (size_t at = 0; (at = arguments.find(key, at)) != std::string_view::npos; ++at) {
    const bool begins = at == 0 || arguments[at - 1] == ' ';
    std::string_view rest = arguments.substr(at + key.size());
    if (!begins || !rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    uint64_t value = 0;
    // if it is not a number, the value stays 0
    (void)std::from_chars(rest.data(), rest.data() + rest.size(), value);
    return value;
  }
  return 0;
}

// Returns 0 if the number is not known.
inline uint64_t FilledBytes(std::string_view call, std::string_view arguments) {
  const uint64_t bytes = ArgumentOf(arguments, "sizeBytes");
  if (bytes != 0) return bytes;
  if (call.starts_with("hipMemset2D")) {
    return ArgumentOf(arguments, "width") * ArgumentOf(arguments, "height");
  }
  const uint64_t count = ArgumentOf(arguments, "count");
  if (call.starts_with("hipMemsetD32")) return count * 4;
  if (call.starts_with("hipMemsetD16")) return count * 2;
  return call.starts_with("hipMemsetD8") ? count : 0;
}

}  // namespace rtl::exporting
