// SPDX-License-Identifier: MIT
// rocm_libraries.h: finds HIP and the HSA runtime: where the loader looks, beside this program in a
// Python environment, and in /opt/rocm.
//
// Threads    any
// Blocking   reads folders
#pragma once

#include <string>
#include <vector>

namespace rtl::selftest {

// Candidates for dlopen, the best first. Names that the loader looks up come before paths of files.
// `name`: "libamdhip64.so". `majors`: versions in the names, the newest first. `hip`: the file of
// HIP that the user named, whose folder comes before all others.
std::vector<std::string> LibraryCandidates(const std::string& name,
                                           const std::vector<std::string>& majors,
                                           const std::string& hip);

// Opens the first candidate that can be opened. Null, with one line in `why`, if there is none.
void* OpenLibrary(const std::vector<std::string>& candidates, std::string* why);

}  // namespace rtl::selftest
