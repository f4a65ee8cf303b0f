// SPDX-License-Identifier: MIT
// near_miss.h: what somebody may have meant by a word that is none of ours.
#pragma once

#include <string>
#include <vector>

namespace rtl::cli {

// " (did you mean summary?)", or nothing.
std::string DidYouMean(const std::string& word, const std::vector<std::string>& words);

// As DidYouMean, of a command line with the name of one of nsys's reports in it: stats --report cuda_api_sum.
std::string DidYouMeanReport(const std::vector<std::string>& words);

}  // namespace rtl::cli
