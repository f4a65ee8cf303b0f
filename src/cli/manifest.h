// SPDX-License-Identifier: MIT
// manifest.h: the list beside the databases of `rtl trace --split`: which belongs to which process.
//
// Threads    one
// Blocking   WriteManifest: file I/O
// Why        docs/formats/manifest.md
#pragma once

#include <string>

#include "base/status.h"
#include "store/collector.h"

namespace rtl::cli {

inline constexpr int kManifestVersion = 1;

// "trace.db" becomes "trace.manifest.json", beside it.
std::string ManifestName(const std::string& output);

// JSON. `command`: what was launched.
std::string ManifestText(const store::CollectResult& result, const std::string& command,
                         const store::ExitStatus& exit);

// `written`: the name it got; another when somebody has written a file of that name meanwhile.
Status WriteManifest(const std::string& name, const std::string& text, std::string* written);

}  // namespace rtl::cli
