// SPDX-License-Identifier: MIT
#include "cli/base/formats.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "cli/base/print.h"

namespace rtl::cli {
namespace {

using exporting::FileKind;
using query::RowSet;
using Row = query::RowKind;

constexpr RowSet kTimeline = RowSet::AllBut(Row::kInFlight, Row::kFault);
constexpr RowSet kChrome = RowSet::AllBut(Row::kCounted, Row::kSample, Row::kInFlight, Row::kFault);
// These formats have sums of kernels. Rows about the host are not expected in them, so such rows
// are not reported as left out.
constexpr RowSet kStacks = RowSet::AllBut(Row::kCopy);
constexpr RowSet kTool = RowSet::AllBut(Row::kBarrier, Row::kInit, Row::kOperator, Row::kFunction,
                                        Row::kInFlight, Row::kFault);
constexpr RowSet kRocpd = RowSet::AllBut(Row::kBarrier, Row::kInit, Row::kOperator, Row::kFunction,
                                         Row::kInFlight, Row::kFault, Row::kSample);
constexpr RowSet kOtf2 = RowSet::AllBut(Row::kBarrier, Row::kInit, Row::kOperator, Row::kFunction,
                                        Row::kInFlight, Row::kFault, Row::kSample, Row::kCounted);
constexpr RowSet kRpd = RowSet::Of(Row::kKernel, Row::kCopy, Row::kCall, Row::kMarker);
constexpr RowSet kAll = RowSet::AllBut();

constexpr FileFormat kFormats[] = {
    {"pftrace", ".pftrace", ConvertTo::kPftrace, kTimeline},
    {"chrome", ".json", ConvertTo::kChrome, kChrome, FileKind::kChrome},
    {"db", ".new.db", ConvertTo::kDatabase, kAll, FileKind::kTrace},
    {"rpd", ".rpd", ConvertTo::kRpd, kRpd, FileKind::kRpd},
    {"parquet", ".dataset", ConvertTo::kParquet, kTimeline},
    {"folded", ".folded", ConvertTo::kFolded, kStacks, FileKind::kFolded},
    {"speedscope", ".speedscope.json", ConvertTo::kSpeedscope, kStacks, FileKind::kSpeedscope},
    {"csv", "", ConvertTo::kCsv, kTool},
    {"json", "", ConvertTo::kJson, kTool},
    {"rocpd", "", ConvertTo::kRocpd, kRocpd},
    {"otf2", "", ConvertTo::kOtf2, kOtf2}};

constexpr struct {
  std::string_view ending;
  ConvertTo to;
} kEndings[] = {{".pftrace", ConvertTo::kPftrace}, {".perfetto-trace", ConvertTo::kPftrace},
                {".json", ConvertTo::kChrome},     {".speedscope.json", ConvertTo::kSpeedscope},
                {".folded", ConvertTo::kFolded},   {".db", ConvertTo::kDatabase},
                {".rpd", ConvertTo::kRpd}};

// Endings that belong to none of the formats in this table.
constexpr std::string_view kForeign[] = {".csv", ".html", ".htm",     ".txt",  ".md",  ".xlsx",
                                         ".svg", ".png",  ".parquet", ".otf2", ".pdf", ".arrow"};

// The extension, ignoring a ".gz" or ".zst" at the end. Empty: there is none.
std::string EndingOf(const std::string& output) {
  std::string name = output.substr(output.rfind('/') + 1);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view compressed : {".gz", ".zst"}) {
    if (name.ends_with(compressed)) name.resize(name.size() - compressed.size());
  }
  constexpr std::string_view kTwoParts = ".speedscope.json";
  if (name.ends_with(kTwoParts) && name != kTwoParts) return std::string(kTwoParts);
  const size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? "" : name.substr(dot);
}

const FileFormat* FormatOfEnding(const std::string& ending) {
  for (const auto& known : kEndings) {
    if (known.ending == ending) return &FormatOf(known.to);
  }
  return nullptr;
}

bool IsForeign(const std::string& ending) {
  return std::find(std::begin(kForeign), std::end(kForeign), ending) != std::end(kForeign);
}

// Whether a file in the format `to` may have this ending. RPD's tools accept any name, so RPD's
// databases may have the ending ".db".
bool FitsEnding(ConvertTo to, const std::string& ending) {
  // The output's name is only the beginning of the files' names.
  if (IsForEachProcess(to)) return true;
  if (to == ConvertTo::kParquet) return true;  // a folder
  const FileFormat* const of_name = FormatOfEnding(ending);
  if (of_name == nullptr) return !IsForeign(ending);
  // Both are JSON.
  if (to == ConvertTo::kSpeedscope && of_name->to == ConvertTo::kChrome) return true;
  const bool is_database = of_name->to == ConvertTo::kDatabase;
  return of_name->to == to || (is_database && to == ConvertTo::kRpd);
}

// Whether the name of a file has the ending of one of these formats, or no known ending.
bool MayBe(std::initializer_list<ConvertTo> formats, const std::string& ending) {
  const FileFormat* const format = FormatOfEnding(ending);
  if (format == nullptr) return !IsForeign(ending);
  return std::find(formats.begin(), formats.end(), format->to) != formats.end();
}

// "pftrace, chrome, ... or rocpd"
std::string FormatWords() { return Listed(AllFormats(), "or"); }

}  // namespace

