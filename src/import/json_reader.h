// SPDX-License-Identifier: MIT
// json_reader.h: reads a JSON text as events: begins, ends, keys, texts, and numbers as they were
// written. It accepts what tools write beyond JSON: control characters in texts, NaN and inf, a
// comma after the last value, and an outermost array that is not closed (Chrome's format allows
// it).
//
// Threads    one
// Memory     one text, and a byte per nesting
// Errors     the error and its place; the handler stops the reader by returning false
// Why        texts are passed on without a copy: docs/adr/0195-json-reader.md
#pragma once

#include <emmintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "import/text_input.h"

namespace rtl::import {

// `Handler`: bool Null(), Bool(bool), RawNumber(view), String(view), Key(view), StartObject(),
// EndObject(), StartArray(), EndArray(). A view is valid during the call.
template <typename Handler>
class JsonReader {
 public:
  JsonReader(TextInput* input, Handler* handler) : in_(*input), handler_(*handler) {}

  // Reads one value. False: the handler stopped, or error() describes what is wrong before
  // input.Tell().
  bool Parse() {
    while (true) {
      if (!ParseValue()) return false;
      if (state_ == State::kOpened) continue;
      while (true) {  // after a value
        if (open_.empty()) return true;
        bool more = false;
        if (!Separate(&more)) return false;
        if (more) break;
      }
    }
  }

  const char* error() const { return error_; }
  // Number of unpaired halves of surrogate pairs; each was replaced by U+FFFD.
  uint64_t repaired() const { return repaired_; }

 private:
  enum class State { kOpened, kDone };

  bool Fail(const char* why) {
    error_ = why;
    return false;
  }

  // Reads a scalar completely, or an object or array up to its first value.
  bool ParseValue() {
    state_ = State::kDone;
    in_.SkipSpace();
    switch (in_.Peek()) {
      case '{':
        in_.Skip(1);
        if (!handler_.StartObject()) return false;
        open_ += '}';
        return Enter();
      case '[':
        in_.Skip(1);
        if (!handler_.StartArray()) return false;
        open_ += ']';
        return Enter();
      case '"': {
        std::string_view text;
        return ParseText(&text) && handler_.String(text);
      }
      default:
        return ParseWord();
    }
  }

  // After an opening bracket or a comma: reads the end of the object or array, or its next value up
  // to where ParseValue stops.
  bool Enter() {
    in_.SkipSpace();
    if (in_.Peek() == open_.back()) return Leave();
    state_ = State::kOpened;
    return open_.back() == ']' || ParseKey();
  }
  bool Leave() {
    in_.Skip(1);
    const char closer = open_.back();
    open_.pop_back();
    state_ = State::kDone;
    return closer == '}' ? handler_.EndObject() : handler_.EndArray();
  }

  bool ParseKey() {
    if (in_.Peek() != '"') return Fail(in_.AtEnd() ? kCut : "a name of a member is missing");
    std::string_view key;
    if (!ParseText(&key) || !handler_.Key(key)) return false;
    in_.SkipSpace();
    if (in_.Peek() != ':') return Fail(in_.AtEnd() ? kCut : "a colon is missing");
    in_.Skip(1);
    return true;
  }

  // After a value: reads a comma or a closing bracket. *more: an object or array was opened, whose
  // values follow.
  bool Separate(bool* more) {
    in_.SkipSpace();
    const char next = in_.Peek();
    if (next == ',') {
      in_.Skip(1);
      in_.SkipSpace();
      if (!in_.AtEnd() || open_ != "]") {
        if (!Enter()) return false;
        *more = state_ == State::kOpened;
        return true;
      }
    } else if (next == open_.back()) {
      return Leave();
    }
    if (!in_.AtEnd()) {
      return Fail(open_.back() == '}' ? "a comma or } is missing" : "a comma or ] is missing");
    }
    if (open_ != "]") return Fail(kCut);
    open_.clear();  // the outermost array, which need not be closed
    return handler_.EndArray();
  }

  // --- texts

