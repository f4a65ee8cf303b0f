// SPDX-License-Identifier: MIT
// formats.h: finds the format of a file from its name or from --to.
#pragma once

#include <string>

#include "cli/base/options.h"
#include "export/earlier_file.h"
#include "trace/read/row_kinds.h"

namespace rtl::cli {

struct FileFormat {
  const char* word;    // value of --to
  const char* suffix;  // ending of a default name
  ConvertTo to;
  query::RowSet holds;  // kinds of rows that the format can hold; others are left out
  // The kind of the written file, for CheckReplaceable. Only formats with one file have it.
  exporting::FileKind kind = exporting::FileKind::kPerfetto;
};

// Null when no format has this word.
const FileFormat* FindFormat(const std::string& word);
const FileFormat& FormatOf(ConvertTo to);
// The words of all formats.
std::vector<std::string> AllFormats();

// `word`: the value of --to, or empty. `complaint` is empty if there is no error.
struct FormatChoice {
  const FileFormat* format = nullptr;
  std::string complaint;
};
FormatChoice ChooseFormat(const std::string& word, const std::string& output);

// The error in the name of a file for a database, a timeline or a page. Empty: there is none.
std::string ComplaintOfDatabase(const std::string& option, const std::string& output);
std::string ComplaintOfTimeline(const std::string& option, const std::string& output);
std::string ComplaintOfPage(const std::string& option, const std::string& output);

// Whether both paths mean the same file. Works also if neither exists, or if one is a link to the
// other.
bool NameOneFile(const std::string& a, const std::string& b);

// Chrome's JSON if the name has its ending, otherwise Perfetto's format.
ConvertTo ChooseTimeline(const std::string& output);

// "trace.db" becomes "trace.pftrace" in the same folder.
std::string DefaultOutput(const std::string& file, const char* suffix);

inline constexpr char kForceText[] =
    "Replace a file under the output's name that is no output of rtl";
inline constexpr char kNeedsFile[] = "a database needs a file, not standard output";

}  // namespace rtl::cli
