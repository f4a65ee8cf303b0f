// SPDX-License-Identifier: MIT
// recovery.h: sentences about records that are not in a database yet, and the command that makes
// one.
//
// Threads    any
#pragma once

#include <string>
#include <vector>

namespace rtl::cli {

// As a word of a shell's command.
std::string Quoted(const std::string& word);

// "the records are in t.db.spool-abc; where there is room, make the database: rtl collect …"
std::string RecoverySentence(const std::string& spool);

// One for each spool that a killed collector left beside `database`.
std::vector<std::string> LeftSentences(const std::string& database);

}  // namespace rtl::cli
