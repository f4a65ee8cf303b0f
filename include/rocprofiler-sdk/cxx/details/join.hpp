/* SPDX-License-Identifier: MIT
 * join.hpp: joins values into one text. */
#pragma once

#include <array>
#include <ios>
#include <rocprofiler-sdk/cxx/details/mpl.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace rocprofiler {
namespace sdk {
namespace join {

enum { NoQuoteStrings = 0, QuoteStrings = 1 };

template <size_t kIndex>
struct triplet_config {
  static constexpr size_t index() { return kIndex; }
  std::string_view delimiter = {};
  std::string_view prefix = {};
  std::string_view suffix = {};
};
using generic_config = triplet_config<0>;
using array_config = triplet_config<1>;
using pair_config = triplet_config<2>;

/* The text between values and around all of them; `array` and `pair`: the same inside
 * containers. */
struct config : generic_config {
  config() = default;
  config(std::string_view between) : generic_config{between, {}, {}} {}
  config(const char* between) : generic_config{between, {}, {}} {}
  config(generic_config all) : generic_config(all) {}
  config(array_config of_array) : array(of_array) {}
  config(pair_config of_pair) : pair(of_pair) {}
  config(generic_config all, array_config of_array) : generic_config(all), array(of_array) {}
  config(generic_config all, pair_config of_pair) : generic_config(all), pair(of_pair) {}
  config(array_config of_array, pair_config of_pair) : array(of_array), pair(of_pair) {}

  std::ios_base::fmtflags flags = std::ios_base::boolalpha;
  array_config array = {", ", "[", "]"};
  pair_config pair = {", ", "{", "}"};
};

namespace detail {
template <int kQuotes, typename T>
void Write(std::ostream& out, const config& how, const T& value) {
  using type = mpl::unqualified_identity_t<T>;
  if constexpr (mpl::is_string_type<type>::value) {
    if constexpr (kQuotes == QuoteStrings) {
      out << '"' << value << '"';
    } else {
      out << value;
    }
  } else if constexpr (mpl::is_iterable<type>::value && !mpl::has_traits<type>(0)) {
    bool first = true;
    for (const auto& each : value) {
      out << (first ? how.array.prefix : how.array.delimiter);
      first = false;
      if constexpr (mpl::has_mapped_type<type>(0)) {
        out << how.pair.prefix;
        Write<kQuotes>(out, how, each.first);
        out << how.pair.delimiter;
        Write<kQuotes>(out, how, each.second);
        out << how.pair.suffix;
      } else {
        Write<kQuotes>(out, how, each);
      }
    }
    if (!first) out << how.array.suffix;
  } else {
    static_assert(mpl::can_stringify<type>::value,
                  "a type that a stream can write, or a container of such");
    out << value;
  }
}
}  // namespace detail

/* An empty text or container has no delimiter before it. Without values the result is an empty
 * text. */
template <int kQuotes = NoQuoteStrings, typename... A>
std::string join(config how, A&&... values) {
  std::ostringstream out;
  out.setf(how.flags);
  bool any = false;
  const auto one = [&](const auto& value) {
    if (!mpl::is_empty(value)) {
      if (any) out << how.delimiter;
      any = true;
    }
    detail::Write<kQuotes>(out, how, value);
  };
  (one(values), ...);
  const std::string text = out.str();
  return text.empty() ? text : std::string(how.prefix) + text + std::string(how.suffix);
}

/* Delimiter, prefix, suffix. */
template <int kQuotes = NoQuoteStrings, typename... A>
std::string join(std::array<std::string_view, 3>&& around, A&&... values) {
  return join<kQuotes>(config(generic_config{around[0], around[1], around[2]}),
                       std::forward<A>(values)...);
}

template <
    int kQuotes = NoQuoteStrings, typename DelimT, typename... A,
    std::enable_if_t<!std::is_same<config, mpl::unqualified_identity_t<DelimT>>::value, int> = 0>
std::string join(DelimT&& delimiter, A&&... values) {
  if constexpr (std::is_same<mpl::unqualified_identity_t<DelimT>, char>::value) {
    return join<kQuotes>(config(std::string_view(&delimiter, 1)), std::forward<A>(values)...);
  } else {
    return join<kQuotes>(config(std::forward<DelimT>(delimiter)), std::forward<A>(values)...);
  }
}

template <typename T>
std::string quoted(T&& value) {
  return join(config(generic_config{{}, "\"", "\""}), std::forward<T>(value));
}

}  // namespace join
}  // namespace sdk
}  // namespace rocprofiler