const FileFormat* FindFormat(const std::string& word) {
  for (const FileFormat& format : kFormats) {
    if (word == format.word) return &format;
  }
  return nullptr;
}

const FileFormat& FormatOf(ConvertTo to) {
  return *std::find_if(std::begin(kFormats), std::end(kFormats),
                       [&](const FileFormat& format) { return format.to == to; });
}

std::vector<std::string> AllFormats() {
  std::vector<std::string> words;
  for (const FileFormat& format : kFormats) words.emplace_back(format.word);
  return words;
}

FormatChoice ChooseFormat(const std::string& word, const std::string& output) {
  const std::string ending = output == "-" ? "" : EndingOf(output);
  if (!word.empty()) {
    const FileFormat* const format = FindFormat(word);
    if (format == nullptr) return {nullptr, "--to takes " + FormatWords() + ", not " + word};
    if (ending.empty() || FitsEnding(format->to, ending)) return {format, ""};
    return {nullptr, "--to " + word + " contradicts the name " + output};
  }
  if (ending.empty()) return {&kFormats[0], ""};
  const FileFormat* const format = FormatOfEnding(ending);
  if (format != nullptr) return {format, ""};
  if (ending == ".csv") {
    return {nullptr, "rtl summary --csv prints one table; --to csv writes the files of rocprofv3"};
  }
  if (ending == ".parquet") {
    return {nullptr, "--to parquet writes a folder with files for each table: -o DIR"};
  }
  if (ending == ".html" || ending == ".htm") return {nullptr, "rtl report writes HTML pages"};
  return {nullptr, "no format has the extension " + ending + "; --to takes " + FormatWords()};
}

std::string ComplaintOfDatabase(const std::string& option, const std::string& output) {
  if (MayBe({ConvertTo::kDatabase}, EndingOf(output))) return "";
  return option + " names the database, and " + output +
         " is no such name; rtl convert writes other formats";
}

std::string ComplaintOfTimeline(const std::string& option, const std::string& output) {
  if (MayBe({ConvertTo::kPftrace, ConvertTo::kChrome}, EndingOf(output))) return "";
  return option + " names a timeline, and " + output + " is no such name";
}

std::string ComplaintOfPage(const std::string& option, const std::string& output) {
  const std::string ending = output == "-" ? "" : EndingOf(output);
  if (ending == ".html" || ending == ".htm" || MayBe({}, ending)) return "";
  return option + " names an HTML page, and " + output + " is no such name";
}

ConvertTo ChooseTimeline(const std::string& output) {
  const FileFormat* const format = FormatOfEnding(EndingOf(output));
  return format != nullptr && format->to == ConvertTo::kChrome ? ConvertTo::kChrome
                                                               : ConvertTo::kPftrace;
}

std::string DefaultOutput(const std::string& file, const char* suffix) {
  const size_t slash = file.rfind('/');
  const size_t dot = file.rfind('.');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  const bool has_suffix = dot != std::string::npos && dot > name;
  return (has_suffix ? file.substr(0, dot) : file) + suffix;
}

bool NameOneFile(const std::string& a, const std::string& b) {
  std::error_code error;
  const auto one = std::filesystem::weakly_canonical(std::filesystem::absolute(a, error), error);
  if (error) return a == b;
  const auto other = std::filesystem::weakly_canonical(std::filesystem::absolute(b, error), error);
  return error ? a == b : one == other;
}

}  // namespace rtl::cli
