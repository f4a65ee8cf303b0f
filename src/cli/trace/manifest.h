// SPDX-License-Identifier: MIT
// manifest.h: writes the list of databases and processes of `rtl trace --split` into the databases'
// folder.
//
// Threads    one
// Blocking   WriteManifest: file I/O
// Why        docs/formats/manifest.md
#pragma once

#include <string>

#include "base/status.h"
#include "trace/collect/collector.h"

namespace rtl::cli {

inline constexpr int kManifestVersion = 1;

// "trace.db" becomes "trace.manifest.json" in the same folder.
std::string ManifestName(const std::string& output);

// The manifest as JSON. `command`: the launched command.
std::string ManifestText(const store::CollectResult& result, const std::string& command,
                         const store::ExitStatus& exit);

// `written`: the name of the file. It differs from `name` if a file of that name has appeared
// meanwhile.
Status WriteManifest(const std::string& name, const std::string& text, std::string* written);

}  // namespace rtl::cli
