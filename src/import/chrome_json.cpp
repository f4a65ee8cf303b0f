// SPDX-License-Identifier: MIT
#include "import/chrome_json.h"

#include <charconv>
#include <cmath>

#include "import/json_reader.h"
#include "import/text_input.h"

namespace rtl::import {
namespace {

// A file with deeper nesting, or with a longer text, is rejected: it is no trace.
constexpr size_t kDeepest = 64;
constexpr size_t kLongestValue = size_t{1} << 20;

// Depth of nesting in a file that is an object: 1 the object itself, 2 the array of events, 3 an
// event, 4 the event's `args`.
class Handler {
 public:
  Handler(TextInput* input, ChromeReader* reader) : input_(*input), reader_(*reader) {}

  const Status& status() const { return status_; }
  bool is_trace() const { return is_trace_; }
  // Number of values in the array of events that are not objects.
  uint64_t no_events() const { return no_events_; }

  bool Null() { return Scalar("null"); }
  bool Bool(bool value) { return Scalar(value ? "true" : "false"); }
  bool RawNumber(std::string_view text) { return Scalar(text); }
  bool String(std::string_view text) { return compound_depth_ != 0 ? Quoted(text) : Scalar(text); }
  bool Key(std::string_view key) {
    if (compound_depth_ != 0) {
      if (is_skipped_) return true;
      Separate();
      AppendQuoted(key);
      compound_ += ":";
      first_ = true;
      return true;
    }
    switch (place_) {
      case Place::kEvent:
        member_ = MemberOf(key);
        return true;
      case Place::kArgs:
        is_skipped_ = !reader_.WantsArg(key);
        if (is_skipped_) return true;
        if (event_.arg_count == event_.args.size()) event_.args.emplace_back();
        event_.args[event_.arg_count].key.assign(key);
        return true;
      default:
        key_.assign(key);
        return true;
    }
  }
  bool StartObject() { return Start('{'); }
  bool EndObject() { return End('}'); }
  bool StartArray() { return Start('['); }
  bool EndArray() { return End(']'); }

 private:
  enum class Place { kBefore, kTop, kEvents, kEvent, kArgs };
  // The members of an event; the first ones are texts.
  enum class Member { kPhase, kId, kPid, kTid, kCategory, kName, kStart, kDuration, kArgs, kOther };
  static constexpr std::string ChromeEvent::*kTexts[] = {
      &ChromeEvent::phase, &ChromeEvent::id,       &ChromeEvent::pid,
      &ChromeEvent::tid,   &ChromeEvent::category, &ChromeEvent::name};

  static Member MemberOf(std::string_view key) {
    switch (key.size()) {
      case 2:
        if (key == "ph") return Member::kPhase;
        if (key == "ts") return Member::kStart;
        if (key == "id") return Member::kId;
        return Member::kOther;
      case 3:
        if (key == "dur") return Member::kDuration;
        if (key == "pid") return Member::kPid;
        if (key == "tid") return Member::kTid;
        if (key == "cat") return Member::kCategory;
        return Member::kOther;
      case 4:
        if (key == "name") return Member::kName;
        if (key == "args") return Member::kArgs;
        return Member::kOther;
      default:
        return Member::kOther;
    }
  }

  bool Fail(const Status& status) {
    status_ = status;
    return status.ok();
  }

  bool Start(char opener) {
    if (++depth_ > kDeepest) return Fail(Status::Error("is nested too deeply for a trace"));
    if (compound_depth_ != 0) {
      if (is_skipped_) return true;
      Separate();
      compound_ += opener;
      first_ = true;
      return true;
    }
    switch (place_) {
      case Place::kBefore:
        place_ = opener == '{' ? Place::kTop : Place::kEvents;
        is_trace_ = opener == '[';
        only_events_ = opener == '[';
        return true;
      case Place::kTop:
        if (opener == '[' && key_ == "traceEvents") {
          is_trace_ = true;
          place_ = Place::kEvents;
          return true;
        }
        break;
      case Place::kEvents:
        if (opener != '{') break;
        place_ = Place::kEvent;
        event_.Clear();
        return true;
      case Place::kEvent:
        if (opener != '{' || member_ != Member::kArgs) break;
        place_ = Place::kArgs;
        return true;
      case Place::kArgs:
        break;
    }
    compound_depth_ = depth_;
    compound_ = opener;
    first_ = true;
    return true;
  }

  bool End(char closer) {
    const size_t depth = depth_--;
    if (compound_depth_ != 0) {
      if (!is_skipped_) compound_ += closer;
      first_ = false;
      if (depth != compound_depth_) return true;
      compound_depth_ = 0;
      return is_skipped_ || AddValue(compound_);
    }
    switch (place_) {
      case Place::kArgs:
        place_ = Place::kEvent;
        is_skipped_ = false;
        return true;
      case Place::kEvent:
        place_ = Place::kEvents;
        input_.Mark();
        return Fail(reader_.TakeEvent(event_));
      case Place::kEvents:
        place_ = only_events_ ? Place::kBefore : Place::kTop;
        return true;
      case Place::kTop:
      case Place::kBefore:
        place_ = Place::kBefore;
        return true;
    }
    return true;
  }

