// SPDX-License-Identifier: MIT
// near_miss.h: what somebody may have meant by a word that is none of ours.
#pragma once

#include <string>
#include <vector>

namespace rtl::cli {

// " (did you mean summary?)", or nothing.
std::string DidYouMean(const std::string& word, const std::vector<std::string>& words);

}  // namespace rtl::cli
