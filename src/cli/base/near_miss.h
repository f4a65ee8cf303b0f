// SPDX-License-Identifier: MIT
// near_miss.h: guesses the intended word for an unknown one.
#pragma once

#include <string>
#include <vector>

namespace rtl::cli {

// " (did you mean summary?)", or empty.
std::string DidYouMean(const std::string& word, const std::vector<std::string>& words);

// As DidYouMean, but for a command line that requests a report as nsys does: stats --report
// cuda_api_sum.
std::string DidYouMeanReport(const std::vector<std::string>& words);

}  // namespace rtl::cli
