// SPDX-License-Identifier: MIT
// name_id.h: gives a name an id that is the same in every trace, without a list of names.
//
// Threads    any
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace rtl::tables {

std::array<uint8_t, 32> Sha256(std::string_view bytes);

// The first 8 bytes of the SHA-256 of the name, big-endian.
int64_t NameId(std::string_view name);

}  // namespace rtl::tables
