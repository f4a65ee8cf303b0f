// SPDX-License-Identifier: MIT
// rocm_libraries.h: where HIP and the HSA runtime may lie: where the loader looks, beside this
// program in a Python environment, and in /opt/rocm.
//
// Threads    any
// Blocking   reads folders
#pragma once

#include <string>
#include <vector>

namespace rtl::selftest {

// Candidates for dlopen, the best first: names that the loader looks up, then the paths of
// files. `name`: "libamdhip64.so". `majors`: versions in the names, the newest first. `hip`: the
// file of HIP that the user named; the folder of it comes first.
std::vector<std::string> LibraryCandidates(const std::string& name,
                                           const std::vector<std::string>& majors,
                                           const std::string& hip);

// Opens the first candidate that can be opened. Null, with one line in `why`, if there is none.
void* OpenLibrary(const std::vector<std::string>& candidates, std::string* why);

}  // namespace rtl::selftest
