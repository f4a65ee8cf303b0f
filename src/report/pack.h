// SPDX-License-Identifier: MIT
// pack.h: packs rows of runs into the form that the page's script reads (page/model.js).
//
//   row       number of runs, gaps, lengths, kinds, waits, counts, busy times, links; number of
//             groups, groups
//   gap       from the end of the previous run; of the first run: from the beginning of the page
//   kind      shape, doubled, plus one when the run has several slices
//   wait      of runs of one slice, since their submission
//   count     of runs of several slices, and their running time
//   links     0: no run has one; else 1, and for runs of one slice the track of its call, then the
//             time from the beginning of its call to its submission (Link)
//   group     number of runs, shape; only of rows with more than kMostUngrouped runs
//
// Numbers are unsigned, seven bits a byte, least significant first. The eighth bit is set if
// another byte follows.
//
// Threads    any
// Errors     no memory for the compressor
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "report/runs.h"

namespace rtl::report {

inline constexpr size_t kMostUngrouped = 4096;

// `gap`: see GroupRuns.
void PackRow(const std::vector<Run>& runs, uint64_t begin, uint64_t gap, std::string* out);

// Compresses to zlib's format.
Status Deflate(std::string_view bytes, std::string* out);

std::string Base64(std::string_view bytes);

}  // namespace rtl::report
