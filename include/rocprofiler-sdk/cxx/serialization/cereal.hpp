/* SPDX-License-Identifier: MIT
 * serialization/cereal.hpp: cereal's headers for save.hpp and load.hpp, and the members that are
 * not plain.
 * A tool may define the two macros to put the functions into another namespace than cereal. */
#pragma once

#include <rocprofiler-sdk/rocprofiler.h>

#include <cereal/archives/binary.hpp>
#include <cereal/archives/json.hpp>
#include <cereal/archives/portable_binary.hpp>
#include <cereal/cereal.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/atomic.hpp>
#include <cereal/types/bitset.hpp>
#include <cereal/types/chrono.hpp>
#include <cereal/types/common.hpp>
#include <cereal/types/complex.hpp>
#include <cereal/types/deque.hpp>
#include <cereal/types/functional.hpp>
#include <cereal/types/list.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/queue.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/stack.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/unordered_map.hpp>
#include <cereal/types/unordered_set.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>
#include <rocprofiler-sdk/cxx/container/c_array.hpp>
#include <rocprofiler-sdk/cxx/name_info.hpp>
#include <rocprofiler-sdk/cxx/utility.hpp>
#include <string>
#include <vector>

#if !defined(ROCPROFILER_SDK_CEREAL_NAMESPACE_BEGIN)
#define ROCPROFILER_SDK_CEREAL_NAMESPACE_BEGIN namespace cereal {
#endif
#if !defined(ROCPROFILER_SDK_CEREAL_NAMESPACE_END)
#define ROCPROFILER_SDK_CEREAL_NAMESPACE_END }
#endif

namespace rocprofiler {
namespace sdk {
namespace serialization {

struct buffer_tracing_args {
  std::string type, name, value;
};

inline int collect_buffer_tracing_args(rocprofiler_buffer_tracing_kind_t,
                                       rocprofiler_tracing_operation_t, uint32_t number,
                                       const void*, int32_t, const char* type, const char* name,
                                       const char* value, void* data) {
  auto& all = *static_cast<std::vector<buffer_tracing_args>*>(data);
  if (all.size() <= number) all.resize(number + 1);
  all[number] = {type, name, value};
  return 0;
}

/* Of a record of a kind that ends in _EXT; other records have none. */
template <typename RecordT>
std::vector<buffer_tracing_args> get_buffer_tracing_args(const RecordT& data) {
  std::vector<buffer_tracing_args> all;
  rocprofiler_record_header_t header = {};
  header.category = ROCPROFILER_BUFFER_CATEGORY_TRACING;
  header.kind = data.kind;
  header.payload = const_cast<RecordT*>(&data);
  (void)rocprofiler_iterate_buffer_tracing_record_args(header, collect_buffer_tracing_args, &all);
  return all;
}

template <typename SampleT>
std::string instruction_type(const SampleT& data) {
  const char* const name = rocprofiler_get_pc_sampling_instruction_type_name(
      static_cast<rocprofiler_pc_sampling_instruction_type_t>(data.inst_type));
  return name == nullptr ? "" : name;
}

template <typename SnapshotT>
std::string stall_reason(const SnapshotT& data) {
  const char* const name = rocprofiler_get_pc_sampling_instruction_not_issued_reason_name(
      static_cast<rocprofiler_pc_sampling_instruction_not_issued_reason_t>(data.reason_not_issued));
  return name == nullptr ? "" : name;
}

template <typename T>
std::vector<T> copies(const T* first, uint64_t count) {
  return first == nullptr ? std::vector<T>{} : std::vector<T>(first, first + count);
}

template <typename ArchiveT>
void load_text(ArchiveT& ar, const char* name, const char** text) {
  auto* const kept = new std::string;
  ar(::cereal::make_nvp(name, *kept));
  *text = kept->c_str();
}

template <typename ArchiveT, typename T, typename CountT>
void load_list(ArchiveT& ar, const char* name, const T** first, CountT* count) {
  auto* const kept = new std::vector<T>;
  ar(::cereal::make_nvp(name, *kept));
  *first = kept->data();
  *count = static_cast<CountT>(kept->size());
}

}  // namespace serialization
}  // namespace sdk
}  // namespace rocprofiler

ROCPROFILER_SDK_CEREAL_NAMESPACE_BEGIN

/* Earlier versions of these headers had the name in here. */
namespace sdk = ::rocprofiler::sdk;

template <typename ArchiveT>
void save(ArchiveT& ar, const ::rocprofiler::sdk::serialization::buffer_tracing_args& data) {
  ar(make_nvp("type", data.type));
  ar(make_nvp("name", data.name));
  ar(make_nvp("value", data.value));
}

template <typename ArchiveT, typename EnumT, typename ValueT>
void save(ArchiveT& ar, const ::rocprofiler::sdk::utility::name_info_impl<EnumT, ValueT>& data) {
  ar(make_nvp("kind", std::string{data.name}));
  ar(make_nvp("operations",
              std::vector<std::string>(data.operations.begin(), data.operations.end())));
}

template <typename ArchiveT, typename EnumT, typename ValueT>
void save(ArchiveT& ar, const ::rocprofiler::sdk::utility::name_info<EnumT, ValueT>& data) {
  ar.makeArray();
  for (const auto& kind : data) ar(make_nvp("entry", kind));
}

template <typename ArchiveT, typename T>
void save(ArchiveT& ar, const ::rocprofiler::sdk::container::c_array<T>& data) {
  ar(make_size_tag(static_cast<size_type>(data.size())));
  for (const auto& each : data) ar(each);
}

/* Null pointers are omitted. */
template <typename ArchiveT, typename T>
void save(ArchiveT& ar, const ::rocprofiler::sdk::container::c_array<T*>& data) {
  size_type count = 0;
  for (const auto* each : data) count += each != nullptr ? 1 : 0;
  ar(make_size_tag(count));
  for (const auto* each : data) {
    if (each != nullptr) ar(*each);
  }
}

ROCPROFILER_SDK_CEREAL_NAMESPACE_END
