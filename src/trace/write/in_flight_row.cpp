// SPDX-License-Identifier: MIT
#include "trace/write/in_flight_row.h"

#include <charconv>
#include <sstream>

#include "trace/write/asks.h"

namespace rtl::store {
namespace {

constexpr size_t kFields = 22;
constexpr size_t kTexts = 4;  // the last fields are texts

// Removes characters that would end a field or a line.
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
  const int64_t state = *next++;
  if (state < 0 || state > static_cast<int64_t>(InFlightRow::State::kEnded)) return false;
  row->state = static_cast<InFlightRow::State>(state);
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

}  // namespace

std::string FormatInFlight(const std::vector<InFlightRow>& rows) {
  std::ostringstream text;
  for (const InFlightRow& row : rows) {
    text << row.process << '\t' << row.pid << '\t' << row.tid << '\t' << row.gpu << '\t'
         << row.queue << '\t' << row.packet << '\t' << row.is_barrier << '\t'
         << static_cast<int>(row.state) << '\t' << row.submitted << '\t' << row.looked << '\t'
         << row.until << '\t';
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

void AnswerInFlight(const std::string& spool,
                    const std::function<std::vector<InFlightRow>()>& rows) {
  const std::vector<Question> asks = TakeAsks(spool, kAskInFlight);
  if (asks.empty()) return;
  const std::string text = FormatInFlight(rows());
  for (const Question& ask : asks) AnswerAsk(spool, kAskInFlight, ask, text);
}

Status AskInFlight(const std::string& spool, uint64_t limit_ns, std::vector<InFlightRow>* rows) {
  std::string answer;
  RTL_TRY(AskCollector(spool, kAskInFlight, "", limit_ns, &answer));
  return ParseInFlight(answer, rows);
}

}  // namespace rtl::store
