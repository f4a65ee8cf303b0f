/* SPDX-License-Identifier: MIT
 * mpl.hpp: type traits for the headers beside it. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace rocprofiler {
namespace sdk {
namespace mpl {

template <typename T>
struct unqualified_identity {
  using type = std::remove_cv_t<std::remove_reference_t<std::decay_t<T>>>;
};
template <typename T>
using unqualified_identity_t = typename unqualified_identity<T>::type;
template <typename T, typename U>
struct is_same_unqualified_identity
    : std::is_same<unqualified_identity_t<T>, unqualified_identity_t<U>> {};

/* The storage of a name: const char*, std::string_view or std::string. */
template <typename T>
struct string_support {
  using type = T;
  using return_type = void;
  static constexpr bool value = false;
  static constexpr void default_value() {}
};
template <>
struct string_support<const char*> {
  using type = const char*;
  using return_type = type;
  static constexpr bool value = true;
  static constexpr type default_value() { return nullptr; }
  type operator()(const char* text) const { return text; }
};
template <>
struct string_support<std::string_view> {
  using type = std::string_view;
  using return_type = type;
  static constexpr bool value = true;
  static constexpr type default_value() { return {}; }
  type operator()(const char* text) const { return type(text); }
};
template <>
struct string_support<std::string> {
  using type = std::string;
  using return_type = type;
  static constexpr bool value = true;
  static type default_value() { return {}; }
  type operator()(const char* text) const { return type(text); }
};

template <typename T, typename U = unqualified_identity_t<T>>
struct is_string_type
    : std::bool_constant<std::is_same<U, std::string>::value || std::is_same<U, char*>::value ||
                         std::is_same<U, const char*>::value ||
                         std::is_same<U, std::string_view>::value> {};

namespace detail {
template <typename T>
using empty_of = decltype(std::declval<T>().empty());
template <typename T>
using written = decltype(std::declval<std::ostream&>() << std::declval<T>());
template <typename T>
using range_of = decltype(std::begin(std::declval<T&>()), std::end(std::declval<T&>()));
template <typename T>
using traits_of = typename T::traits_type;
template <typename T>
using value_of = typename T::value_type;
template <typename T>
using key_of = typename T::key_type;
template <typename T>
using mapped_of = typename T::mapped_type;

template <template <typename> class Q, typename T, typename = void>
struct has : std::false_type {};
template <template <typename> class Q, typename T>
struct has<Q, T, std::void_t<Q<T>>> : std::true_type {};

/* As a type and, with operator(), as a value. */
template <template <typename> class Q, typename T>
struct question : has<Q, T> {
  constexpr bool operator()() const { return has<Q, T>::value; }
};
}  // namespace detail

template <typename T>
struct has_empty_member_function : detail::question<detail::empty_of, T> {};
template <typename T>
struct can_stringify : detail::question<detail::written, T> {};
template <typename T>
struct is_iterable : detail::question<detail::range_of, T> {};
template <typename T>
using supports_ostream = can_stringify<T>;

/* The argument is ignored: has_traits<T>(0). */
template <typename T>
constexpr bool has_traits(int) {
  return detail::has<detail::traits_of, T>::value;
}
template <typename T>
constexpr bool has_value_type(int) {
  return detail::has<detail::value_of, T>::value;
}
template <typename T>
constexpr bool has_key_type(int) {
  return detail::has<detail::key_of, T>::value;
}
template <typename T>
constexpr bool has_mapped_type(int) {
  return detail::has<detail::mapped_of, T>::value;
}

/* True for empty texts and containers; false for everything else. */
template <typename T>
bool is_empty(T&& value) {
  using type = unqualified_identity_t<T>;
  if constexpr (has_empty_member_function<type>::value) {
    return value.empty();
  } else if constexpr (is_string_type<type>::value) {
    return std::string_view(value).empty();
  } else {
    return false;
  }
}

namespace detail {
template <typename C, typename... A>
auto emplace(C& container, int, A&&... values)
    -> decltype(container.emplace_back(std::forward<A>(values)...)) {
  return container.emplace_back(std::forward<A>(values)...);
}
template <typename C, typename... A>
auto emplace(C& container, long, A&&... values)
    -> decltype(container.emplace(std::forward<A>(values)...)) {
  return container.emplace(std::forward<A>(values)...);
}
template <typename C, typename N>
auto reserve(C& container, int, N count) -> decltype(container.reserve(count), bool()) {
  container.reserve(count);
  return true;
}
template <typename C, typename N>
bool reserve(C&, long, N) {
  return false;
}
}  // namespace detail

/* At the end of a sequence, or anywhere in a set. */
template <typename C, typename... A>
auto emplace(C& container, A&&... values) {
  return detail::emplace(container, 0, std::forward<A>(values)...);
}
/* False: the container cannot reserve. */
template <typename C, typename N>
bool reserve(C& container, N count) {
  return detail::reserve(container, 0, count);
}

template <typename>
struct assert_false : std::false_type {};

}  // namespace mpl
}  // namespace sdk
}  // namespace rocprofiler
