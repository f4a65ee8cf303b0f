/* SPDX-License-Identifier: MIT
 * tokenize.hpp: splits texts. */
#pragma once

#include <functional>
#include <rocprofiler-sdk/cxx/details/mpl.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rocprofiler {
namespace sdk {
namespace parse {

/* The first value in the text, as streams read it. */
template <typename T>
T from_string(const std::string& text) {
  T value{};
  std::istringstream(text) >> value;
  return value;
}
template <typename T>
T from_string(const char* text) {
  return from_string<T>(std::string(text));
}

/* The parts between delimiters, each a single character; empty parts are omitted. */
template <typename ContainerT = std::vector<std::string>,
          typename ValueT = typename ContainerT::value_type,
          typename PredicateT = std::function<ValueT(ValueT&&)>>
ContainerT tokenize(
    std::string_view line, std::string_view delimiters = "\"',;: ",
    PredicateT&& predicate = [](ValueT&& part) -> ValueT { return part; }) {
  ContainerT parts = {};
  for (size_t at = line.find_first_not_of(delimiters); at != std::string_view::npos;) {
    const size_t end = line.find_first_of(delimiters, at);
    mpl::emplace(parts, std::forward<PredicateT>(predicate)(ValueT(line.substr(at, end - at))));
    at = end == std::string_view::npos ? end : line.find_first_not_of(delimiters, end);
  }
  return parts;
}

/* The parts between delimiters that are texts; empty parts are kept. */
template <typename ContainerT = std::vector<std::string>, typename DelimT = std::string_view,
          typename ValueT = typename ContainerT::value_type,
          typename PredicateT = ValueT (*)(DelimT&&)>
ContainerT tokenize(
    std::string_view line, const std::vector<DelimT>& delimiters,
    PredicateT&& predicate = [](DelimT&& part) -> ValueT { return ValueT{part}; }) {
  ContainerT parts = {};
  for (size_t at = 0;;) {
    size_t end = std::string_view::npos, next = end;
    for (const DelimT& delimiter : delimiters) {
      const size_t found = line.find(delimiter, at);
      if (found >= end) continue;
      end = found;
      next = found + delimiter.size();
    }
    mpl::emplace(parts, std::forward<PredicateT>(predicate)(DelimT(line.substr(at, end - at))));
    if (end == std::string_view::npos) return parts;
    at = next;
  }
}

/* Replaces each piece from `begin` to `end`, without `end`, by the result of `predicate`.
 * Without an end a piece is `begin` itself. */
template <typename PredicateT = std::function<std::string(const std::string&)>>
std::string str_transform(std::string_view input, std::string_view begin, std::string_view end,
                          PredicateT&& predicate) {
  std::string text(input);
  for (size_t at = text.find(begin); at != std::string::npos;) {
    const size_t stop = end.empty() ? at + begin.size() : text.find(end, at + 1);
    if (stop == std::string::npos) break;
    const std::string made = predicate(text.substr(at, stop - at));
    text.replace(at, stop - at, made);
    const size_t after = at + made.size();
    if (after >= text.size()) break;
    at = text.find(begin, after);
  }
  return text;
}

/* The text without these characters at both ends. */
inline std::string strip(std::string&& text, std::string_view characters) {
  const size_t first = text.find_first_not_of(characters);
  if (first == std::string::npos) return std::move(text);
  return text.substr(first, text.find_last_not_of(characters) - first + 1);
}

}  // namespace parse
}  // namespace sdk
}  // namespace rocprofiler