  bool Scalar(std::string_view text) {
    if (text.size() > kLongestValue) return TooLong();
    if (is_skipped_) return true;
    if (compound_depth_ == 0) return AddValue(text);
    Separate();
    compound_ += text;
    return CheckLength();
  }
  bool Quoted(std::string_view text) {
    if (is_skipped_) return text.size() <= kLongestValue || TooLong();
    Separate();
    AppendQuoted(text);
    return CheckLength();
  }
  bool CheckLength() { return compound_.size() <= kLongestValue || TooLong(); }
  bool TooLong() { return Fail(Status::Error("has a value that is too long for a trace")); }
  void Separate() {
    if (!first_) compound_ += ", ";
    first_ = false;
  }
  void AppendQuoted(std::string_view text) {
    compound_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') compound_ += '\\';
      compound_ += c;
    }
    compound_ += '"';
  }

  // Adds a value of the key that was read last.
  bool AddValue(std::string_view text) {
    switch (place_) {
      case Place::kTop:
        input_.Mark();
        return Fail(reader_.TakeFact(key_, std::string(text)));
      case Place::kEvent:
        SetMember(text);
        return true;
      case Place::kArgs:
        event_.args[event_.arg_count++].value.assign(text);
        return true;
      case Place::kEvents:
        ++no_events_;
        return true;
      case Place::kBefore:
        return true;
    }
    return true;
  }

  void SetMember(std::string_view text) {
    if (member_ < Member::kStart) {
      (event_.*kTexts[static_cast<size_t>(member_)]).assign(text);
    } else if (member_ == Member::kStart) {
      event_.has_start = ParseMicroseconds(text, &event_.start) &&
                         !__builtin_add_overflow(event_.start, reader_.time_base, &event_.start);
    } else if (member_ == Member::kDuration) {
      event_.has_duration = ParseMicroseconds(text, &event_.duration);
    }
  }

  TextInput& input_;
  ChromeReader& reader_;
  Status status_ = Status::Ok();
  Place place_ = Place::kBefore;
  bool is_trace_ = false;
  bool only_events_ = false;
  uint64_t no_events_ = 0;
  size_t depth_ = 0;
  std::string key_;  // last key outside of the array of events
  Member member_ = Member::kOther;
  ChromeEvent event_;
  bool is_skipped_ = false;  // the argument's value is not wanted
  // Depth at which an array or object began that is kept as text; 0: none.
  size_t compound_depth_ = 0;
  std::string compound_;
  // The next value is the first in the innermost array or object of `compound_`.
  bool first_ = true;
};

}  // namespace

std::string_view ChromeEvent::Arg(std::string_view key) const {
  for (size_t i = 0; i < arg_count; ++i) {
    if (args[i].key == key) return args[i].value;
  }
  return {};
}

int64_t ChromeEvent::End() const {
  int64_t end = 0;
  return __builtin_add_overflow(start, duration, &end) ? INT64_MIN : end;
}

void ChromeEvent::Clear() {
  for (std::string* text : {&phase, &category, &name, &pid, &tid, &id}) text->clear();
  has_start = has_duration = false;
  start = duration = 0;
  arg_count = 0;
}

bool ParseMicroseconds(std::string_view text, int64_t* ns) {
  constexpr int64_t kMostUs = INT64_MAX / 1000 - 1;
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative ? 1 : 0);
  int64_t us = 0;
  const char* const end = digits.data() + digits.size();
  const auto whole = std::from_chars(digits.data(), end, us);
  if (whole.ec != std::errc() || us > kMostUs || us < 0) return false;
  int64_t rest = 0;
  const char* at = whole.ptr;
  if (at != end && *at == '.') {
    int64_t unit = 100;
    bool rounded = false;  // the first digit after the nanoseconds decides the rounding
    for (++at; at != end && *at >= '0' && *at <= '9'; ++at, unit /= 10) {
      rest += (*at - '0') * unit;
      if (unit == 0 && !rounded) {
        rest += *at >= '5' ? 1 : 0;
        rounded = true;
      }
    }
  }
  if (at == end) {
    *ns = (us * 1000 + rest) * (negative ? -1 : 1);
    return true;
  }
  double number = 0;  // a number with an exponent is only as exact as a double
  const auto real = std::from_chars(text.data(), end, number);
  if (real.ec != std::errc() || real.ptr != end) return false;
  if (!(std::fabs(number) < static_cast<double>(kMostUs))) return false;
  *ns = std::llround(number * 1000);
  return true;
}

Status ReadChromeJson(const std::string& path, ChromeReader* reader) {
  TextInput input;
  RTL_TRY(input.Open(path));
  input.SkipByteOrderMark();
  Handler handler(&input, reader);
  uint64_t repaired = 0;
  RTL_TRY(ParseJson(path, &input, &handler, &repaired));
  if (repaired != 0) reader->TakeFlaws(kHalfPair, repaired);
  if (handler.no_events() != 0) {
    reader->TakeFlaws("a value among the events that is none", handler.no_events());
  }
  if (!handler.is_trace()) {
    return Status::Error("%s: JSON without traceEvents is no trace", path.c_str());
  }
  return Status::Ok();
}

}  // namespace rtl::import
