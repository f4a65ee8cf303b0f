// SPDX-License-Identifier: MIT
// manifest.h: the list of databases and processes of `rtl trace --split`, beside the databases.
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

// "trace.db" becomes "trace.manifest.json", beside it.
std::string ManifestName(const std::string& output);

// JSON. `command`: the launched command.
std::string ManifestText(const store::CollectResult& result, const std::string& command,
                         const store::ExitStatus& exit);

// `written`: its name, which differs when a file of that name has appeared meanwhile.
Status WriteManifest(const std::string& name, const std::string& text, std::string* written);

}  // namespace rtl::cli
