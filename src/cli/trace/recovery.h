// SPDX-License-Identifier: MIT
// recovery.h: writes sentences about records that are not in a database yet, with the command that
// makes one.
//
// Threads    any
#pragma once

#include <string>
#include <vector>

namespace rtl::cli {

// `word` quoted for a shell.
std::string Quoted(const std::string& word);

// "the records are in t.db.spool-abc; where there is room, make the database: rtl collect …"
std::string RecoverySentence(const std::string& spool);

// One sentence for each spool that a killed collector left in the folder of `database`.
std::vector<std::string> LeftSentences(const std::string& database);

}  // namespace rtl::cli