  // Finds the end of a text. It may read up to ReadAhead::kBehind bytes after `end`.
  static const char* FindEnd(const char* at, const char* end) {
    const __m128i quotes = _mm_set1_epi8('"'), slashes = _mm_set1_epi8('\\');
    for (; at < end; at += sizeof(__m128i)) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      const auto ends = static_cast<uint32_t>(_mm_movemask_epi8(
          _mm_or_si128(_mm_cmpeq_epi8(bytes, quotes), _mm_cmpeq_epi8(bytes, slashes))));
      if (ends != 0) return std::min(at + std::countr_zero(ends), end);
    }
    return end;
  }

  // *out points into the buffer, unless the text has escapes or crosses the buffer's end.
  bool ParseText(std::string_view* out) {
    in_.Skip(1);
    std::string_view piece = in_.Window();
    const char* end = FindEnd(piece.data(), piece.data() + piece.size());
    auto bytes = static_cast<size_t>(end - piece.data());
    if (bytes != piece.size() && *end == '"') {
      *out = piece.substr(0, bytes);
      in_.Skip(bytes + 1);
      return true;
    }
    text_.clear();
    while (true) {
      if (bytes != 0) EndHalf();
      text_.append(piece.data(), bytes);
      in_.Skip(bytes);
      piece = in_.Window();
      if (piece.empty()) return Fail(kCut);
      if (piece.front() == '"') break;
      if (piece.front() == '\\' && !ParseEscape()) return false;
      piece = in_.Window();
      end = FindEnd(piece.data(), piece.data() + piece.size());
      bytes = static_cast<size_t>(end - piece.data());
    }
    in_.Skip(1);
    EndHalf();
    *out = text_;
    return true;
  }

  bool ParseEscape() {
    in_.Skip(1);
    if (in_.AtEnd()) return Fail(kCut);
    const char c = in_.Consume();
    constexpr std::string_view kLetters = "bfnrt\"\\/", kMeant = "\b\f\n\r\t\"\\/";
    const size_t at = kLetters.find(c);
    if (at != std::string_view::npos) {
      EndHalf();
      text_ += kMeant[at];
      return true;
    }
    if (c != 'u') return Fail("an escape in a text is not known");
    uint32_t unit = 0;
    if (!ParseUnit(&unit)) return false;
    return AddUnit(unit);
  }

  bool ParseUnit(uint32_t* unit) {
    *unit = 0;
    for (int i = 0; i < 4; ++i) {
      if (in_.AtEnd()) return Fail(kCut);
      const char c = in_.Consume();
      const bool digit = c >= '0' && c <= '9';
      const char lower = static_cast<char>(c | 0x20);
      if (!digit && (lower < 'a' || lower > 'f')) return Fail("\\u without four digits");
      *unit = *unit * 16 + static_cast<uint32_t>(digit ? c - '0' : lower - 'a' + 10);
    }
    return true;
  }

  // Adds a unit of UTF-16. The first half of a surrogate pair is kept until the second half, which
  // must follow directly.
  bool AddUnit(uint32_t unit) {
    if (unit >= 0xdc00 && unit <= 0xdfff && half_ != 0) {
      AddCodePoint(0x10000 + ((half_ - 0xd800) << 10) + (unit - 0xdc00));
      half_ = 0;
      return true;
    }
    EndHalf();
    if (unit >= 0xd800 && unit <= 0xdbff) {
      half_ = unit;
      return true;
    }
    const bool is_half = unit >= 0xdc00 && unit <= 0xdfff;
    repaired_ += is_half ? 1 : 0;
    AddCodePoint(is_half ? kReplacement : unit);
    return true;
  }
  void EndHalf() {
    if (half_ == 0) return;
    half_ = 0;
    ++repaired_;
    AddCodePoint(kReplacement);
  }

  void AddCodePoint(uint32_t code) {
    const auto add = [&](uint32_t byte) { text_ += static_cast<char>(byte); };
    if (code < 0x80) return add(code);
    if (code < 0x800) {
      add(0xc0 | code >> 6);
    } else {
      if (code < 0x10000) {
        add(0xe0 | code >> 12);
      } else {
        add(0xf0 | code >> 18);
        add(0x80 | (code >> 12 & 0x3f));
      }
      add(0x80 | (code >> 6 & 0x3f));
    }
    add(0x80 | (code & 0x3f));
  }

