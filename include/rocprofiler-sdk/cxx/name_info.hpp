/* SPDX-License-Identifier: MIT
 * name_info.hpp: the names of all kinds and operations, from the library. */
#pragma once

#include <rocprofiler-sdk/fwd.h>

#include <rocprofiler-sdk/cxx/details/mpl.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rocprofiler {
namespace sdk {
namespace utility {

/* One kind. An operation's index is its number; an operation without a name is empty. */
template <typename EnumT, typename ValueT = std::string_view>
struct name_info_impl {
  using support_type = mpl::string_support<ValueT>;
  using enum_type = EnumT;
  using value_type = ValueT;
  using return_type = typename support_type::return_type;
  using item_type = std::pair<rocprofiler_tracing_operation_t, const value_type*>;
  using item_array_t = std::vector<item_type>;
  static_assert(support_type::value, "names are const char*, std::string_view or std::string");

  return_type operator()() const { return name; }
  return_type operator()(size_t operation) const { return operations.at(operation); }
  return_type operator[](size_t operation) const { return operations.at(operation); }
  /* Each operation with its name. */
  item_array_t items() const {
    item_array_t all;
    all.reserve(operations.size());
    for (const value_type& each : operations)
      all.emplace_back(static_cast<rocprofiler_tracing_operation_t>(all.size()), &each);
    return all;
  }

  EnumT value = static_cast<EnumT>(0);
  value_type name = {};
  std::vector<value_type> operations = {};
};

/* All kinds, indexed by number. */
template <typename EnumT, typename ValueT = std::string_view>
struct name_info {
  using value_type = name_info_impl<EnumT, ValueT>;
  using enum_type = EnumT;
  using support_type = typename value_type::support_type;
  using return_type = typename value_type::return_type;
  using item_type = const value_type*;
  using item_array_t = std::vector<item_type>;

  void emplace(EnumT kind, const char* name) {
    value_type& entry = Entry(kind);
    entry.value = kind;
    entry.name = support_type{}(name);
  }
  void emplace(EnumT kind, rocprofiler_tracing_operation_t operation, const char* name) {
    auto& operations = Entry(kind).operations;
    const auto place = static_cast<size_t>(operation);
    if (operations.size() <= place) operations.resize(place + 1, support_type::default_value());
    operations[place] = support_type{}(name);
  }
  return_type at(EnumT kind) const { return impl.at(kind).name; }
  return_type at(EnumT kind, rocprofiler_tracing_operation_t operation) const {
    return impl.at(kind).operations.at(static_cast<size_t>(operation));
  }
  item_array_t items() const {
    item_array_t all;
    all.reserve(impl.size());
    for (const value_type& each : impl) all.push_back(&each);
    return all;
  }
  auto size() const { return impl.size(); }
  auto begin() { return impl.begin(); }
  auto begin() const { return impl.begin(); }
  auto end() { return impl.end(); }
  auto end() const { return impl.end(); }
  value_type& operator[](size_t kind) { return impl.at(kind); }
  const value_type& operator[](size_t kind) const { return impl.at(kind); }

 private:
  value_type& Entry(EnumT kind) {
    const auto place = static_cast<size_t>(kind);
    if (impl.size() <= place) impl.resize(place + 1);
    return impl[place];
  }
  std::vector<value_type> impl = {};
};

}  // namespace utility

template <typename T = std::string_view>
using callback_name_info_t = utility::name_info<rocprofiler_callback_tracing_kind_t, T>;
template <typename T = std::string_view>
using buffer_name_info_t = utility::name_info<rocprofiler_buffer_tracing_kind_t, T>;
using callback_name_info = callback_name_info_t<std::string_view>;
using buffer_name_info = buffer_name_info_t<std::string_view>;

template <typename T = std::string_view>
callback_name_info_t<T> get_callback_tracing_names();
template <typename T = std::string_view>
buffer_name_info_t<T> get_buffer_tracing_names();

}  // namespace sdk
}  // namespace rocprofiler

#include <rocprofiler-sdk/cxx/details/name_info.hpp>
