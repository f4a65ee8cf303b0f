// SPDX-License-Identifier: MIT
// formats.h: which format a file's name asks for.
#pragma once

#include <string>

#include "cli/options.h"

namespace rtl::cli {

struct FileFormat {
  const char* word;    // of --to
  const char* suffix;  // of a name that the user did not give
  ConvertTo to;
};

// Null when there is none of this word.
const FileFormat* FindFormat(const std::string& word);
// Every word.
std::vector<std::string> AllFormats();
// "pftrace, chrome, ... or rocpd"
std::string FormatWords();

// `word`: what --to said, or empty. The complaint is empty when there is none.
struct FormatChoice {
  const FileFormat* format = nullptr;
  std::string complaint;
};
FormatChoice ChooseFormat(const std::string& word, const std::string& output);

// What is wrong with the name of a file that will be a database, a timeline, or a page; empty: nothing.
std::string ComplaintOfDatabase(const std::string& option, const std::string& output);
std::string ComplaintOfTimeline(const std::string& option, const std::string& output);
std::string ComplaintOfPage(const std::string& option, const std::string& output);

// Also where neither is there yet, and where one is a link to the other.
bool NameOneFile(const std::string& a, const std::string& b);

// Chrome's JSON when the name says so, else Perfetto's.
ConvertTo ChooseTimeline(const std::string& output);

// "trace.db" becomes "trace.pftrace", beside it.
std::string DefaultOutput(const std::string& file, const char* suffix);

inline constexpr char kNeedsFile[] = "a database needs a file, not standard output";

}  // namespace rtl::cli