  // --- numbers and words

  static constexpr std::array<bool, 256> kEndsWord = [] {
    std::array<bool, 256> ends = {};
    for (const char c : std::string_view(",}] \n\r\t:\"{[\0", 12))
      ends[static_cast<uint8_t>(c)] = true;
    return ends;
  }();
  static bool EndsWord(char c) { return kEndsWord[static_cast<uint8_t>(c)]; }

  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }
  static const char* SkipDigits(const char* at) {
    while (IsDigit(*at)) ++at;
    return at;
  }

  // Reads a number or a word. Most are numbers of digits and a point at most, so these come first.
  bool ParseWord() {
    constexpr size_t kLongest = 512;
    const std::string_view piece = in_.Window();
    const char* const begin = piece.data();
    const char* at = begin;
    if (IsDigit(*at)) {
      at = SkipDigits(at);  // the zero after the buffer ends it
      if (*at == '.' && IsDigit(at[1])) at = SkipDigits(at + 1);
      const auto digits = static_cast<size_t>(at - begin);
      if (digits != piece.size() && EndsWord(*at)) {
        in_.Skip(digits);
        return handler_.RawNumber({begin, digits});
      }
    }
    size_t bytes = 0;
    while (!EndsWord(begin[bytes])) ++bytes;
    std::string_view word(piece.data(), bytes);
    in_.Skip(bytes);
    if (bytes == piece.size()) {  // it may go on in the next buffer
      text_.assign(word);
      while (!EndsWord(in_.Peek()) && text_.size() < kLongest) text_ += in_.Consume();
      word = text_;
    }
    if (word.empty()) return Fail(in_.AtEnd() ? kCut : "a value is missing");
    const char first = word.front();
    if (first == 't' && word == "true") return handler_.Bool(true);
    if (first == 'f' && word == "false") return handler_.Bool(false);
    if (first == 'n' && word == "null") return handler_.Null();
    return IsNumber(word) ? handler_.RawNumber(word) : Fail("a value is not known");
  }

  // -?digits(.digits)?([eE][+-]?digits)?, or one of the words NaN and inf.
  static bool IsNumber(std::string_view word) {
    if (word.front() == '-') word.remove_prefix(1);
    if (word.empty()) return false;
    if (word.front() > '9') {
      return word == "NaN" || word == "nan" || word == "Infinity" || word == "inf" || word == "Inf";
    }
    const char* at = word.data();
    const char* const end = at + word.size();
    const auto digits = [&] {
      const char* const before = at;
      while (at != end && IsDigit(*at)) ++at;
      return at != before;
    };
    if (!digits()) return false;
    if (at != end && *at == '.') {
      ++at;
      if (!digits()) return false;
    }
    if (at != end && (*at == 'e' || *at == 'E')) {
      ++at;
      if (at != end && (*at == '+' || *at == '-')) ++at;
      if (!digits()) return false;
    }
    return at == end;
  }

  static constexpr char kCut[] = "the text ends too early";
  static constexpr uint32_t kReplacement = 0xfffd;

  TextInput& in_;
  Handler& handler_;
  State state_ = State::kDone;
  std::string open_;  // the closing brackets of open objects and arrays
  std::string text_;
  uint32_t half_ = 0;  // first half of a surrogate pair; zero: none
  const char* error_ = nullptr;
  uint64_t repaired_ = 0;
};

// Reads a whole file. `repaired`: JsonReader::repaired.
template <typename Handler>
Status ParseJson(const std::string& path, TextInput* input, Handler* handler, uint64_t* repaired) {
  JsonReader<Handler> reader(input, handler);
  const bool whole = reader.Parse();
  RTL_TRY(input->status());
  *repaired = reader.repaired();
  if (!handler->status().ok()) {
    return Status::Error("%s: %s", path.c_str(), handler->status().message());
  }
  const char* const error =
      whole && !input->IsAtEnd() ? "more text follows the end" : reader.error();
  if (error == nullptr) return Status::Ok();
  return Status::Error("%s: not valid JSON at byte %zu (%s)", path.c_str(), input->Tell(), error);
}

}  // namespace rtl::import
