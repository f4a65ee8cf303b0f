// SPDX-License-Identifier: MIT
#include "store/in_flight_row.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/clock.h"
#include "base/unique_fd.h"

namespace rtl::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAsk = "ask-";
constexpr std::string_view kAnswer = "answer-";
constexpr size_t kFields = 22;
constexpr size_t kTexts = 4;  // of these, at the end

// No text may end its field or its line.
std::string OneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

std::vector<std::string_view> Split(std::string_view line) {
  std::vector<std::string_view> fields;
  for (size_t at = 0; at <= line.size();) {
    const size_t end = std::min(line.find('\t', at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return fields;
}

bool ParseRow(std::string_view line, InFlightRow* row) {
  const std::vector<std::string_view> fields = Split(line);
  if (fields.size() != kFields) return false;
  int64_t numbers[kFields - kTexts];
  for (size_t i = 0; i < std::size(numbers); ++i) {
    const char* const end = fields[i].data() + fields[i].size();
    if (std::from_chars(fields[i].data(), end, numbers[i]).ptr != end) return false;
  }
  const int64_t* next = numbers;
  const auto narrow = [&next] { return static_cast<uint32_t>(*next++); };
  const auto wide = [&next] { return static_cast<uint64_t>(*next++); };
  row->process = *next++;
  row->pid = narrow();
  row->tid = narrow();
  row->gpu = static_cast<int32_t>(*next++);
  row->queue = narrow();
  row->packet = wide();
  row->is_barrier = *next++ != 0;
  row->waits = *next++ != 0;
  row->submitted = wide();
  row->looked = wide();
  row->until = wide();
  for (uint32_t& size : row->grid) size = narrow();
  for (uint32_t& size : row->workgroup) size = narrow();
  row->stream = *next++;
  row->name = fields[kFields - 4];
  row->call = fields[kFields - 3];
  row->range = fields[kFields - 2];
  row->behind = fields[kFields - 1];
  row->alive = true;
  return true;
}

// Names in the spool that begin so.
std::vector<fs::path> Find(const std::string& spool, std::string_view prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(spool, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with(prefix)) found.push_back(at->path());
  }
  return found;
}

}  // namespace

std::string FormatInFlight(const std::vector<InFlightRow>& rows) {
  std::ostringstream text;
  for (const InFlightRow& row : rows) {
    text << row.process << '\t' << row.pid << '\t' << row.tid << '\t' << row.gpu << '\t'
         << row.queue << '\t' << row.packet << '\t' << row.is_barrier << '\t' << row.waits << '\t'
         << row.submitted << '\t' << row.looked << '\t' << row.until << '\t';
    for (const uint32_t size : row.grid) text << size << '\t';
    for (const uint32_t size : row.workgroup) text << size << '\t';
    text << row.stream << '\t' << OneLine(row.name) << '\t' << OneLine(row.call) << '\t'
         << OneLine(row.range) << '\t' << OneLine(row.behind) << '\n';
  }
  return text.str();
}

Status ParseInFlight(std::string_view text, std::vector<InFlightRow>* rows) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    InFlightRow row;
    if (end == std::string_view::npos || !ParseRow(text.substr(0, end), &row)) {
      return Status::Error("the collector's answer cannot be read: it may be of another version");
    }
    rows->push_back(std::move(row));
    text.remove_prefix(end + 1);
  }
  return Status::Ok();
}

bool IsAsked(const std::string& spool) { return !Find(spool, kAsk).empty(); }

void AnswerInFlight(const std::string& spool,
                    const std::function<std::vector<InFlightRow>()>& rows) {
  const std::vector<fs::path> asks = Find(spool, kAsk);
  if (asks.empty()) return;
  const std::string text = FormatInFlight(rows());
  for (const fs::path& ask : asks) {
    std::error_code ignored;
    fs::remove(ask, ignored);
    const std::string who = ask.filename().string().substr(kAsk.size());
    const fs::path answer = ask.parent_path() / (std::string(kAnswer) + who);
    const fs::path unfinished = answer.string() + ".tmp";
    {
      std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
      file << text;
    }
    fs::rename(unfinished, answer, ignored);
  }
}

void RemoveAsks(const std::string& spool) {
  std::error_code ignored;
  for (const std::string_view prefix : {kAsk, kAnswer}) {
    for (const fs::path& path : Find(spool, prefix)) fs::remove(path, ignored);
  }
}

Status AskInFlight(const std::string& spool, uint64_t limit_ns, std::vector<InFlightRow>* rows) {
  const std::string who = std::to_string(getpid());
  const std::string ask = spool + "/" + std::string(kAsk) + who;
  const std::string answer = spool + "/" + std::string(kAnswer) + who;
  const UniqueFd made(
      open(ask.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_TRUNC, 0600));
  if (!made.valid()) return Status::ErrnoError(errno, "cannot ask in the spool %s", spool.c_str());
  for (const uint64_t start = BootTimeNs(); BootTimeNs() - start < limit_ns;) {
    std::ifstream file(answer, std::ios::binary);
    if (file) {
      std::ostringstream text;
      text << file.rdbuf();
      (void)unlink(answer.c_str());  // it is ours
      return ParseInFlight(text.str(), rows);
    }
    const timespec pause = {0, 5'000'000};
    (void)nanosleep(&pause, nullptr);  // a signal only makes it shorter
  }
  (void)unlink(ask.c_str());
  return Status::Error(
      "no collector answers for the spool %s; if it is gone, make the database with: rtl collect"
      " --spool %s --output FILE",
      spool.c_str(), spool.c_str());
}

// It has its control page mapped. Where it has another view of the file system, as in a container, the
// launcher's variable says where the spool is in that.
std::string SpoolOf(uint32_t pid) {
  constexpr std::string_view kVariable = "RTL_SPOOL=";
  const std::string process = "/proc/" + std::to_string(pid);
  const std::string own = "/" + std::to_string(pid) + "-";
  std::ifstream maps(process + "/maps");
  std::error_code ignored;
  bool traced = false;
  for (std::string line; std::getline(maps, line);) {
    if (!line.ends_with(".ctl")) continue;
    const size_t path = line.find('/');
    const size_t name = line.rfind('/');
    if (line.compare(name, own.size(), own) != 0) continue;
    traced = true;
    const std::string spool = line.substr(path, name - path);
    if (fs::is_directory(spool, ignored)) return spool;
  }
  std::ifstream environment(process + "/environ");
  for (std::string variable; traced && std::getline(environment, variable, '\0');) {
    if (!variable.starts_with(kVariable)) continue;
    return process + "/root" + variable.substr(kVariable.size());
  }
  return "";
}

}  // namespace rtl::store
