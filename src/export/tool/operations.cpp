// SPDX-License-Identifier: MIT
#include "export/tool/operations.h"

#include "names/kinds.h"

namespace rtl::exporting::tool {
namespace {

std::vector<Operations::Kind> KindsOf(names::Service service) {
  std::vector<Operations::Kind> kinds;
  for (int32_t i = 0; i < names::KindCount(service); ++i) {
    const auto number = static_cast<uint32_t>(i);
    Operations::Kind kind;
    const char* const name = names::KindName(service, number);
    kind.name = name == nullptr ? "" : name;
    for (int32_t op = 0;; ++op) {
      const char* const operation = names::OperationName(service, number, op);
      if (operation == nullptr) break;
      kind.operations.push_back(operation);
    }
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

}  // namespace

Operations::Operations()
    : buffer_(KindsOf(names::Service::kBuffer)),
      callback_(KindsOf(names::Service::kCallback)),
      numbers_(buffer_.size()) {
  for (size_t kind = 0; kind < buffer_.size(); ++kind) {
    for (size_t op = 0; op < buffer_[kind].operations.size(); ++op) {
      numbers_[kind].emplace(buffer_[kind].operations[op], static_cast<int32_t>(op));
    }
  }
}

int32_t Operations::NumberOf(rocprofiler_buffer_tracing_kind_t kind, std::string_view name) {
  const auto index = static_cast<size_t>(kind);
  if (index >= buffer_.size()) return 0;
  Numbers& numbers = numbers_[index];
  const auto found = numbers.find(name);
  if (found != numbers.end()) return found->second;
  const auto number = static_cast<int32_t>(buffer_[index].operations.size());
  buffer_[index].operations.emplace_back(name);
  numbers.emplace(std::string(name), number);
  return number;
}

}  // namespace rtl::exporting::tool
