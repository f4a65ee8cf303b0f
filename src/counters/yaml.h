// SPDX-License-Identifier: MIT
// yaml.h: reads the part of YAML that definitions of counters use: block and flow mappings and
// sequences, plain, quoted and block scalars, comments. Anchors, aliases, tags and several
// documents are rejected.
//
// Threads    any, each with its own arena
// Memory     nodes and texts are in the arena
// Errors     a line that names the line of the text
#pragma once

#include <stdint.h>

#include <string_view>

#include "base/status.h"
#include "counters/arena.h"

namespace rtl::counters {

struct YamlNode {
  enum class Kind : uint8_t { kScalar, kMap, kList };
  Kind kind = Kind::kScalar;
  uint32_t line = 0;
  std::string_view key;   // only if the parent is a map
  std::string_view text;  // only of a scalar
  YamlNode* child = nullptr;
  YamlNode* next = nullptr;

  // Null: there is no such key.
  const YamlNode* Find(std::string_view name) const {
    for (const YamlNode* node = child; kind == Kind::kMap && node != nullptr; node = node->next) {
      if (node->key == name) return node;
    }
    return nullptr;
  }
};

inline constexpr size_t kMostYamlBytes = 16 << 20;
inline constexpr uint32_t kMostYamlDepth = 32;

Status ReadYaml(std::string_view text, Arena* arena, const YamlNode** root);

}  // namespace rtl::counters
