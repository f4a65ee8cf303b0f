// SPDX-License-Identifier: MIT
// repetition.h: what repeats itself in a sequence of kernels.
//
// Threads    any
// Memory     24 bytes per element
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rtl::analysis {

// The places of one element that comes once in each repetition: the begins of all repetitions, the
// last of which may be cut off. Empty: nothing of at least two elements comes three times alike.
std::vector<size_t> FindRepetition(const std::vector<int64_t>& sequence);

}  // namespace rtl::analysis
